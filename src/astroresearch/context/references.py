"""References: `m42`, `m40-m61`: what a placeholder stands for, and the original back, paged or searched (R3.10)."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..locales import Locale, say
from .messages import Message, Text, Thinking, ToolCall, ToolResult

PAGE_CHARS = 12_000
_REFERENCE = re.compile(r"^\s*m(\d{1,9})(?:\s*[-\u2013]\s*m?(\d{1,9}))?\s*$")

Lookup = Callable[[int], Message | None]


class UnknownReference(KeyError):
    """A reference that names nothing in this session."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Reference:
    """The transcript positions *first*..*last*, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"m{self.first}" if self.first == self.last else f"m{self.first}-m{self.last}"

    def covers(self, position: int) -> bool:
        return self.first <= position <= self.last


def parse_reference(text: str) -> Reference:
    """Read `m42` or `m40-m61`; raise ``UnknownReference`` with the right form if *text* is neither."""
    if not (match := _REFERENCE.match(text)):
        raise UnknownReference(f"{text!r} is no reference; write m42 or m40-m61")
    first = int(match[1])
    last = int(match[2]) if match[2] else first
    if last < first:
        raise UnknownReference(f"{text!r} ends before it begins; write m{last}-m{first}")
    return Reference(first, last)


def render_original(position: int, message: Message) -> str:
    """Return a message as text, whole: a header line, then thoughts, text, calls and results."""
    lines = [f"[m{position} {message.role}]"]
    for part in message.parts:
        match part:
            case Text(text) | ToolResult(text=text):
                lines.append(text)
            case Thinking(text):
                lines.append(f"(thought) {text}")
            case ToolCall(_, name, arguments):
                lines.append(f"→ {name}({arguments})")
            case _:
                lines.append(f"({part.kind})")
    return "\n".join(lines)


def recall(
    reference: Reference, lookup: Lookup, *, query: str = "", offset: int = 0, page: int = PAGE_CHARS, locale: Locale
) -> str:
    """Return what *reference* stands for: *page* characters from *offset*, or the passages that hold *query*."""
    texts = _originals(reference, lookup)
    if query.strip():
        return _search(reference, texts, query, page, locale)
    whole = "\n\n".join(texts)
    if offset >= len(whole) > 0:
        raise UnknownReference(f"{reference} has {len(whole)} characters; offset {offset} is beyond its end")
    piece = whole[offset : offset + page]
    if offset + page >= len(whole):
        return piece
    left = len(whole) - offset - page
    return piece + say(locale, "context.more", left=left, ref=str(reference), offset=offset + page)


def _originals(reference: Reference, lookup: Lookup) -> list[str]:
    texts = []
    for position in range(reference.first, reference.last + 1):
        if (message := lookup(position)) is None:
            break
        texts.append(render_original(position, message))
    if not texts:
        raise UnknownReference(f"{reference} names nothing in this session")
    return texts


def _search(reference: Reference, texts: Iterable[str], query: str, page: int, locale: Locale) -> str:
    """Whole-phrase hits first; if there is none, lines that hold the most words of the query."""
    found = _phrase_hits(texts, query.strip()) or _word_hits(texts, query)
    if not found:
        return say(locale, "context.no_hits", ref=str(reference), query=query)
    kept: list[str] = []
    used = 0
    for hit in found:
        if kept and used + len(hit) > page:
            kept.append(say(locale, "context.more_hits", left=len(found) - len(kept)))
            break
        kept.append(hit[:page])
        used += len(hit)
    return "\n".join(kept)


def _phrase_hits(texts: Iterable[str], phrase: str) -> list[str]:
    pattern = re.compile(re.escape(phrase), re.IGNORECASE)
    hits = []
    for text in texts:
        header, _, body = text.partition("\n")
        end = -1
        for match in pattern.finditer(body):
            if match.start() >= end:
                start, end = max(match.start() - 300, 0), match.end() + 500
                hits.append(f"{header} …{body[start:end]}…")
    return hits


def _word_hits(texts: Iterable[str], query: str) -> list[str]:
    words = {w for w in re.findall(r"\w+", query.casefold()) if len(w) > 1 or not w.isascii()}
    scored: list[tuple[int, int, str]] = []
    for text in texts:
        header, _, body = text.partition("\n")
        for line in body.split("\n"):
            folded = line.casefold()
            if score := sum(word in folded for word in words):
                scored.append((-score, len(scored), f"{header} {line[:800]}"))
    best = min((s for s, _, _ in scored), default=0)
    return [line for score, _, line in sorted(scored) if score == best or score <= -max(1, len(words) // 2)][:40]

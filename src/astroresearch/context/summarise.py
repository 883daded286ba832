"""The paid summary: what is asked of the model, and what is believed of its answer (R3.4, R3.11, R3.12, R3.14)."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from ..locales import say
from .ledger import evidence
from .messages import Message, user
from .references import render_original
from .rules import Rules
from .state import State
from .view import Item, View, groups

VERIFIED = ("bibcode", "arxiv", "doi", "measurement", "url")


class SummaryFailed(Exception):
    """The summary was refused, empty, longer than what it replaces, or could not be had."""


@dataclass(frozen=True, slots=True)
class Summarise:
    """A summary that is wanted: of *messages*, by *instruction*, which comes last: the cached prefix is reused."""

    messages: tuple[Message, ...]
    instruction: str


Asking = Generator[Summarise, str, str]


def summary(
    span: list[Item],
    head: View,
    state: State | None,
    rules: Rules,
    originals: Callable[[int], Message | None],
    focus: str,
) -> Asking:
    """Return the prose that stands for *span*, asked for in as many pieces as the model's window needs."""
    sources = [message for item in span for message in _whole(item, originals)]
    instruction = _instruction(rules, focus)
    before = (user(say(rules.locale, "context.summarise_before", text=state.prose)),) if state and state.prose else ()
    fixed = tuple(item.message for item in head) + before
    room = rules.hard - sum(map(rules.count, fixed)) - 400
    pieces = list(_pieces(sources, max(room, rules.hard // 2), rules))
    texts = []
    for piece in pieces:
        texts.append(_checked((yield Summarise(fixed + piece, instruction)), piece, rules))
    if len(texts) > 1:
        merged = (user(say(rules.locale, "context.summarise_merge", text="\n\n".join(texts))),)
        texts = [_checked((yield Summarise(merged, instruction)), merged, rules)]
    return _verified(_clipped(texts[0], rules.policy.summary_chars), sources, before)


def _instruction(rules: Rules, focus: str) -> str:
    wanted = say(rules.locale, "context.summarise_focus", focus=focus) if focus else ""
    return say(rules.locale, "context.summarise", chars=rules.policy.summary_chars, focus=wanted)


def _whole(item: Item, originals: Callable[[int], Message | None]) -> Iterator[Message]:
    """What was cleared or cut is read whole again: every token that leaves the view reaches the summariser."""
    original = originals(item.first) if item.kind in ("cleared", "cut") else None
    yield original if original is not None else item.message


def _pieces(sources: list[Message], room: int, rules: Rules) -> Iterator[tuple[Message, ...]]:
    """Split into runs of whole groups of at most *room* tokens; a larger group is read as plain text, in parts."""
    items = tuple(Item(m, i, i, rules.count(m)) for i, m in enumerate(sources))
    piece: list[Message] = []
    used = 0
    for begin, end in groups(items):
        size = sum(item.tokens for item in items[begin:end])
        if piece and used + size > room:
            yield tuple(piece)
            piece, used = [], 0
        if size > room:
            yield from _split(items[begin:end], room, size)
            continue
        piece += sources[begin:end]
        used += size
    if piece:
        yield tuple(piece)


def _split(group: View, room: int, size: int) -> Iterator[tuple[Message, ...]]:
    text = "\n".join(render_original(item.first, item.message) for item in group)
    step = max(len(text) * room // size * 3 // 4, 400)
    for at in range(0, len(text), step):
        yield (user(text[at : at + step]),)


def _checked(text: object, piece: tuple[Message, ...], rules: Rules) -> str:
    if not isinstance(text, str) or not text.strip():
        raise SummaryFailed("the summary is empty")
    said = text.strip()
    if rules.count(user(said)) > sum(map(rules.count, piece)):
        raise SummaryFailed("the summary is longer than what it replaces")
    return said


def _clipped(text: str, chars: int) -> str:
    """Cut at the last sentence that ends within *chars*, and show that it was cut."""
    if len(text) <= chars:
        return text
    kept = text[:chars]
    end = max(kept.rfind(mark) for mark in (". ", "。", "! ", "? ", "；", "\n"))
    return (kept[: end + 1] if end > chars // 2 else kept).rstrip() + " […]"


def _verified(text: str, sources: list[Message], before: tuple[Message, ...]) -> str:
    """Name what the summary claims but no original holds, so that nobody cites it."""
    claimed = {found for found, kind in evidence(text) if kind in VERIFIED}
    if not claimed:
        return text
    material = "\n".join(render_original(0, m) for m in (*sources, *before))
    invented = sorted(c for c in claimed if c not in material)
    return text + (f" [? not in the originals: {'; '.join(invented)}]" if invented else "")

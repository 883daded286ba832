"""How a paper is read: its outline, a section, a page of text; cut into pieces that fit one result."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .library.passages import section_place
from .library.sentences import sentences
from .library.words import stems
from .papers import Block, Paper, Reference, Section

PAGE = 3_600  # characters of one result: below the limit at which a result is cut


@dataclass(frozen=True, slots=True)
class Chunk:
    """At most ``PAGE`` characters of text that stand at *place*."""

    place: str
    text: str


def whole(paper: Paper) -> tuple[Chunk, ...]:
    """Return the paper in reading order, without its references."""
    abstract = _cut("abstract", paper.abstract) if paper.abstract else ()
    return (*abstract, *(chunk for section in paper.sections for chunk in _section(section)))


def section(paper: Paper, name: str) -> tuple[Chunk, ...]:
    """Return a section with its subsections, by number, title or words of the title; empty if there is none."""
    wanted = name.strip().removeprefix("§").strip()
    if wanted.lower() in ("abstract", "摘要"):
        return tuple(_cut("abstract", paper.abstract))
    if wanted.lower() in ("references", "bibliography", "参考文献"):
        return tuple(references(paper.references))
    at = _find(paper.sections, wanted)
    if at is None:
        return ()
    last = at + 1
    while last < len(paper.sections) and paper.sections[last].level > paper.sections[at].level:
        last += 1
    return tuple(chunk for found in paper.sections[at:last] for chunk in _section(found))


def page(paper: Paper, number: int) -> tuple[Chunk, ...]:
    """Return page *number* (from 1): printed, where pages are known, else of the text, ``PAGE`` long."""
    if any(block.page for found in paper.sections for block in found.blocks):
        return tuple(
            chunk
            for found in paper.sections
            for block in found.blocks
            if block.page == number
            for chunk in _cut(f"p. {number}, {section_place(found)}", shown(block))
        )
    pages = list(pages_of(whole(paper)))
    return pages[number - 1] if 0 < number <= len(pages) else ()


def pages_of(chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, ...]]:
    """Fill pages of at most ``PAGE`` characters, chunks whole."""
    filled: list[Chunk] = []
    size = 0
    for chunk in chunks:
        if filled and size + len(chunk.text) > PAGE:
            yield tuple(filled)
            filled, size = [], 0
        filled.append(chunk)
        size += len(chunk.text)
    if filled:
        yield tuple(filled)


def first_page(chunks: tuple[Chunk, ...], offset: int) -> tuple[tuple[Chunk, ...], int | None]:
    """Return the page that begins with chunk *offset*, and the offset of the next one, ``None`` at the end."""
    shown_now = next(pages_of(chunks[offset:]), ())
    following = offset + len(shown_now)
    return shown_now, following if following < len(chunks) else None


def render(chunks: Iterable[Chunk]) -> str:
    """Return the chunks as blocks ``## place``, one heading for neighbours of the same place."""
    lines: list[str] = []
    place = None
    for chunk in chunks:
        if chunk.place != place:
            lines.append(f"## {chunk.place}")
        place = chunk.place
        lines.append(chunk.text + "\n")
    return "\n".join(lines).rstrip("\n")


def shown(block: Block) -> str:
    """Return a block as Markdown; a numbered equation says its number."""
    if block.kind == "equation":
        return f"$$\n{block.text}\n$$" + (f" (eq. {block.number})" if block.number else "")
    if block.kind == "code":
        return f"```\n{block.text}\n```"
    return f"[^] {block.text}" if block.kind == "note" else block.text


def references(found: Iterable[Reference]) -> Iterator[Chunk]:
    """Yield the bibliography, an entry a line."""
    for reference in found:
        names = " ".join(filter(None, (reference.bibcode, reference.arxiv, reference.doi)))
        yield Chunk("references", f"- {reference.key}: {reference.text or '?'}" + (f" [{names}]" if names else ""))


def _section(found: Section) -> Iterator[Chunk]:
    place = section_place(found)
    if not found.blocks:
        yield Chunk(place, "")
    for block in found.blocks:
        yield from _cut(place, shown(block))


def _cut(place: str, text: str) -> Iterator[Chunk]:
    """Cut between lines of a table, else between sentences, and a sentence without end by force."""
    if len(text) <= PAGE:
        yield Chunk(place, text)
        return
    table = text.startswith("|")
    part = ""
    for piece in _short(text.splitlines() if table else sentences(text)):
        joined = f"{part}{chr(10) if table else ' '}{piece}" if part else piece
        if part and len(joined) > PAGE:
            yield Chunk(place, part)
            joined = piece
        part = joined
    yield Chunk(place, part)


def _short(pieces: list[str]) -> Iterator[str]:
    for piece in pieces:
        yield from (piece[at : at + PAGE] for at in range(0, len(piece), PAGE))


def _find(found: tuple[Section, ...], wanted: str) -> int | None:
    numbered = re.match(r"([A-Z]|\d+)(\.\d+)*(?=$|[\s.:])", wanted)
    number, lower = numbered[0] if numbered else "", wanted.lower()
    tests: tuple[Callable[[Section], bool], ...] = (
        lambda s: bool(number) and s.number == number,
        lambda s: s.title.lower() == lower or section_place(s).lower() == "§" + lower,
        lambda s: bool(lower) and lower in s.title.lower(),
        lambda s: bool(stems(wanted)) and stems(wanted) <= stems(s.title),
    )
    return next((i for test in tests for i, s in enumerate(found) if test(s)), None)

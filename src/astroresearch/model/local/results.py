"""Reads the texts of ``search_library``, ``read_paper`` and ``recall_context`` back into values that can be quoted."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .sentences import sentences

_ROW = re.compile(
    r"^\[\d+\] (?P<key>\S+) · (?P<author>.*?) · (?P<year>\S+) · (?P<title>.*) · match (?P<match>[\d.]+)\s*$"
)
_FOUND = re.compile(r"^ {4}(?P<place>(?:(?!: ).)*): (?P<text>.*)$")
_TITLE = re.compile(r"^# (?P<key>\S+) · (?P<title>.*)$")
_PLACE = re.compile(r"^## (?P<place>.+)$")
_CONTINUES = re.compile(r"^\(continues: offset=(\d+)\)$")
_CUT = re.compile(r"^\[… .* …\]$")
_ROWS = re.compile(r"\|; \|")  # a found table comes on one line
_LEFT_OUT = re.compile(r" … |(?<=[.!?]) …$|^… ")  # between sentences that do not follow each other
_EMPTY = re.compile(r"^\s*0 (?:results|条结果)")
CLEARED = re.compile(
    r"^\[Previous: used (?P<tool>\w+)\](?P<subject>.*?)(?: · [\d.]+k? tokens)? · recall (?P<ref>m\d+)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Row:
    """One paper that a search found; *match* is 0..1: how much of the query it covers."""

    key: str
    author: str
    year: str
    title: str
    match: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, table row or equation of a paper. *around*: the sentences beside it; *before*: the one in front of
    it, or a table's head. *noted*: it was chosen for this question before, with its paper in sight."""

    key: str
    place: str
    text: str
    title: str = ""
    around: str = ""
    before: str = ""
    author: str = ""
    noted: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """All that one result holds."""

    rows: tuple[Row, ...] = ()
    passages: tuple[Passage, ...] = ()


def read_result(text: str) -> Found:
    """Read a result of the library's tools, also as ``recall_context`` gives it back; empty if it is none."""
    if _EMPTY.match(text):
        return Found()
    lines = text.split("\n")
    return Found(tuple(_rows(lines)), (*_found_by_search(lines), *_read_blocks(lines)))


def is_empty(text: str) -> bool:
    """Return whether *text* is the library's own word for: nothing found."""
    return bool(_EMPTY.match(text))


def _rows(lines: list[str]) -> Iterator[Row]:
    for line in lines:
        if match := _ROW.match(line):
            yield Row(match["key"], match["author"], match["year"], match["title"], float(match["match"]))


def _found_by_search(lines: list[str]) -> Iterator[Passage]:
    row: re.Match[str] | None = None
    for line in lines:
        if match := _ROW.match(line):
            row = match
        elif _CUT.match(line):
            row = None  # what follows belongs to a row that was cut away
        elif row and (hit := _FOUND.match(line)):
            cut = _cut_up(row["key"], row["title"], hit["place"], hit["text"])
            yield from (replace(passage, author=row["author"]) for passage in cut)


def _read_blocks(lines: list[str]) -> Iterator[Passage]:
    key = title = place = ""
    block: list[str] = []
    for line in [*lines, "## end"]:
        heading, opening = _PLACE.match(line), _TITLE.match(line)
        if heading or opening or _CUT.match(line):
            if key and block:
                yield from _cut_up(key, title, place, "\n".join(block))
            block = []
        if opening:
            key, title, place = opening["key"], opening["title"], ""
        elif heading:
            place = heading["place"]
        elif not _CONTINUES.match(line) and not _CUT.match(line):
            block.append(line)


def _cut_up(key: str, title: str, place: str, text: str) -> Iterator[Passage]:
    """Yield the sentences of a block; a table's rows each come with its head, an equation with what introduces it."""
    if place in ("outline", "references"):
        return
    parts = _parts(text)
    head = next((part for part in parts if part.startswith("|")), "")
    for i, part in enumerate(parts):
        before = parts[i - 1] if i else ""
        after = parts[i + 1] if i + 1 < len(parts) else ""
        if part.startswith("|"):
            if part is not head and not set(part) <= set("|-: "):
                yield Passage(key, place, part, title, before=head)
            continue
        yield Passage(key, place, part, title, f"{before} {after}", before)


def _parts(text: str) -> list[str]:
    found: list[str] = []
    text = _ROWS.sub("|\n|", text)
    for part in (sentence for piece in _LEFT_OUT.split(text) for sentence in sentences(piece)):
        if part.startswith("$$") and found and not found[-1].startswith("|") and len(found[-1]) < 400:
            found[-1] += " " + part
        else:
            found.append(part)
    return found

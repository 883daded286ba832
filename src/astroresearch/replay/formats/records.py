"""From bytes to JSON records: whole documents, JSONL, and what is left of either after a crash."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .base import Notes, Record

_BAD = (ValueError, RecursionError)  # JSONDecodeError and UnicodeDecodeError are ValueErrors
_SURROGATE = re.compile("[\ud800-\udfff]")
_MESSAGES = re.compile(r'"messages"\s*:\s*\[')


@dataclass(frozen=True, slots=True)
class Content:
    """*document*: the file is one JSON value. *records*: that value, or one a line."""

    document: bool
    records: list[Record]


def decode(data: bytes, notes: Notes) -> Content:
    """Return the JSON in *data*; what cannot be read is skipped with a warning; no record at all: an empty list."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    whole = _load(data)
    if whole is not _NOTHING:
        return Content(True, [Record(notes.place("line", 1), _mended(whole, notes.place("line", 1), notes))])
    trial = Notes(notes.locale)
    records = list(_lines(data, trial))
    if records:
        notes.said.extend(trial.said)
        return Content(False, records)
    return Content(True, _salvaged(data, notes))


class _Nothing:
    """Marks what could not be read: JSON null is a value."""


_NOTHING = _Nothing()


def _load(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8"))
    except _BAD:
        return _NOTHING


def _lines(data: bytes, notes: Notes) -> Iterator[Record]:
    lines = data.split(b"\n")
    last = max((n for n, line in enumerate(lines) if line.strip()), default=0)
    shapes: set[frozenset[str]] = set()
    for n, raw in enumerate(lines):
        if not raw.strip():
            continue
        where = notes.place("line", n + 1)
        value = _read_line(raw, where, n == last and not data.endswith(b"\n"), shapes, notes)
        if isinstance(value, dict):
            shapes.add(_shape(value))
            yield Record(where, _mended(value, where, notes))
        elif value is not _NOTHING:
            notes.add("bad_record", where=where, why=type(value).__name__)


def _read_line(raw: bytes, where: str, torn: bool, shapes: set[frozenset[str]], notes: Notes) -> Any:
    """Return the record of a line; a record that was appended to a torn one is cut free."""
    cleared = raw.replace(b"\0", b"")
    if len(cleared) != len(raw):
        notes.add("nul", where=where, count=len(raw) - len(cleared))
        if not cleared.strip():
            return _NOTHING
    value = _load(cleared)
    if value is not _NOTHING:
        return value
    value = _appended(cleared, shapes)
    if value is not _NOTHING:
        notes.add("fused", where=where)
    else:
        notes.add("torn" if torn else "unreadable", where=where)
    return value


def _shape(value: Any) -> frozenset[str]:
    """What tells the records of a file from the objects nested in them; ``type`` alone tells nothing."""
    return frozenset(k for k in ("type", "role", "messages", "message", "uuid", "sessionId") if k in value)


def _appended(raw: bytes, shapes: set[frozenset[str]]) -> Any:
    """Return the whole record at the end of a line that begins with a torn one."""
    start = raw.find(b'{"', 1)
    for _ in range(200):
        if start < 0:
            break
        value = _load(raw[start:])
        if isinstance(value, dict) and len(_shape(value) - {"type"}) and _shape(value) in shapes:
            return value
        start = raw.find(b'{"', start + 1)
    return _NOTHING


def _salvaged(data: bytes, notes: Notes) -> list[Record]:
    """Return the whole messages of a JSON document that was cut."""
    text = data.decode("utf-8", "replace")
    begin = _MESSAGES.search(text)
    at = begin.end() if begin else len(text) - len(text.lstrip()) + 1
    if not begin and not text.lstrip().startswith("["):
        return []
    found = list(_items(text, at))
    if not found:
        return []
    notes.add("cut_document", count=len(found), line=text.count("\n") + 1)
    return [Record(notes.place("line", 1), _mended({"messages": found}, notes.place("line", 1), notes))]


def _items(text: str, at: int) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (*_BAD, IndexError):
            return
        yield value


def _mended(value: Any, where: str, notes: Notes) -> Any:
    """Replace halves of surrogate pairs: they can be neither stored nor sent."""
    mended = _without_halves(value)
    if mended is not value:
        notes.add("surrogate", where=where)
    return mended


def _without_halves(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value) if _SURROGATE.search(value) else value
    if isinstance(value, list):
        items = [_without_halves(v) for v in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if isinstance(value, dict):
        pairs = {_without_halves(k): _without_halves(v) for k, v in value.items()}
        return value if all(value.get(k, _NOTHING) is v for k, v in pairs.items()) else pairs
    return value

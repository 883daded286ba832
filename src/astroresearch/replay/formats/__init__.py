"""Transcripts of this and of other programs; the format is decided by what is in the file, never by its name."""

from collections.abc import Sequence
from pathlib import Path

from ...locales import Locale, say
from . import claude_code, conversation, trajectory
from .base import Draft, NotATranscript, Notes, Record, Transcript
from .records import Content, decode

__all__ = ["NotATranscript", "Transcript", "read_bytes", "read_transcripts"]


def read_transcripts(path: Path, locale: Locale = "en") -> list[Transcript]:
    """Return the conversations of a file (JSONL of whole documents has several); ``NotATranscript`` if it has none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotATranscript(say(locale, "replay.unreadable_file", name=str(path), why=error.strerror)) from None
    return read_bytes(data, str(path), locale)


def read_bytes(data: bytes, name: str, locale: Locale = "en") -> list[Transcript]:
    """As ``read_transcripts``, of bytes that are already there; *name* is what warnings and results call them."""
    if not data.strip(b" \t\r\n\0"):
        raise NotATranscript(say(locale, "replay.empty_file", name=name))
    notes = Notes(locale)
    content = decode(data, notes)
    documents = _documents(content)
    if documents:
        return _several(documents, content, name, notes)
    draft = _stream(_spread(content, notes), notes)
    if not draft.messages:
        raise NotATranscript(say(locale, "replay.no_transcript", name=name))
    return [draft.finish(name, notes)]


def _documents(content: Content) -> list[Record]:
    return [r for r in content.records if isinstance(r.value, dict) and isinstance(r.value.get("messages"), list)]


def _several(documents: list[Record], content: Content, name: str, notes: Notes) -> list[Transcript]:
    for record in content.records:
        if record not in documents:
            notes.add("bad_record", where=record.where, why="no messages")
    made = []
    for n, record in enumerate(documents):
        own = Notes(notes.locale, list(notes.said) if n == 0 else [])
        draft = conversation.read_document(record.value, own)
        if draft.messages:
            made.append(draft.finish(name if len(documents) == 1 else f"{name}#{n + 1}", own))
    if not made:
        raise NotATranscript(say(notes.locale, "replay.no_transcript", name=name))
    return made


def _spread(content: Content, notes: Notes) -> list[Record]:
    """The records of a stream: the lines, or the items of the one list that the document is."""
    if content.document and content.records and isinstance(content.records[0].value, list):
        items = content.records[0].value
        return [Record(notes.place("message", i), item) for i, item in enumerate(items)]
    return content.records


def _stream(records: Sequence[Record], notes: Notes) -> Draft:
    dicts = [r for r in records if isinstance(r.value, dict)]
    if any(claude_code.is_session(r.value) for r in dicts):
        return claude_code.read(dicts, notes)
    if any(trajectory.is_trajectory(r.value) for r in dicts):
        return trajectory.read(dicts, notes)
    if any("role" in r.value for r in dicts):
        return conversation.read(records, notes)
    return Draft()

"""``{"messages": [...]}`` and lists of messages, OpenAI's and Anthropic's shapes mixed as they may be."""

from collections.abc import Mapping, Sequence

from . import anthropic, chat
from .base import Draft, JsonObject, Notes, Record, prompt_tokens


def read_document(document: JsonObject, notes: Notes) -> Draft:
    """Return the conversation of one document with ``messages`` and perhaps ``system``, ``tools`` and ``usage``."""
    draft = Draft(tools=_tools(document.get("tools"), notes))
    if system := anthropic.system_text(document.get("system")):
        draft.add({"role": "system", "content": system})
    reported = _reported(document.get("usage"))
    records = [Record(notes.place("message", i), m) for i, m in enumerate(document["messages"])]
    for i, record in enumerate(records):
        _add(draft, record, reported.get(i), notes)
    return draft


def read(records: Sequence[Record], notes: Notes) -> Draft:
    """Return the conversation of a stream of messages."""
    draft = Draft()
    for record in records:
        _add(draft, record, None, notes)
    return draft


def _tools(tools: object, notes: Notes) -> list[JsonObject]:
    if not isinstance(tools, list):
        return []
    known = [s for s in map(chat.schema, tools) if s]
    if len(known) < len(tools):
        notes.add("bad_tools", count=len(tools) - len(known))
    return known


def _reported(usage: object) -> dict[int, int | None]:
    """Usage that stands beside the messages, each entry with the index ``i`` of its assistant message."""
    if not isinstance(usage, list):
        return {}
    return {u["i"]: prompt_tokens(u) for u in usage if isinstance(u, Mapping) and isinstance(u.get("i"), int)}


def _add(draft: Draft, record: Record, reported: int | None, notes: Notes) -> None:
    raw = record.value
    try:
        if not isinstance(raw, dict):
            raise chat.BadMessage(type(raw).__name__)
        messages = anthropic.convert(raw) if anthropic.is_anthropic(raw) else [chat.clean(raw)]
    except chat.BadMessage as problem:
        notes.add("bad_record", where=record.where, why=str(problem))
        return
    for message in messages:
        draft.add(message, reported or prompt_tokens(raw.get("usage")))

"""Our own trajectory (docs/trajectory.md): session, message, compaction and event records, one a line."""

from collections.abc import Sequence

from . import chat
from .base import Draft, JsonObject, Notes, Record, prompt_tokens

LEAD = "lead"
_KINDS = {"session", "message", "compaction", "event"}


def is_trajectory(record: JsonObject) -> bool:
    """Whether *record* is one of ours that says so by its shape."""
    if record.get("type") == "message":
        return isinstance(record.get("message"), dict) and "role" not in record
    return record.get("type") == "session" and "session_id" in record


def read(records: Sequence[Record], notes: Notes) -> Draft:
    """Return the lead agent's conversation in the order of *position*; the first agent's where there is no lead."""
    draft = Draft()
    messages = [r for r in records if _is_message(r, draft, notes)]
    agents = [str(r.value.get("agent") or LEAD) for r in messages]
    chosen = LEAD if LEAD in agents or not agents else agents[0]
    if others := len(agents) - agents.count(chosen):
        notes.add("other_agents", count=others, agent=chosen)
    ours = [r for r, agent in zip(messages, agents, strict=True) if agent == chosen]
    for record in sorted(ours, key=_position):
        _add(draft, record, notes)
    return draft


def _position(record: Record) -> float:
    position = record.value.get("position")
    return position if isinstance(position, int | float) else float("inf")


def _is_message(record: Record, draft: Draft, notes: Notes) -> bool:
    value = record.value
    if value.get("type") == "session":
        tools = value.get("tools")
        draft.tools = [s for s in map(chat.schema, tools) if s] if isinstance(tools, list) else []
    elif value.get("type") == "message" and isinstance(value.get("message"), dict):
        return True
    elif str(value.get("type")) not in _KINDS - {"message"}:
        notes.add("bad_record", where=record.where, why=f"type {value.get('type')!r}"[:80])
    return False


def _add(draft: Draft, record: Record, notes: Notes) -> None:
    try:
        message = chat.clean(record.value["message"])
    except chat.BadMessage as problem:
        notes.add("bad_record", where=record.where, why=str(problem))
    else:
        draft.add(message, prompt_tokens(record.value.get("usage")))

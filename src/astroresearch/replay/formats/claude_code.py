"""Session files of Claude Code: one JSONL record per content block, with sidechains, titles and client-side notes."""

from collections import Counter
from collections.abc import Sequence

from . import anthropic, chat
from .base import Draft, JsonObject, Notes, Record, prompt_tokens

_TALK = {"user", "assistant"}


def is_session(record: JsonObject) -> bool:
    """Whether *record* is a spoken record of such a file."""
    message = record.get("message")
    return str(record.get("type")) in _TALK and isinstance(message, dict) and "role" in message


def read(records: Sequence[Record], notes: Notes) -> Draft:
    """Return the main conversation, or the sub-agent's in a file that has no other; repeated records count once."""
    spoken = [r for r in records if _is_spoken(r, notes)]
    main = [r for r in spoken if not r.value.get("isSidechain")]
    if main and len(main) < len(spoken):
        notes.add("sidechains", count=len(spoken) - len(main))
    draft = Draft()
    for record in _merged(_once(main or spoken)):
        _add(draft, record, notes)
    return draft


def _is_spoken(record: Record, notes: Notes) -> bool:
    value = record.value
    if str(value.get("type")) not in _TALK:
        if not isinstance(value.get("type"), str):
            notes.add("bad_record", where=record.where, why="type")
        return False
    if not is_session(value):
        notes.add("bad_record", where=record.where, why="message")
        return False
    if value.get("isApiErrorMessage") or value["message"].get("model") == "<synthetic>":
        notes.add("client_error", where=record.where)
        return False
    return True


def _once(records: Sequence[Record]) -> list[Record]:
    seen: Counter[str] = Counter()
    kept = []
    for record in records:
        uuid = record.value.get("uuid")
        seen[str(uuid)] += isinstance(uuid, str)
        if seen[str(uuid)] < 2:
            kept.append(record)
    return kept


def _merged(records: Sequence[Record]) -> list[Record]:
    """Join the blocks of one reply, which the client writes as records of their own, results between them or not."""
    made: list[Record] = []
    replies: dict[str, JsonObject] = {}
    for record in records:
        message: JsonObject = dict(record.value["message"])
        ident = message.get("id") if record.value["type"] == "assistant" else None
        first = replies.get(ident) if isinstance(ident, str) else None
        if first is None:
            message["content"] = _blocks(message.get("content"))
            made.append(Record(record.where, message))
            if isinstance(ident, str):
                replies[ident] = message
        else:
            first["content"] = [*first["content"], *_blocks(message.get("content"))]
            first["usage"] = message.get("usage") or first.get("usage")
    return made


def _blocks(content: object) -> list[object]:
    if isinstance(content, list):
        return content
    return [] if content is None else [{"type": "text", "text": str(content)}]


def _add(draft: Draft, record: Record, notes: Notes) -> None:
    try:
        messages = anthropic.convert(record.value)
    except chat.BadMessage as problem:
        notes.add("bad_record", where=record.where, why=str(problem))
        return
    for message in messages:
        draft.add(message, prompt_tokens(record.value.get("usage")))

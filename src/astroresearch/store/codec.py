"""Messages as JSON text and back, with nothing lost: signatures byte for byte, fields of a provider unchanged.

Two kinds of text go into a database. JSON (``raw_json``, events, compactions, metadata) is the truth. It has an escape
for NUL and for halves of surrogate pairs, so they survive where PostgreSQL refuses the characters themselves; only two
halves side by side come back as the one character that they are. Plain columns (``content``, a title, a preview) are
for people and for search: there NUL is shown as U+2400 and a half as U+FFFD, see ``plain``.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast, get_args

from ..context.messages import Media, Message, Origin, Part, Role, Status, Text, Thinking, ToolCall, ToolResult
from ..locales import Locale, say
from .rows import BadRecord

RESULT_CHARS = 2_000_000  # of a tool result; what is longer is cut, and the text says so
ROLES, ORIGINS, STATUSES = (frozenset(get_args(kind)) for kind in (Role, Origin, Status))
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _as_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is not JSON")


_PARSER = json.JSONDecoder()
_READABLE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_as_dict)
_ESCAPED = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=_as_dict)


def to_json(value: object, what: str = "value") -> str:
    """Return *value* as JSON that every database takes; ``BadRecord`` if it is not JSON-able."""
    try:
        text = _READABLE.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRecord(what, str(error)) from error
    try:
        text.encode()
    except UnicodeEncodeError:
        return _ESCAPED.encode(value)
    return text


def plain(text: str) -> str:
    """Return *text* for a plain column: NUL and halves of surrogate pairs as signs that can be seen."""
    if UNSTORABLE.search(text) is None:
        return text
    return UNSTORABLE.sub(lambda found: "␀" if found[0] == "\0" else "�", text)


def bounded(message: Message, locale: Locale) -> Message:
    """Return *message* with a result of at most ``RESULT_CHARS`` characters, which says so if it was cut."""
    result = message.result
    if result is None or len(result.text) <= RESULT_CHARS:
        return message
    note = say(locale, "store.cut", kept=RESULT_CHARS, total=len(result.text))
    cut = replace(result, text=result.text[:RESULT_CHARS] + note)
    return replace(message, parts=(cut, *message.parts[1:]))


def encode(message: Message) -> str:
    """Return the whole message as one JSON text; ``BadRecord`` if a provider's field is not JSON-able."""
    record: dict[str, object] = {"role": message.role, "origin": message.origin}
    record["parts"] = [_part_record(part) for part in message.parts]
    if message.extra:
        record["extra"] = message.extra
    return to_json(record, "message")


def _part_record(part: Part) -> dict[str, object]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Thinking(text, signature, extra):
            return {"type": "thinking", "text": text, "signature": signature, "extra": extra}
        case Media(kind, raw):
            return {"type": "media", "kind": kind, "part": raw}
        case ToolCall(call_id, name, arguments):
            return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}
        case ToolResult(call_id, text, name, status):
            return {"type": "tool_result", "call_id": call_id, "text": text, "name": name, "status": status}


def decode(raw: str) -> Message:
    """Return the message that ``encode`` wrote; ``BadRecord`` for any other text."""
    try:
        record, end = _PARSER.raw_decode(raw)  # json.loads without its looks at blanks and byte order marks
        if end != len(raw):
            raise ValueError(f"more text after {end} characters")
        parts = tuple([_READ[part["type"]](part) for part in record["parts"]])
        role, origin = _one_of(ROLES, record["role"]), _one_of(ORIGINS, record["origin"])
        return Message(cast(Role, role), parts, cast(Origin, origin), _mapping(record.get("extra", {})))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadRecord("message", f"{type(error).__name__}: {error}") from error


def mapping_from(raw: str, what: str) -> dict[str, Any]:
    """Return the JSON object *raw*; ``BadRecord`` for any other text."""
    try:
        return _mapping(json.loads(raw))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRecord(what, str(error)) from error


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a {type(value).__name__} where a text belongs")
    return value


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"a {type(value).__name__} where an object belongs")
    return value


def _one_of(known: frozenset[str], value: object) -> str:
    if value not in known:
        raise ValueError(f"unknown {value!r}")
    return value


_READ: Mapping[str, Callable[[dict[str, Any]], Part]] = {
    "text": lambda p: Text(_string(p["text"])),
    "thinking": lambda p: Thinking(_string(p["text"]), _string(p["signature"]), _mapping(p["extra"])),
    "media": lambda p: Media(_string(p["kind"]), _mapping(p["part"])),
    "tool_call": lambda p: ToolCall(_string(p["id"]), _string(p["name"]), _string(p["arguments"])),
    "tool_result": lambda p: ToolResult(
        _string(p["call_id"]), _string(p["text"]), _string(p["name"]), cast(Status, _one_of(STATUSES, p["status"]))
    ),
}

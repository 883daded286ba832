"""Plain OpenAI-style dicts in and out. Whatever we don't know is carried unchanged in ``Message.extra``."""

import json
from collections.abc import Mapping
from typing import Any, cast

from .messages import NOTHING, Media, Message, Origin, Part, Role, Text, Thinking, ToolCall, ToolResult

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_ORIGINS: dict[str, Origin] = {"system": "system", "user": "human", "assistant": "model", "tool": "tool"}
_KNOWN = frozenset({"role", "content", "tool_calls", "tool_call_id", "name", "reasoning_content"})


class InvalidTranscript(ValueError):
    """A message that no chat API would take; *index* is its place in the transcript."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"messages[{index}]: {reason}")
        self.index, self.reason = index, reason


def parse(raw: Mapping[str, Any], index: int) -> Message:
    """Return the message that *raw* describes; raise ``InvalidTranscript`` naming *index* if it describes none."""
    if not isinstance(raw, Mapping):
        raise InvalidTranscript(index, f"a message must be a dict, not {type(raw).__name__}")
    role = _ROLES.get(given) if isinstance(given := raw.get("role"), str) else None
    if role is None:
        raise InvalidTranscript(index, f"unknown role {given!r}; known are system, developer, user, assistant, tool")
    extra = NOTHING if raw.keys() <= _KNOWN else {k: v for k, v in raw.items() if k not in _KNOWN}
    if given == "developer":
        extra = {**extra, "role": "developer"}
    content = raw.get("content")
    if role == "tool":
        parts = _result(raw, content, index)
    elif type(content) is str:
        parts = (Text(content),) if content else ()
    else:
        parts = tuple(_content(content, index))
    if role == "assistant":
        parts = _reasoning(raw) + parts + _calls(raw.get("tool_calls"), index)
    elif raw.get("name") is not None:
        extra = {**extra, "name": raw["name"]}
    return Message(cast(Role, role), parts, _ORIGINS[role], extra)


def _result(raw: Mapping[str, Any], content: object, index: int) -> tuple[Part, ...]:
    call_id, name = raw.get("tool_call_id"), raw.get("name")
    call_id = call_id if isinstance(call_id, str) else ""
    name = name if isinstance(name, str) else ""
    if type(content) is str:
        return (ToolResult(call_id, content, name),)
    inner = list(_content(content, index))
    text = "\n".join(p.text for p in inner if isinstance(p, Text))
    return (ToolResult(call_id, text, name), *(p for p in inner if not isinstance(p, Text)))


def _content(content: object, index: int) -> list[Part]:
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Text(content)]
    if not isinstance(content, list | tuple):
        raise InvalidTranscript(index, f"content must be text, null or a list, not {type(content).__name__}")
    return [_content_part(part, index) for part in content]


def _content_part(part: object, index: int) -> Part:
    if isinstance(part, str):
        return Text(part)
    if not isinstance(part, Mapping):
        raise InvalidTranscript(index, f"a content part must be a dict, not {type(part).__name__}")
    kind = str(part.get("type", "text" if "text" in part else "unknown"))
    if kind == "text" and isinstance(part.get("text"), str):
        return Text(part["text"])
    if kind in ("thinking", "redacted_thinking", "reasoning"):
        text = part.get("thinking") or part.get("text") or ""
        return Thinking(str(text), str(part.get("signature") or ""), {"part": part})
    return Media(kind, part)


def _reasoning(raw: Mapping[str, Any]) -> tuple[Part, ...]:
    text = raw.get("reasoning_content")
    return (Thinking(text, "", {"field": "reasoning_content"}),) if isinstance(text, str) and text else ()


def _calls(calls: object, index: int) -> tuple[ToolCall, ...]:
    if not calls:
        return ()
    if not isinstance(calls, list | tuple):
        raise InvalidTranscript(index, f"tool_calls must be a list, not {type(calls).__name__}")
    return tuple(_call(call, index, k) for k, call in enumerate(calls))


def _call(call: object, index: int, k: int) -> ToolCall:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise InvalidTranscript(index, f"tool_calls[{k}] has no function name")
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        try:
            arguments = "{}" if arguments is None else json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise InvalidTranscript(index, f"tool_calls[{k}] arguments can't be written as JSON: {error}") from None
    call_id = call.get("id")
    return ToolCall(call_id if isinstance(call_id, str) else "", function["name"], arguments)


def to_dict(message: Message) -> dict[str, Any]:
    """Return *message* as an OpenAI-style dict."""
    raw: dict[str, Any] = {"role": message.role}
    if message.role == "tool":
        raw |= _result_dict(message)
    else:
        raw["content"] = _content_dict(message)
        if calls := message.calls:
            raw["tool_calls"] = [_call_dict(call) for call in calls]
        for part in message.parts:
            if isinstance(part, Thinking) and "part" not in part.extra:
                raw["reasoning_content"] = part.text
    return raw | dict(message.extra)


def _call_dict(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _result_dict(message: Message) -> dict[str, Any]:
    result = message.result or ToolResult("", "")
    media = [dict(p.part) for p in message.parts if isinstance(p, Media)]
    content: Any = [{"type": "text", "text": result.text}, *media] if media else result.text
    named = {"name": result.name} if result.name else {}
    return {"tool_call_id": result.call_id, **named, "content": content}


def _content_dict(message: Message) -> Any:
    parts = [p for p in message.parts if isinstance(p, Text | Media) or (isinstance(p, Thinking) and "part" in p.extra)]
    if not parts:
        return None if message.calls else ""
    if len(parts) == 1 and isinstance(parts[0], Text):
        return parts[0].text
    return [_part_dict(p) for p in parts]


def _part_dict(part: Part) -> dict[str, Any]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Thinking(extra=extra):
            return dict(cast(Mapping[str, Any], extra["part"]))
        case Media(part=inner):
            return dict(inner)
    raise TypeError(f"not a content part: {type(part).__name__}")

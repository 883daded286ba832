"""OpenAI chat messages as they are found in the wild, made uniform; nothing is invented."""

import json
from typing import Any

from .base import JsonObject

ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
ROLES |= {"model": "assistant", "tool": "tool", "function": "tool"}


class BadMessage(ValueError):
    """A message that has no meaning as chat; the text says why."""


def clean(message: JsonObject) -> JsonObject:
    """Return the message without annotations and empty fields; ``BadMessage`` if it makes no sense."""
    role = ROLES.get(str(message.get("role")))
    if role is None:
        raise BadMessage(f"role {message.get('role')!r}"[:80])
    kept = {k: v for k, v in message.items() if _carried(k, v)}
    fresh: JsonObject = {"role": role, "content": _content(message.get("content")), **kept}
    if calls := calls_of(message):
        fresh["tool_calls"] = calls
    if message.get("role") == "function":
        fresh.setdefault("tool_call_id", f"function_{message.get('name', '')}")
    return fresh


_OWN_CARE = {"role", "content", "tool_calls", "function_call", "usage"}


def _carried(key: str, value: object) -> bool:
    return not key.startswith("_") and value is not None and key not in _OWN_CARE


def _content(content: Any) -> str | list[JsonObject] | None:
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadMessage(f"content is {type(content).__name__}")
    return [_part(p) for p in content]


def _part(part: Any) -> JsonObject:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, dict):
        return {k: v for k, v in part.items() if not k.startswith("_")}
    raise BadMessage(f"content part is {type(part).__name__}")


def calls_of(message: JsonObject) -> list[JsonObject]:
    """Return the tool calls; the older ``function_call`` becomes one, paired with its result by name."""
    legacy = message.get("function_call")
    calls = message.get("tool_calls")
    if not calls and isinstance(legacy, dict):
        name = str(legacy.get("name", ""))
        return [call(f"function_{name}", name, legacy.get("arguments"))]
    if calls is not None and not isinstance(calls, list):
        raise BadMessage(f"tool_calls is {type(calls).__name__}")
    return [_call(c) for c in calls or []]


def _call(raw: Any) -> JsonObject:
    function = raw.get("function", raw) if isinstance(raw, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise BadMessage("a tool call without a function name")
    arguments = function.get("arguments", function.get("args"))
    return call(str(raw.get("id") or ""), function["name"], arguments)


def call(ident: str, name: str, arguments: Any) -> JsonObject:
    """Return an OpenAI-style call; *arguments* stay as they are if they are text, else they become JSON text."""
    if arguments is None:
        arguments = {}
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": text}}


def schema(tool: Any) -> JsonObject | None:
    """Return an OpenAI-style function schema from OpenAI's or Anthropic's; None if it is neither."""
    if not isinstance(tool, dict):
        return None
    if isinstance(tool.get("function"), dict):
        return {"type": "function", "function": tool["function"]}
    if not isinstance(tool.get("name"), str):
        return None
    parameters = tool.get("input_schema") or tool.get("parameters") or {"type": "object", "properties": {}}
    function = {"name": tool["name"], "description": str(tool.get("description", "")), "parameters": parameters}
    return {"type": "function", "function": function}

"""OpenAI-style messages to langchain's and back; for langchain itself and for what is built on it."""

from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from wire import Plain, arguments, call, message

ROLES = {"system": "system", "human": "user", "ai": "assistant", "tool": "tool"}


def native(messages: list[Plain]) -> list[AnyMessage]:
    return [_native(m) for m in messages]


def _native(m: Plain) -> AnyMessage:
    if m["role"] == "assistant":
        calls = [
            {"name": c["function"]["name"], "args": arguments(c), "id": c["id"], "type": "tool_call"}
            for c in m.get("tool_calls", ())
        ]
        return AIMessage(m["content"], tool_calls=calls)
    if m["role"] == "tool":
        return ToolMessage(m["content"], tool_call_id=m["tool_call_id"])
    return SystemMessage(m["content"]) if m["role"] == "system" else HumanMessage(m["content"])


def plain(view: list[Any]) -> list[Plain]:
    return [_plain(m) for m in view]


def _plain(m: Any) -> Plain:
    calls = [call(c["id"], c["name"], c["args"]) for c in getattr(m, "tool_calls", ())]
    return message(ROLES[m.type], str(m.text), calls, getattr(m, "tool_call_id", ""))

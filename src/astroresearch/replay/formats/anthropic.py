"""Anthropic messages as OpenAI-style ones: blocks become text, reasoning, calls, tool messages and image parts."""

import json
from typing import Any

from .base import JsonObject
from .chat import ROLES, BadMessage, call

_BLOCKS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "server_tool_use"}


def is_anthropic(message: JsonObject) -> bool:
    """Whether the message has blocks that only Anthropic's API knows."""
    content = message.get("content")
    kinds = [str(b.get("type")) for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    return any(kind in _BLOCKS or kind.endswith("_tool_result") for kind in kinds)


def convert(message: JsonObject) -> list[JsonObject]:
    """Return the OpenAI-style messages that say the same: results of a user message first, then what the user wrote."""
    role = ROLES.get(str(message.get("role")))
    if role is None:
        raise BadMessage(f"role {message.get('role')!r}"[:80])
    blocks = [b if isinstance(b, dict) else {"type": "text", "text": str(b)} for b in message["content"]]
    results = [_result(b) for b in blocks if _is_result(b)]
    rest = [b for b in blocks if not _is_result(b)]
    if role == "assistant":
        return [_assistant(rest), *results]
    said = parts(rest)
    return [*results, {"role": role, "content": said}] if said or not results else results


def _is_result(block: JsonObject) -> bool:
    return str(block.get("type")).endswith("tool_result")


def _assistant(blocks: list[JsonObject]) -> JsonObject:
    thought = "".join(str(b.get("thinking", "")) for b in blocks if b.get("type") == "thinking")
    calls = [
        call(str(b.get("id", "")), str(b.get("name", "")), b.get("input"))
        for b in blocks
        if b.get("type") in ("tool_use", "server_tool_use")
    ]
    fresh: JsonObject = {"role": "assistant", "content": parts(blocks) or None}
    if thought:
        fresh["reasoning_content"] = thought
    if calls:
        fresh["tool_calls"] = calls
    return fresh


def _result(block: JsonObject) -> JsonObject:
    content = block.get("content")
    said: str | list[JsonObject] = content if isinstance(content, str) else ""
    if isinstance(content, list):
        said = parts([b if isinstance(b, dict) else {"type": "text", "text": str(b)} for b in content])
    elif isinstance(content, dict):
        said = json.dumps(content, ensure_ascii=False)
    return {"role": "tool", "tool_call_id": str(block.get("tool_use_id", "")), "content": said}


def parts(blocks: list[JsonObject]) -> str | list[JsonObject]:
    """Return plain text where all is text, else OpenAI content parts."""
    made = [p for p in map(_part, blocks) if p is not None]
    if all(p["type"] == "text" for p in made):
        return "\n".join(p["text"] for p in made)
    return made


def _part(block: JsonObject) -> JsonObject | None:
    kind = block.get("type")
    if kind in ("thinking", "redacted_thinking", "tool_use", "server_tool_use"):
        return None
    if isinstance(block.get("text"), str):
        return {"type": "text", "text": block["text"]}
    source = block.get("source")
    if kind == "image" and isinstance(source, dict):
        return {"type": "image_url", "image_url": {"url": _url(source)}}
    if kind == "document" and isinstance(source, dict) and source.get("type") == "text":
        return {"type": "text", "text": str(source.get("data", ""))}
    if kind == "document" and isinstance(source, dict):
        return {"type": "file", "file": {"file_data": _url(source)}}
    return {"type": "text", "text": json.dumps(block, ensure_ascii=False)}


def _url(source: JsonObject) -> str:
    if isinstance(source.get("url"), str):
        return str(source["url"])
    return f"data:{source.get('media_type', 'application/octet-stream')};base64,{source.get('data', '')}"


def system_text(system: Any) -> str:
    """Return the text of a request's ``system`` field, a string or a list of text blocks."""
    if isinstance(system, list):
        return "\n".join(str(b.get("text", "")) if isinstance(b, dict) else str(b) for b in system)
    return system if isinstance(system, str) else ""

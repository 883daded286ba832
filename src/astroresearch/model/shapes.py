"""Raw answers as providers send them over the wire, for the server that plays them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..context.messages import Message, Text, Thinking


def openai_events(
    message: Message, *, finish: str = "", usage: Mapping[str, Any] | None = None, piece: int = 7
) -> bytes:
    """Return a chat completion stream: text and arguments in pieces of *piece* characters, usage last, ``[DONE]``."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for part in message.parts:
        if isinstance(part, Thinking):
            deltas += [{"reasoning_content": text} for text in _cut(part.text, piece)]
        elif isinstance(part, Text):
            deltas += [{"content": text} for text in _cut(part.text, piece)]
    for index, call in enumerate(message.calls):
        head = {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        deltas.append({"tool_calls": [head]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": a}}]} for a in _cut(call.arguments, piece)
        ]
    chunks = [_chunk([{"index": 0, "delta": d, "finish_reason": None}]) for d in deltas]
    chunks.append(_chunk([{"index": 0, "delta": {}, "finish_reason": finish or _finish(message)}]))
    if usage is not None:
        chunks.append(_chunk([]) | {"usage": dict(usage)})
    return sse([("", chunk) for chunk in chunks]) + b"data: [DONE]\n\n"


def openai_document(message: Message, *, finish: str = "", usage: Mapping[str, Any] | None = None) -> bytes:
    """Return the same answer as one JSON document, from a server that does not stream."""
    calls = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in message.calls
    ]
    told: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    told |= {"reasoning_content": message.thought} if message.thought else {}
    told |= {"tool_calls": calls} if calls else {}
    choice = {"index": 0, "message": told, "finish_reason": finish or _finish(message)}
    document = _chunk([choice]) | {"object": "chat.completion"} | ({"usage": dict(usage)} if usage else {})
    return json.dumps(document, ensure_ascii=False).encode()


def anthropic_events(
    message: Message, *, stop: str = "", usage: Mapping[str, Any] | None = None, piece: int = 7
) -> bytes:
    """Return a messages stream: a block a part, signatures and arguments in their own deltas, ``message_stop`` last."""
    head: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
    }
    tokens = dict(usage or {"input_tokens": 10, "output_tokens": 5})
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": head | {"stop_sequence": None, "usage": tokens | {"output_tokens": 1}}},
        {"type": "ping"},
    ]
    for index, part in enumerate(message.parts):
        start, deltas = _block(part, piece)
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events += [{"type": "content_block_delta", "index": index, "delta": d} for d in deltas]
        events.append({"type": "content_block_stop", "index": index})
    reason = stop or ("tool_use" if message.calls else "end_turn")
    ending = {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}}
    events += [ending | {"usage": {"output_tokens": tokens["output_tokens"]}}, {"type": "message_stop"}]
    return sse([(event["type"], event) for event in events])


def anthropic_error(kind: str, message: str) -> bytes:
    """Return the event that can come at any time after status 200."""
    return sse([("error", {"type": "error", "error": {"type": kind, "message": message}})])


def sse(events: Iterable[tuple[str, object]]) -> bytes:
    """Return *events* (name, data) as server-sent events; a name of "" is left out."""
    return "".join(
        (f"event: {name}\n" if name else "") + f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
        for name, data in events
    ).encode()


def _chunk(choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}


def _finish(message: Message) -> str:
    return "tool_calls" if message.calls else "stop"


def _cut(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def _block(part: object, piece: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    match part:
        case Text(text):
            return {"type": "text", "text": ""}, [{"type": "text_delta", "text": t} for t in _cut(text, piece)]
        case Thinking(extra=extra) if extra.get("type") == "redacted_thinking":
            return dict(extra), []
        case Thinking(text, signature):
            deltas = [{"type": "thinking_delta", "thinking": t} for t in _cut(text, piece)]
            signed = [{"type": "signature_delta", "signature": signature}] if signature else []
            return {"type": "thinking", "thinking": "", "signature": ""}, deltas + signed
        case _:
            call: Any = part
            deltas = [{"type": "input_json_delta", "partial_json": a} for a in _cut(call.arguments, piece)]
            return {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}, deltas

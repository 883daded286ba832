"""From the events of a messages stream to deltas and one whole reply; everything here belongs to one attempt."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..context.messages import Message, Part, Text, Thinking, ToolCall
from ..locales import say
from .base import Reply, Request, Stop, TextDelta, ThoughtDelta, Usage
from .faults import Cause, ModelFailure, classify_error, noticed
from .usage import estimated_usage

_STOPS: dict[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
    "tool_use": "tool_use",
}
_COUNTS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


@dataclass(slots=True)
class _Block:
    start: Mapping[str, Any]
    text: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    closed: bool = False


class Assembly:
    """Collects one attempt. ``feed`` takes an event or a whole message; ``reply`` gives what is whole, or raises."""

    def __init__(self) -> None:
        self._blocks: dict[int, _Block] = {}
        self._counts: dict[str, int] = {}
        self._stop = ""
        self._ended = False

    def feed(self, event: Mapping[str, Any]) -> Iterator[TextDelta | ThoughtDelta]:
        match event.get("type"):
            case "error":
                raise ModelFailure(classify_error(body=event))
            case "message_start":
                self._count(event.get("message") or {})
            case "content_block_start":
                yield from self._open(int(event.get("index", 0)), event.get("content_block") or {})
            case "content_block_delta":
                yield from self._delta(int(event.get("index", 0)), event.get("delta") or {})
            case "content_block_stop":
                if block := self._blocks.get(int(event.get("index", 0))):
                    block.closed = True
            case "message_delta":
                self._stop = (event.get("delta") or {}).get("stop_reason") or self._stop
                self._count(event)
            case "message_stop":
                self._ended = True
            case "message":
                yield from self._whole(event)

    def _whole(self, message: Mapping[str, Any]) -> Iterator[TextDelta | ThoughtDelta]:
        for index, content in enumerate(message.get("content") or ()):
            yield from self._open(index, content)
            self._blocks[index].signature.append(str(content.get("signature") or ""))
            self._blocks[index].closed = True
        self._count(message)
        self._stop, self._ended = message.get("stop_reason") or "", True

    def _open(self, index: int, content: Mapping[str, Any]) -> Iterator[TextDelta | ThoughtDelta]:
        block = self._blocks[index] = _Block(content)
        for key, delta in (("text", TextDelta), ("thinking", ThoughtDelta)):
            if content.get("type") == key and content.get(key):
                block.text.append(str(content[key]))
                yield delta(str(content[key]))

    def _delta(self, index: int, delta: Mapping[str, Any]) -> Iterator[TextDelta | ThoughtDelta]:
        block = self._blocks.setdefault(index, _Block({"type": "text"}))
        match delta.get("type"):
            case "text_delta" if delta.get("text"):
                block.text.append(delta["text"])
                yield TextDelta(delta["text"])
            case "thinking_delta" if delta.get("thinking"):
                block.text.append(delta["thinking"])
                yield ThoughtDelta(delta["thinking"])
            case "signature_delta":
                block.signature.append(delta.get("signature") or "")
            case "input_json_delta":
                block.text.append(delta.get("partial_json") or "")

    def _count(self, holder: Mapping[str, Any]) -> None:
        """Counts are cumulative, and some servers tell them only at one of the two places."""
        told = holder.get("usage") or {}
        self._counts |= {key: int(told[key]) for key in _COUNTS if told.get(key)}

    def reply(self, request: Request) -> Reply:
        """Return the whole message; ``ModelFailure`` if no end or no reason to stop was seen, or nothing was said."""
        if not self._ended or not self._stop:
            raise _broken("truncated", "no_stop" if self._ended else "no_end")
        stop = _STOPS.get(self._stop, "end")
        blocks = [block for _, block in sorted(self._blocks.items())]
        if stop in {"end", "tool_use"} and not all(block.closed for block in blocks):
            raise _broken("truncated", "open_block")
        message = _message(blocks, request.model, keep_calls=stop in {"end", "tool_use"})
        if not message.parts and stop in {"end", "tool_use"}:
            raise _broken("empty", "no_stop")
        stop = "tool_use" if message.calls else ("end" if stop == "tool_use" else stop)
        return Reply(message, self._usage() or estimated_usage(request, message), stop)

    def _usage(self) -> Usage | None:
        told = self._counts
        cached = told.get("cache_read_input_tokens", 0)
        prompt = told.get("input_tokens", 0) + told.get("cache_creation_input_tokens", 0) + cached
        return Usage(prompt, told.get("output_tokens", 0), cached) if prompt else None


def _message(blocks: list[_Block], model: str, *, keep_calls: bool) -> Message:
    """A call that was cut by the limit must never run, so a cut answer keeps none and says which it dropped."""
    parts = [part for block in blocks if (part := _part(block, model))]
    dropped = [] if keep_calls else [p.name for p in parts if isinstance(p, ToolCall)]
    kept = tuple(p for p in parts if keep_calls or not isinstance(p, ToolCall))
    return Message("assistant", kept, "model", {"dropped_calls": dropped} if dropped else {})


def _part(block: _Block, model: str) -> Part | None:
    """Thinking names its model: a signature is worth nothing to another one."""
    text, start = "".join(block.text), block.start
    match start.get("type"):
        case "text":
            return Text(text) if text else None
        case "thinking":
            return Thinking(text, "".join(block.signature) or str(start.get("signature") or ""), {"model": model})
        case "redacted_thinking":
            return Thinking("", "", dict(start) | {"model": model})
        case "tool_use":
            given = json.dumps(start.get("input") or {}, ensure_ascii=False)
            return ToolCall(str(start.get("id") or ""), str(start.get("name") or ""), text or given)
    return None


def _broken(cause: Cause, detail: str) -> ModelFailure:
    return ModelFailure(noticed(cause, say("en", f"model.detail_{detail}")))

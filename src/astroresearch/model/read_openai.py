"""From the pieces of a chat completion to deltas and one whole reply; everything here belongs to one attempt."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..context.messages import Message, Part, Text, Thinking, ToolCall
from ..locales import say
from .base import Reply, Request, Stop, TextDelta, ThoughtDelta, Usage
from .faults import Fault, FaultKind, ModelFailure, classify_error, noticed
from .quirks import Quirks
from .usage import estimated_usage

_STOPS: dict[str, Stop] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
    "sensitive": "content_filter",
    "refusal": "content_filter",
}
_BROKEN = {
    "error": FaultKind.Network,
    "network_error": FaultKind.Network,
    "abort": FaultKind.Network,
    "insufficient_system_resource": FaultKind.Overloaded,
}
_CALL_FIELDS = frozenset({"id", "index", "type", "function"})


@dataclass(slots=True)
class _Slot:
    id: str = ""
    name: str = ""
    arguments: str = ""
    extra: dict[str, object] = field(default_factory=dict)


class Assembly:
    """Collects one attempt. ``feed`` takes a chunk or a whole completion; ``reply`` gives what is whole, or raises."""

    def __init__(self, quirks: Quirks) -> None:
        self._quirks = quirks
        self._text: list[str] = []
        self._thought: list[str] = []
        self._slots: list[tuple[object, _Slot]] = []
        self._extra: dict[str, object] = {}
        self._usage: Usage | None = None
        self._finish = ""
        self.ended = False

    def feed(self, chunk: Mapping[str, Any]) -> Iterator[TextDelta | ThoughtDelta]:
        if chunk.get("error"):
            raise ModelFailure(classify_error(body=chunk))
        self._usage = _usage(chunk) or self._usage
        for choice in chunk.get("choices") or ():
            if choice.get("index"):
                continue  # only one answer is asked for
            yield from self._delta(choice.get("delta") or choice.get("message") or {})
            self._finish = choice.get("finish_reason") or self._finish
            self._usage = _usage(choice) or self._usage

    def _delta(self, delta: Mapping[str, Any]) -> Iterator[TextDelta | ThoughtDelta]:
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        yield from self._said(thought if isinstance(thought, str) else "", thinking=True)
        content = delta.get("content")
        for text, thinking in _pieces(content):
            yield from self._said(text, thinking=thinking)
        yield from self._said(delta.get("refusal") or "")
        for piece in delta.get("tool_calls") or ():
            self._call(piece)
        if isinstance(old := delta.get("function_call"), Mapping):
            self._call({"index": 0, "function": old})
        for key in self._quirks.echo:
            if key in delta:
                self._extra[key] = _appended(self._extra.get(key), delta[key])

    def _said(self, text: str, *, thinking: bool = False) -> Iterator[TextDelta | ThoughtDelta]:
        if text:
            (self._thought if thinking else self._text).append(text)
            yield ThoughtDelta(text) if thinking else TextDelta(text)

    def _call(self, piece: Mapping[str, Any]) -> None:
        slot = self._slot(piece)
        function = piece.get("function") or {}
        slot.id = slot.id or str(piece.get("id") or "")
        slot.name = slot.name or str(function.get("name") or "")
        slot.arguments = _more(slot.arguments, function.get("arguments"))
        slot.extra |= {k: v for k, v in piece.items() if k not in _CALL_FIELDS}

    def _slot(self, piece: Mapping[str, Any]) -> _Slot:
        """Return the call that *piece* goes on with. Not all servers number them: a new id with a name opens one."""
        id, index = piece.get("id"), piece.get("index")
        named = bool((piece.get("function") or {}).get("name"))
        if index is None:
            same = [s for _, s in self._slots if id and s.id == id] or [s for _, s in self._slots[-1:] if not named]
        else:
            same = [s for i, s in self._slots if i == index and not (named and id and s.id and s.id != id)]
        if same:
            return same[-1]
        self._slots.append((index, _Slot()))
        return self._slots[-1][1]

    def reply(self, request: Request) -> Reply:
        """Return the whole message; ``ModelFailure`` if no end or no reason to stop was seen, or nothing was said."""
        if not self._finish:
            empty = not (self._text or self._thought or self._slots)
            raise _broken("empty" if empty and self.ended else "truncated", "no_stop")
        if not self.ended and self._quirks.end_marker:
            raise _broken("truncated", "no_end")
        if self._finish in _BROKEN:
            raise ModelFailure(Fault(kind=_BROKEN[self._finish], message=self._finish, retryable=True))
        stop = _STOPS.get(self._finish, "tool_use" if self._slots else "end")
        message = self._message(keep_calls=stop == "tool_use")
        if not message.parts and stop == "end":
            raise _broken("empty", "no_stop")
        return Reply(message, self._usage or estimated_usage(request, message), stop)

    def _message(self, *, keep_calls: bool) -> Message:
        """A call that was cut by the limit must never run, so a cut answer keeps none and says which it dropped."""
        thought, text = "".join(self._thought), "".join(self._text)
        parts: tuple[Part, ...] = ((Thinking(thought),) if thought else ()) + ((Text(text),) if text else ())
        extra, slots = dict(self._extra), [slot for _, slot in self._slots]
        if not keep_calls:
            return Message(
                "assistant", parts, "model", extra | ({"dropped_calls": [s.name for s in slots]} if slots else {})
            )
        calls = tuple(ToolCall(s.id or f"call_{n}", s.name, s.arguments or "{}") for n, s in enumerate(slots))
        own = {c.id: s.extra for c, s in zip(calls, slots, strict=True) if s.extra}
        return Message("assistant", parts + calls, "model", extra | ({"calls": own} if own else {}))


def _broken(cause: Any, detail: str) -> ModelFailure:
    return ModelFailure(noticed(cause, say("en", f"model.detail_{detail}")))


def _pieces(content: object) -> Iterator[tuple[str, bool]]:
    """Yield (text, is it thinking) of a content that is a string, or a list of parts as some reasoning models send."""
    if isinstance(content, str):
        yield content, False
        return
    for part in content if isinstance(content, list) else ():
        if part.get("type") == "thinking":
            for text, _ in _pieces(part.get("thinking")):
                yield text, True
        else:
            yield str(part.get("text") or ""), False


def _more(sofar: str, piece: object) -> str:
    """Return the arguments with *piece* added; some servers send an object, or an empty one before the real pieces."""
    if piece is None:
        return sofar
    text = piece if isinstance(piece, str) else json.dumps(piece, ensure_ascii=False)
    return text if sofar == "{}" and text.lstrip().startswith("{") else sofar + text


def _appended(sofar: object, more: object) -> object:
    if isinstance(sofar, list) and isinstance(more, list):
        return [*sofar, *more]
    return f"{sofar}{more}" if isinstance(sofar, str) and isinstance(more, str) else more


def _usage(holder: Mapping[str, Any]) -> Usage | None:
    """Read the usage wherever the server puts it; *cached* under any of its four names."""
    told = holder.get("usage") or (holder.get("x_groq") or {}).get("usage")
    if not isinstance(told, Mapping) or not told.get("prompt_tokens"):
        return None
    details = told.get("prompt_tokens_details") or {}
    cached = details.get("cached_tokens") or told.get("prompt_cache_hit_tokens") or told.get("cached_tokens") or 0
    return Usage(int(told["prompt_tokens"]), int(told.get("completion_tokens") or 0), int(cached))

"""Repair of broken transcripts, in the view only: every call has its result, every result follows its call (R3.7).

A call arms its id, a result consumes it; an id means nothing outside its own group, so ids that repeat from turn to
turn are no trouble. What arrives while a group is open waits until the group is whole, or until the next assistant
message closes it with "interrupted" results.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..locales import Locale, say
from .messages import Message, Text, ToolCall, ToolResult
from .view import Item

Count = Callable[[Message], int]


@dataclass(slots=True)
class _Call:
    asked: str  # the id as it came
    call: ToolCall  # with the id that it has in the view
    result: Item | None = None


class Pairing:
    """Turns transcript messages into items of a valid view, one at a time: O(1) a message."""

    def __init__(self, count: Count, locale: Locale) -> None:
        self._count, self._locale = count, locale
        self._asking: Item | None = None
        self._calls: list[_Call] = []
        self._waiting: list[Item] = []

    def feed(self, position: int, message: Message) -> list[Item]:
        """Return the items that are settled by *message*; the rest stays open."""
        if message.role == "tool":
            return self._answer(position, message)
        if message.role == "assistant":
            settled = self.close()
            return settled + self._ask(position, message)
        item = Item(message, position, position, self._count(message))
        if self._asking is None:
            return [item]
        self._waiting.append(item)
        return []

    def preview(self) -> list[Item]:
        """Return the open group as it would be sent now: calls without a result get an "interrupted" one."""
        if self._asking is None:
            return []
        results = [entry.result or self._interrupted(entry.call) for entry in self._calls]
        return [self._asking, *results, *self._waiting]

    def close(self) -> list[Item]:
        """Settle the open group for good."""
        settled = self.preview()
        self._asking, self._calls, self._waiting = None, [], []
        return settled

    def _ask(self, position: int, message: Message) -> list[Item]:
        calls = message.calls
        if not calls:
            return [Item(message, position, position, self._count(message))]
        named = _unique(calls, position)
        kept = message if named == calls else _renamed(message, named)
        self._asking = Item(kept, position, position, self._count(kept), "whole" if kept is message else "repair")
        self._calls = [_Call(old.id, new) for old, new in zip(calls, named, strict=True)]
        return []

    def _answer(self, position: int, message: Message) -> list[Item]:
        result = message.result or ToolResult("", message.text)
        entry = next((c for c in self._calls if c.asked == result.call_id and c.result is None), None)
        if entry is None:
            return self._orphan(position, message, result)
        if entry.call.id != result.call_id:
            message = replace(message, parts=(replace(result, call_id=entry.call.id), *message.parts[1:]))
        kind = "whole" if entry.call.id == result.call_id else "repair"
        entry.result = Item(message, position, position, self._count(message), kind)  # type: ignore[arg-type]
        return self.close() if all(c.result for c in self._calls) else []

    def _orphan(self, position: int, message: Message, result: ToolResult) -> list[Item]:
        text = say(self._locale, "context.orphan", ref=f"m{position}", name=result.name or "?", text=result.text)
        kept = Message("user", (Text(text), *message.parts[1:]), "repair", message.extra)
        item = Item(kept, position, position, self._count(kept), "repair")
        if self._asking is None:
            return [item]
        self._waiting.append(item)
        return []

    def _interrupted(self, call: ToolCall) -> Item:
        assert self._asking is not None
        text = say(self._locale, "context.interrupted", name=call.name)
        message = Message("tool", (ToolResult(call.id, text, call.name, "interrupted"),), "repair")
        return Item(message, self._asking.first, self._asking.last, self._count(message), "repair")


def _unique(calls: tuple[ToolCall, ...], position: int) -> tuple[ToolCall, ...]:
    """Give a missing or repeated id within one message a stable one, derived from the call's place."""
    seen: set[str] = set()
    named = []
    for k, call in enumerate(calls):
        name = call.id or f"call_m{position}_{k}"
        while name in seen:
            name = f"{name}_{k}"
        seen.add(name)
        named.append(call if name == call.id else replace(call, id=name))
    return tuple(named)


def _renamed(message: Message, named: tuple[ToolCall, ...]) -> Message:
    others = tuple(p for p in message.parts if not isinstance(p, ToolCall))
    return replace(message, parts=others + named)

"""Records of a compaction: JSON-able, so that a resumed session has the same view, byte for byte (R1.4, R3.12).

A compaction is a record among the messages: the view is a fold over both (``Window.append``, ``Window.apply``).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from .dicts import parse, to_dict
from .evidence import Entry
from .messages import Message, Origin, Status, ToolResult
from .state import Said, State, Step
from .view import Item, View

VERSION = 1


def message_to_json(message: Message) -> dict[str, Any]:
    """Return a message as JSON-able values, with what an OpenAI-style dict has no place for."""
    result = message.result
    kept: dict[str, Any] = {"message": to_dict(message), "origin": message.origin}
    return kept | ({"status": result.status} if result else {})


def message_from_json(raw: Mapping[str, Any], index: int = 0) -> Message:
    message = replace(parse(raw["message"], index), origin=cast(Origin, raw["origin"]))
    if (status := raw.get("status")) and (result := message.result):
        parts = tuple(replace(p, status=cast(Status, status)) if p is result else p for p in message.parts)
        return replace(message, parts=cast(tuple[ToolResult, ...], parts))
    return message


def view_to_json(view: View) -> list[Any]:
    """Return the view as a list of positions (a whole message) and of dicts (what stands in another's place)."""
    return [item.first if item.kind == "whole" else _item_to_json(item) for item in view]


def _item_to_json(item: Item) -> dict[str, Any]:
    return {"first": item.first, "last": item.last, "kind": item.kind, **message_to_json(item.message)}


def view_from_json(raw: list[Any], transcript: Callable[[int], Message], count: Callable[[Message], int]) -> View:
    """Return the view that ``view_to_json`` wrote; *transcript* gives the message at a position."""
    return tuple(_item(entry, transcript, count) for entry in raw)


def _item(entry: Any, transcript: Callable[[int], Message], count: Callable[[Message], int]) -> Item:
    if isinstance(entry, int):
        message = transcript(entry)
        return Item(message, entry, entry, count(message))
    message = message_from_json(entry, entry["first"])
    return Item(message, entry["first"], entry["last"], count(message), entry["kind"])


def state_to_json(state: State) -> dict[str, Any]:
    return {
        "first": state.first,
        "last": state.last,
        "count": state.count,
        "said": [[s.position, s.role, s.text] for s in state.said],
        "steps": [[s.position, s.text, s.failed] for s in state.steps],
        "plan": [state.plan.position, state.plan.text] if state.plan else None,
        "prose": state.prose,
        "prose_span": list(state.prose_span) if state.prose_span else None,
        "ledger": [[e.text, e.kind, e.uses, e.position] for e in state.ledger.values()],
    }


def state_from_json(raw: Mapping[str, Any]) -> State:
    entries = [Entry(*entry) for entry in raw["ledger"]]
    span = raw["prose_span"]
    return State(
        first=raw["first"],
        last=raw["last"],
        count=raw["count"],
        said=tuple(Said(*s) for s in raw["said"]),
        steps=tuple(Step(*s) for s in raw["steps"]),
        plan=Step(*raw["plan"]) if raw["plan"] else None,
        prose=raw["prose"],
        prose_span=(span[0], span[1]) if span else None,
        ledger={e.text: e for e in entries},
    )

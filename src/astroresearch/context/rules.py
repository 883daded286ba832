"""What every layer is told: the policy, how to count, how far to go, and in which language to write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..locales import Locale
from .messages import Message, ToolCall
from .policy import Policy
from .view import Item, View, total


@dataclass(frozen=True, slots=True)
class Rules:
    """All token numbers are raw estimates of view items; *limit* and *target* are what is left for the view.

    *limit*: compaction starts above it. *target*: where it stops (the low-water mark). *hard*: what a request may take
    at the very most. *state_room* is kept free for the state blocks, of which the new one takes *block_room*.
    """

    policy: Policy
    count: Callable[[Message], int]
    limit: int
    target: int
    hard: int
    state_room: int
    block_room: int
    locale: Locale = "en"
    identity: str = ""
    subjects: Mapping[str, Callable[[Mapping[str, object]], str]] | None = None

    def fits(self, view: View) -> bool:
        return total(view) + self.state_room <= self.target


def with_message(item: Item, message: Message, rules: Rules, kind: str) -> Item:
    """Return *item* with another message in its place, or *item* itself if that would not be shorter."""
    tokens = rules.count(message)
    if tokens >= item.tokens:
        return item
    return Item(message, item.first, item.last, tokens, kind)  # type: ignore[arg-type]


def calls_of(view: View) -> list[ToolCall | None]:
    """Return for each item the call that it answers, or None: ids count only within their own group."""
    armed: dict[str, ToolCall] = {}
    answered: list[ToolCall | None] = []
    for item in view:
        result = item.message.result
        answered.append(armed.get(result.call_id) if result else None)
        if item.message.role == "assistant":
            armed = {call.id: call for call in item.message.calls}
    return answered

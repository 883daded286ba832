"""The view: what the model is sent, as a tuple of items that each know what they stand for in the transcript."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .messages import Message

Kind: TypeAlias = Literal[
    "whole",  # the transcript's own message
    "cleared",  # a result or arguments replaced by a placeholder
    "cut",  # a result shortened in its middle
    "state",  # a block that stands for what was folded and cleared
    "plan",  # the plan and what else is pinned, behind the state blocks
    "repair",  # invented to make a broken transcript valid
]


@dataclass(frozen=True, slots=True)
class Item:
    """One message of the view. *first*..*last* (inclusive) are the transcript positions that it stands for."""

    message: Message
    first: int
    last: int
    tokens: int
    kind: Kind = "whole"


View: TypeAlias = tuple[Item, ...]


def total(view: View) -> int:
    return sum([item.tokens for item in view])


def group_starts(view: View) -> list[int]:
    """Return where each group begins: every index whose message is not a tool result (R3.7)."""
    return [i for i, item in enumerate(view) if item.message.role != "tool"]


def groups(view: View, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield (begin, end) of each group from index *start*, which must begin one."""
    begin = start
    for i in range(start + 1, len(view) + 1):
        if i == len(view) or view[i].message.role != "tool":
            yield begin, i
            begin = i


def head_length(view: View) -> int:
    """Return how many items stand before anything that may be compacted: system prompts and the first question."""
    for i, item in enumerate(view):
        if item.message.role == "user" and item.message.origin == "human":
            return i + 1
        opening = i == 0 and item.message.role == "user" and item.kind == "repair"
        if item.message.role != "system" and not opening:
            return i
    return len(view)

"""The evidence ledger: which of all that left the view is still named in it (R3.11).

Entries are chosen by value per token, ``weight * min(uses, 4) / sqrt(length + 8)``, then by newest source.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import TypeAlias

from .ledger import Kind, Reader, is_name, quoted
from .messages import Message, Text, Thinking, ToolCall, ToolResult

WEIGHTS: Mapping[Kind, float] = {
    "bibcode": 4.0,
    "arxiv": 4.0,
    "doi": 3.0,
    "measurement": 14.0,  # the one number that mattered
    "quantity": 1.5,
    "equation": 1.5,
    "object": 2.5,
    "coordinates": 3.0,
    "url": 1.5,
    "path": 1.5,
    "name": 1.0,
    "id": 1.3,
    "word": 0.1,
    "number": 0.8,
}
KEPT = 4_000  # entries remembered beyond those that are shown, so that a later use can still lift one


@dataclass(frozen=True, slots=True)
class Entry:
    """*position* is the newest message that holds *text*; *uses* counts messages, those of the assistant twice."""

    text: str
    kind: Kind
    uses: int
    position: int

    @property
    def value(self) -> float:
        return WEIGHTS[self.kind] * min(self.uses, 4) / sqrt(len(self.text) + 8)


Ledger: TypeAlias = Mapping[str, Entry]


def of_message(message: Message, reader: Reader) -> dict[str, Kind]:
    """Return the evidence of one message."""
    found: dict[str, Kind] = {}
    for part in message.parts:
        match part:
            case Text(text) | ToolResult(text=text):
                found.update(quoted(text))
                found.update(reader.evidence(text))
            case Thinking(text):
                found.update(reader.evidence(text))
            case ToolCall(arguments=arguments):
                said = leaves(arguments)
                together = "\n".join(said)
                found.update(quoted(together))
                found.update((leaf, "name") for leaf in said if 3 <= len(leaf) <= 60 and is_name(leaf))
                found.update(reader.evidence(together))
    return found


def leaves(arguments: str) -> list[str]:
    """Return the strings and numbers in JSON arguments; text that is no JSON as it is."""
    try:
        stack: list[object] = [json.loads(arguments or "{}")]
    except (ValueError, RecursionError):
        return [arguments]
    found = []
    while stack:
        match stack.pop():
            case str(text):
                found.append(text)
            case dict() as inner:
                stack += inner.values()
            case list() as inner:
                stack += inner
            case bool() | None:
                pass
            case number:
                found.append(str(number))
    return found


def extended(ledger: Ledger, messages: Iterable[tuple[int, Message]]) -> Ledger:
    """Return *ledger* with the evidence of *messages* (position, message) added."""
    entries, reader = dict(ledger), Reader()
    for position, message in messages:
        weight = 2 if message.role == "assistant" else 1
        for text, kind in of_message(message, reader).items():
            if (known := entries.get(text)) is None:
                entries[text] = Entry(text, kind, weight, position)
            else:
                entries[text] = replace(known, uses=known.uses + weight, position=max(position, known.position))
    return entries


def ranked(ledger: Ledger) -> list[Entry]:
    return sorted(ledger.values(), key=lambda entry: (-entry.value, -entry.position))


def pruned(ledger: Ledger, keep: int = KEPT) -> Ledger:
    """Return at most *keep* entries, the most valuable."""
    return ledger if len(ledger) <= keep else {entry.text: entry for entry in ranked(ledger)[:keep]}

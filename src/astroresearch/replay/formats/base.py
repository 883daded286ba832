"""What every reader of a transcript hands on, and how it tells what it had to leave out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...locales import Locale, say

JsonObject: TypeAlias = dict[str, Any]


class NotATranscript(ValueError):
    """The file holds nothing that can be replayed; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation, OpenAI-style. *usage*: the reported prompt tokens, an item for each assistant message."""

    name: str
    messages: list[JsonObject]
    tools: list[JsonObject] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    usage: list[int | None] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Record:
    """A decoded JSON value and the place that a warning about it names (``line 12``)."""

    where: str
    value: Any


@dataclass(slots=True)
class Notes:
    """Collects the warnings of one file."""

    locale: Locale
    said: list[str] = field(default_factory=list)

    def add(self, key: str, **values: object) -> None:
        self.said.append(say(self.locale, f"replay.{key}", **values))

    def place(self, kind: str, number: int) -> str:
        return say(self.locale, f"replay.place_{kind}", number=number)


@dataclass(slots=True)
class Draft:
    """A transcript while it is being read."""

    messages: list[JsonObject] = field(default_factory=list)
    usage: list[int | None] = field(default_factory=list)
    tools: list[JsonObject] = field(default_factory=list)

    def add(self, message: JsonObject, prompt_tokens: int | None = None) -> None:
        self.messages.append(message)
        if message["role"] == "assistant":
            self.usage.append(prompt_tokens)

    def finish(self, name: str, notes: Notes) -> Transcript:
        return Transcript(name, self.messages, self.tools, notes.said, self.usage)


_COUNTS = (
    ("prompt_tokens",),
    ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
    ("input", "cacheRead", "cacheWrite"),
)


def prompt_tokens(usage: object) -> int | None:
    """Return the whole prompt of a reported usage, the cached part included, or None if none was reported."""
    if not isinstance(usage, Mapping):
        return None
    for names in _COUNTS:
        if names[0] in usage:
            total = sum(n for n in (usage.get(name) for name in names) if isinstance(n, int))
            return total or None
    return None

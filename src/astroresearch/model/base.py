"""What a language model is to us: one async stream of chunks that ends with the whole reply."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from ..context.messages import History, Message

Stop: TypeAlias = Literal["end", "tool_use", "length", "content_filter"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. *prompt_tokens* includes the *cached_tokens*; *estimated*: the provider reported none."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call. *history* begins with the system messages; *tools* are OpenAI-style function schemas."""

    model: str
    history: History
    tools: tuple[Mapping[str, object], ...] = ()
    max_output: int = 8_192
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole message, once it is known to be whole: an end event *and* a stop reason were seen."""

    message: Message
    usage: Usage
    stop: Stop


Chunk: TypeAlias = TextDelta | ThoughtDelta | Reply


class Model(Protocol):
    """A provider. ``stream`` yields deltas, last a ``Reply``, or raises ``faults.ModelFailure``; it never retries."""

    name: str

    def stream(self, request: Request) -> AsyncIterator[Chunk]: ...

"""What a turn tells the world (S9, R9.1). ``type`` and the fields are the public JSON form; the store gives ``seq``."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Literal

Done = Literal["answered", "cancelled", "failed", "step_limit", "budget"]


@dataclass(frozen=True, slots=True)
class Event:
    type: ClassVar[str]

    def payload(self) -> dict[str, object]:
        return {"type": self.type, **{k: v for k, v in asdict(self).items() if v is not None}}


@dataclass(frozen=True, slots=True)
class SessionStarted(Event):
    type: ClassVar[str] = "session"
    session_id: str
    turn: int
    model: str


@dataclass(frozen=True, slots=True)
class Thought(Event):
    type: ClassVar[str] = "thought"
    text: str
    agent: str | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCalled(Event):
    type: ClassVar[str] = "tool_call"
    id: str
    name: str
    arguments: object
    agent: str | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class ToolReturned(Event):
    type: ClassVar[str] = "tool_result"
    id: str
    name: str
    status: str
    preview: str
    ref: str | None = None
    agent: str | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class TextDelta(Event):
    type: ClassVar[str] = "text_delta"
    text: str
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class UsageReported(Event):
    type: ClassVar[str] = "usage"
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    total_spent: int
    context_tokens: int
    window: int
    estimated: bool | None = None


@dataclass(frozen=True, slots=True)
class Compacted(Event):
    type: ClassVar[str] = "compaction"
    layers: tuple[str, ...]
    before_tokens: int
    after_tokens: int
    before_messages: int
    after_messages: int
    references: tuple[str, ...]
    manual: bool


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """*seconds*: how long a notice of kind ``retry`` waits, for a countdown."""

    type: ClassVar[str] = "notice"
    kind: str
    text: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class PermissionAsked(Event):
    type: ClassVar[str] = "permission"
    id: str
    tool: str
    arguments: object


@dataclass(frozen=True, slots=True)
class Failed(Event):
    type: ClassVar[str] = "error"
    kind: str
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """Always the last event of a turn."""

    type: ClassVar[str] = "done"
    status: Done
    answer: str
    citations: tuple[Mapping[str, object], ...] = field(default=())

"""The vocabulary of a conversation: frozen values, shaped like the chat APIs' own messages.

A *group* is an assistant message with tool calls and all of its results; it is atomic for every layer (R3.7).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Origin: TypeAlias = Literal[
    "human",  # what the user wrote
    "model",  # what the model wrote
    "tool",  # what a tool returned
    "system",  # the system prompt
    "reminder",  # nudges, todo reminders: appended at the end, never rewritten (R2.6)
    "notification",  # results of background work
    "tasks",  # the [当前任务状态] block
    "summary",  # what a compaction wrote for the messages that it folded
    "repair",  # a result invented for a call that never got one
    "restored",  # a file shown again after a compaction
]
Status: TypeAlias = Literal["ok", "error", "skipped", "denied", "cancelled", "interrupted"]
NOTHING: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """Reasoning of the model. A signed block is sent back byte for byte or leaves with its whole group (R3.17)."""

    text: str
    signature: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Media:
    """An image, a sound or a file, as the provider's own content part."""

    kind: str
    part: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """*arguments* is the JSON text exactly as the model wrote it."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    text: str
    name: str = ""
    status: Status = "ok"


Part: TypeAlias = Text | Thinking | Media | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; a tool message's first part is its result.

    *extra* holds fields of a provider that we do not know; they are carried unchanged.
    """

    role: Role
    parts: tuple[Part, ...] = ()
    origin: Origin = "human"
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All text of the message: what was said, or what the tool returned."""
        return "".join(p.text for p in self.parts if isinstance(p, Text | ToolResult))

    @property
    def thought(self) -> str:
        return "".join(p.text for p in self.parts if isinstance(p, Thinking))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        if self.role != "assistant":
            return ()
        return tuple([p for p in self.parts if isinstance(p, ToolCall)])

    @property
    def result(self) -> ToolResult | None:
        first = self.parts[0] if self.role == "tool" and self.parts else None
        return first if isinstance(first, ToolResult) else None


History: TypeAlias = tuple[Message, ...]


def system(text: str) -> Message:
    return Message("system", (Text(text),), "system")


def user(text: str, origin: Origin = "human") -> Message:
    return Message("user", (Text(text),), origin)


def assistant(text: str = "", *calls: ToolCall, thought: str = "") -> Message:
    parts: tuple[Part, ...] = (Thinking(thought),) if thought else ()
    parts += (Text(text),) if text else ()
    return Message("assistant", parts + calls, "model")


def tool_result(call: ToolCall, text: str, status: Status = "ok") -> Message:
    return Message("tool", (ToolResult(call.id, text, call.name, status),), "tool")

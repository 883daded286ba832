"""The 13 moments of a session's life that hooks are told of (S8), and what a hook may answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    session_id: str
    agent_name: str = "lead"

    @property
    def name(self) -> str:
        return type(self).__name__

    @property
    def json(self) -> dict[str, object]:
        """What a command hook reads on its stdin."""
        return {"event": self.name, **asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSessionStart(Event):
    """Before the first turn since the session was made, or taken up again (*resumed*)."""

    model: str
    resumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPromptSubmit(Event):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEvent(Event):
    """*arguments* are decoded; a text where the model wrote no valid JSON object."""

    call_id: str
    tool: str
    arguments: object


@dataclass(frozen=True, slots=True, kw_only=True)
class PreToolUse(ToolEvent):
    """Before arguments are checked and permission is asked. Takes ``MutateInput`` and ``Block``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostToolUse(ToolEvent):
    """After a call that worked. Takes ``MutateOutput``."""

    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostToolUseFailure(ToolEvent):
    """After a call that did not work, *status* says how. Takes ``MutateOutput``."""

    output: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnStepComplete(Event):
    """*tokens*: of the view; *spent* of *budget*: tokens that this turn has newly processed."""

    step: int
    messages: int
    tokens: int
    window: int
    spent: int
    budget: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPreCompact(Event):
    """Takes ``Block``, which puts it off, and ``MutateInput({"focus": …})``, which adds to what the summary must keep.

    When the window is so full that the request would not fit, a ``Block`` is not followed (*forced*).
    """

    messages: int
    tokens: int
    manual: bool
    forced: bool
    focus: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPostCompact(Event):
    before_messages: int
    after_messages: int
    before_tokens: int
    after_tokens: int
    layers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSubagentStart(Event):
    """*subagent* was started by the call *call_id* of this agent."""

    subagent: str
    call_id: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSubagentStop(Event):
    subagent: str
    call_id: str
    status: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest(ToolEvent):
    """Before a person is asked. Takes ``Override``; *decision* is what earlier hooks made of it. Fails closed."""

    reason: str
    decision: Literal["ask", "allow", "deny"] = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionDenied(ToolEvent):
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSessionStop(Event):
    """When the process lets go of the session; *reason* is how its last turn ended."""

    turns: int
    reason: str


EVENTS: Mapping[str, type[Event]] = {
    event.__name__: event
    for event in (
        OnSessionStart,
        UserPromptSubmit,
        PreToolUse,
        PostToolUse,
        PostToolUseFailure,
        OnStepComplete,
        OnPreCompact,
        OnPostCompact,
        OnSubagentStart,
        OnSubagentStop,
        PermissionRequest,
        PermissionDenied,
        OnSessionStop,
    )
}


@dataclass(frozen=True, slots=True)
class MutateInput:
    """*arguments* replace the call's; ``{"focus": text}`` adds to what a summary must keep."""

    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Block:
    """The call does not run, or the compaction is put off; *reason* is told."""

    reason: str


@dataclass(frozen=True, slots=True)
class MutateOutput:
    """*output* takes the place of the result's text."""

    output: str


@dataclass(frozen=True, slots=True)
class Override:
    """Decides a permission in the user's place."""

    decision: Literal["allow", "deny"]
    reason: str = ""


Outcome: TypeAlias = MutateInput | Block | MutateOutput | Override
TAKES: Mapping[type[Event], tuple[type[Outcome], ...]] = {
    PreToolUse: (MutateInput, Block),
    PostToolUse: (MutateOutput,),
    PostToolUseFailure: (MutateOutput,),
    OnPreCompact: (MutateInput, Block),
    PermissionRequest: (Override,),
}

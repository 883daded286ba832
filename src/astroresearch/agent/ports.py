"""What a turn has, and the only effects it may have: tests and replay put recorded ones in, and the loop can't tell."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..context.messages import Message, ToolCall
from ..locales import Locale
from ..model.base import Model
from ..model.ladder import Attempts
from ..store.sessions import Task
from ..tools.base import Citation, Outcome
from ..tools.executor import Executed
from .citations import Key
from .hooking import Moments
from .journal import Journal
from .spent import Spent
from .streaming import Cancel
from .watch import Watch

InsteadOf: TypeAlias = Callable[[ToolCall], Outcome | None]  # a result that makes the call needless
RunTools: TypeAlias = Callable[[Sequence[ToolCall], asyncio.Event, InsteadOf], AsyncIterator[Executed]]


@dataclass(slots=True)
class Wishes:
    """What tools asked of the loop; it grants them where it is safe: between two steps, or with the tool's result."""

    compress: str | None = None  # the focus of a compaction
    tasks: tuple[Task, ...] | None = None  # a new plan


@dataclass(slots=True, kw_only=True)
class Turn:
    """One turn under way: what it was given, and how far it got."""

    max_steps: int
    locale: Locale
    watch: Watch
    model: Model  # the chosen one, or the one that took over for the rest of the turn
    max_output: int
    cancel: Cancel = field(default_factory=Cancel)
    step: int = 0
    attempt: int = 0  # of this step's model call; clients drop the text of a superseded one
    shown: str = ""  # text of the model call under way that the user has seen
    tasks: tuple[Task, ...] = ()  # the plan
    attempts: Attempts = field(default_factory=Attempts)  # what the recovery ladder has tried
    degraded: bool = False  # images and files are left out
    spent: Spent = field(default_factory=Spent)


async def nothing_new() -> tuple[Message, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """*models*: the chosen one, then those to fall back to. *schemas*: of the tools, as every request names them.

    *moments* tells hooks what happens.
    *notifications* takes what background work has finished since. *now* is a wall clock in seconds, for what
    outlives the process.
    """

    journal: Journal
    models: Sequence[Model]
    system: Message
    schemas: tuple[Mapping[str, object], ...]
    run_tools: RunTools
    wishes: Wishes
    citations: dict[Key, Citation]
    moments: Moments
    max_output: int
    max_wait: float
    now: Callable[[], float]
    notifications: Callable[[], Awaitable[tuple[Message, ...]]] = nothing_new
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

"""Runs hooks: in order, each within its time. One that fails, hangs or answers rubbish is logged and ends no turn."""

import asyncio
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from importlib.metadata import entry_points
from typing import Any, Generic, TypeAlias, TypeVar, cast

from ..locales import Locale, say
from .events import (
    TAKES,
    Block,
    Event,
    MutateInput,
    MutateOutput,
    OnPreCompact,
    Outcome,
    Override,
    PermissionRequest,
    PreToolUse,
    ToolEvent,
)

LOG = logging.getLogger(__name__)
GROUP = "astroresearch.hooks"
AGAIN = 100  # times that a hook that was left behind is asked to end
GRACE = 0.05  # seconds that a cancelled hook has for its clean-up before it is left behind
USUAL = 100  # a hook's place if it names none

E = TypeVar("E", bound=Event)
Run: TypeAlias = Callable[[Any], Outcome | Awaitable[Outcome | None] | None]


class HookFailed(Exception):
    """A hook gave no answer that could be used; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """*run* may be sync (it then runs in a thread of its own) or async. *tools* is a pattern, or several with ``|``.

    *timeout* is in seconds. Hooks run by *order*, then as registered. If one that *fails_closed* does not answer, the
    call is denied; hooks on ``PermissionRequest`` always do, others only if they say so.
    """

    name: str
    event: type[Event]
    run: Run
    tools: str = "*"
    order: int = USUAL
    timeout: float = 5.0
    fails_closed: bool = False

    def matches(self, event: Event) -> bool:
        if type(event) is not self.event:
            return False
        tool = event.tool if isinstance(event, ToolEvent) else ""
        return self.tools == "*" or any(fnmatchcase(tool, pattern.strip()) for pattern in self.tools.split("|"))


@dataclass(frozen=True, slots=True)
class Fired(Generic[E]):
    """*event* as hooks have left it; *block* or *override* if one decided."""

    event: E
    block: Block | None = None
    override: Override | None = None


class Hooks:
    """All hooks of one process. Give one to ``agent.wiring``."""

    def __init__(self, hooks: Iterable[Hook] = (), *, locale: Locale = "en") -> None:
        self.locale = locale
        self._hooks: tuple[Hook, ...] = ()
        self._left_behind: set[asyncio.Future[Any]] = set()
        for hook in hooks:
            self.add(hook)

    def add(self, hook: Hook) -> None:
        self._hooks = tuple(sorted((*self._hooks, hook), key=lambda each: each.order))

    def on(self, event: type[Event], run: Run, *, name: str = "", **more: Any) -> None:
        """Register *run*; *more* are the fields of ``Hook``."""
        self.add(Hook(name=name or getattr(run, "__qualname__", "hook"), event=event, run=run, **more))

    def __iter__(self) -> Iterator[Hook]:
        return iter(self._hooks)

    def with_more(self, hooks: Iterable[Hook]) -> "Hooks":
        """Return a registry of these and *hooks*, for one session."""
        return Hooks((*self._hooks, *hooks), locale=self.locale)

    async def fire(self, event: E) -> Fired[E]:
        """Tell *event* to every hook that matches, one after the other, each seeing what those before have changed.

        Never raises but for cancellation. Stops at the first ``Block`` and the first ``Override`` that denies.
        """
        fired = Fired(event)
        for hook in self._hooks:
            if hook.matches(event):
                fired = _taken(fired, await self._answer(hook, fired.event))
                if fired.block or (fired.override and fired.override.decision == "deny"):
                    break
        return fired

    async def _answer(self, hook: Hook, event: Event) -> Outcome | None:
        try:
            return _checked(await self._within_time(hook, event), event)
        except HookFailed as failed:
            LOG.warning("hook %s on %s failed: %s", hook.name, event.name, failed)
        except Exception as error:
            LOG.warning("hook %s on %s failed", hook.name, event.name, exc_info=error)
        return self._instead(hook, event)

    def _instead(self, hook: Hook, event: Event) -> Outcome | None:
        """A permission hook that does not answer must not let anything through (beyond-the-document 17)."""
        reason = say(self.locale, "hooks.failed_closed", name=hook.name)
        if isinstance(event, PermissionRequest):
            return Override("deny", reason)
        return Block(reason) if hook.fails_closed and isinstance(event, PreToolUse | OnPreCompact) else None

    async def _within_time(self, hook: Hook, event: Event) -> object:
        task = asyncio.ensure_future(_guarded(hook.run, event))
        try:
            await asyncio.wait({task}, timeout=hook.timeout)
            if task.done():
                return task.result()
        finally:
            await self._drop(task)
        raise HookFailed(f"no answer within {hook.timeout:g} s")

    async def _drop(self, task: "asyncio.Future[Any]") -> None:
        """End a hook; one that ignores its cancellation is left behind, so that it holds up nobody."""
        if task.done():
            return
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
        if not task.done():
            self._left_behind.add(task)
            task.add_done_callback(self._left_behind.discard)
            _cancel_again(task, AGAIN)
        task.add_done_callback(_look_at)


def _cancel_again(task: "asyncio.Future[Any]", times: int) -> None:
    """Go on asking a hook to end, so that it does not hold up the end of the event loop."""
    if not task.done() and times:
        task.cancel()
        task.get_loop().call_later(GRACE, _cancel_again, task, times - 1)


def _look_at(task: "asyncio.Future[Any]") -> None:
    if not task.cancelled():
        task.exception()


async def _guarded(run: Run, event: Event) -> object:
    """Run a hook so that neither its exit nor its own cancellation reaches the turn."""
    if inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(getattr(run, "__call__", None)):  # noqa: B004
        work = cast(Awaitable[object], run(event))
    else:
        work = _in_thread(run, event)
    try:
        answer = await work
        return await answer if inspect.isawaitable(answer) else answer
    except SystemExit as stop:
        raise HookFailed(f"it called exit({stop.code})") from None
    except asyncio.CancelledError:
        current = asyncio.current_task()
        if current is not None and current.cancelling():
            raise
        raise HookFailed("it was cancelled from inside") from None


async def _in_thread(run: Run, event: Event) -> object:
    """Run a sync hook in a daemon thread: one that hangs must hold up neither the loop nor the end of the process."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[object] = loop.create_future()

    def settle(answer: object, error: BaseException | None) -> None:
        if answered.done():
            return
        if error is None:
            answered.set_result(answer)
        else:
            answered.set_exception(error)

    def work() -> None:
        answer, error = None, None
        try:
            answer = run(event)
        except SystemExit as stop:
            error = HookFailed(f"it called exit({stop.code})")
        except BaseException as raised:
            error = HookFailed(f"{type(raised).__name__}: {raised}")
        with suppress(RuntimeError):  # the loop has ended in the meantime
            loop.call_soon_threadsafe(settle, answer, error)

    threading.Thread(target=work, daemon=True, name=f"hook on {event.name}").start()
    return await answered


def _checked(answer: object, event: Event) -> Outcome | None:
    """Return *answer* if *event* takes it; raises ``HookFailed``."""
    if answer is None:
        return None
    takes = TAKES.get(type(event), ())
    if not isinstance(answer, takes):
        wanted = " or ".join(kind.__name__ for kind in takes) or "nothing"
        raise HookFailed(f"it answered {type(answer).__name__}, but {event.name} takes {wanted}")
    if problem := _problem(answer, event):
        raise HookFailed(problem)
    return answer


def _problem(answer: object, event: Event) -> str:
    """Return what is wrong inside an outcome of the right kind, or nothing."""
    match answer:
        case MutateInput(arguments) if not isinstance(arguments, Mapping) or not all(
            isinstance(key, str) for key in arguments
        ):
            return "MutateInput takes a mapping with names"
        case MutateInput(arguments) if isinstance(event, OnPreCompact) and not isinstance(arguments.get("focus"), str):
            return "MutateInput of OnPreCompact takes {'focus': text}"
        case MutateOutput(output) if not isinstance(output, str):
            return "MutateOutput takes a text"
        case Override(decision) if decision not in ("allow", "deny"):
            return f"Override takes 'allow' or 'deny', not {decision!r}"
        case Block(reason) if not isinstance(reason, str):
            return "Block takes a text"
    return ""


def _taken(fired: Fired[E], answer: Outcome | None) -> Fired[E]:
    event: Any = fired.event
    match answer:
        case MutateInput(arguments) if isinstance(event, OnPreCompact):
            focus = "\n".join(filter(None, (event.focus, str(arguments["focus"]))))
            event = replace(event, focus=focus)
        case MutateInput(arguments):
            event = replace(event, arguments=dict(arguments))
        case MutateOutput(output):
            event = replace(event, output=output)
        case Override(decision):
            return Fired(replace(event, decision=decision), fired.block, answer)
        case Block():
            return Fired(event, answer, fired.override)
    return Fired(event, fired.block, fired.override)


def from_entry_points(hooks: Hooks, group: str = GROUP) -> None:
    """Let every installed package with an entry point register its hooks: it names a function that takes ``Hooks``."""
    for entry in entry_points(group=group):
        try:
            entry.load()(hooks)
        except (Exception, SystemExit) as error:
            LOG.warning("the hooks of %s cannot be loaded", entry.value, exc_info=error)

"""Runs the tool calls of one assistant message: validated, side by side where that is safe, each within its time.

Whatever happens inside a tool becomes a result with a status: the loop gets exactly one for each call, in call order.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import groupby
from time import monotonic
from typing import Any, TypeAlias

from ..context.messages import Status, ToolCall
from ..locales import Locale, say
from .arguments import BadArguments, parse
from .base import CallContext, Outcome, Tool
from .cut_output import shown
from .registry import Registry

GRACE = 2.0  # seconds that a cancelled tool has for its clean-up before it is left behind


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a call may run. *status* and *reason* are the result of one that may not."""

    allowed: bool = True
    reason: str = ""
    status: Status = "denied"


@dataclass(frozen=True, slots=True)
class Executed:
    """A call and what became of it; ``outcome.text`` is the whole text, which the transcript keeps."""

    call: ToolCall
    outcome: Outcome
    elapsed_ms: int

    def shown(self, limit: int, ref: str, locale: Locale) -> str:
        """Return what the model sees: at most *limit* characters, with *ref* to the whole if some are left out."""
        return shown(self.outcome.text, limit, ref, locale, error=self.outcome.status == "error")


Before: TypeAlias = Callable[[ToolCall, CallContext], Awaitable[ToolCall | Outcome]]
Gate: TypeAlias = Callable[[Tool, Mapping[str, object]], Awaitable[Decision]]
After: TypeAlias = Callable[[ToolCall, Outcome, CallContext], Awaitable[Outcome]]
Log: TypeAlias = Callable[[str, BaseException | None], None]


async def run_as_written(call: ToolCall, context: CallContext) -> ToolCall | Outcome:
    return call


async def allow_all(tool: Tool, arguments: Mapping[str, object]) -> Decision:
    return Decision()


async def keep(call: ToolCall, outcome: Outcome, context: CallContext) -> Outcome:
    return outcome


def log_nothing(text: str, error: BaseException | None) -> None:
    return None


class Executor:
    """*before* may change a call or answer in its place, *gate* decides on validated arguments, *after* may change a
    result. *timeout* is in seconds, for tools that name none; *log* gets what neither model nor user is shown."""

    def __init__(
        self,
        registry: Registry,
        *,
        timeout: float = 120.0,
        max_chars: int = 4_000,
        before: Before = run_as_written,
        gate: Gate = allow_all,
        after: After = keep,
        log: Log = log_nothing,
    ) -> None:
        self.registry = registry
        self.timeout = timeout
        self.max_chars = max_chars
        self._before, self._gate, self._after, self._log = before, gate, after, log

    async def run(
        self, calls: Sequence[ToolCall], context: CallContext, cancelled: asyncio.Event | None = None
    ) -> AsyncGenerator[Executed, None]:
        """Yield one ``Executed`` for each call, in call order, each as soon as it and all before it are done.

        Once *cancelled* is set, finished results still come and every other call gets the status "cancelled". If the
        consuming task itself is cancelled or closes the iterator (``contextlib.aclosing``), the tools are cancelled.
        """
        stop = cancelled or asyncio.Event()
        for batch in self._batches(calls):
            async with aclosing(self._side_by_side(batch, context, stop)) as results:
                async for executed in results:
                    yield executed

    def _batches(self, calls: Sequence[ToolCall]) -> Iterator[Sequence[ToolCall]]:
        for read_only, group in groupby(calls, self._is_read_only):
            batch = tuple(group)
            yield from (batch,) if read_only else ((call,) for call in batch)

    def _is_read_only(self, call: ToolCall) -> bool:
        tool = self.registry.get(call.name)
        return tool is None or tool.read_only

    async def _side_by_side(
        self, calls: Sequence[ToolCall], context: CallContext, stop: asyncio.Event
    ) -> AsyncGenerator[Executed, None]:
        tasks = [asyncio.create_task(self._until_stopped(call, context, stop)) for call in calls]
        try:
            for task in tasks:
                yield await task
        finally:
            await _end(*tasks)

    async def _until_stopped(self, call: ToolCall, context: CallContext, stop: asyncio.Event) -> Executed:
        context = replace(context, call_id=call.id)
        started = monotonic()
        outcome = Outcome(say(context.locale, "tools.cancelled", tool=call.name), "cancelled")
        if not stop.is_set():
            outcome = await self._race(self._settle(call, context), stop) or outcome
        return Executed(call, outcome, int((monotonic() - started) * 1000))

    async def _race(self, work: Coroutine[Any, Any, Outcome], stop: asyncio.Event) -> Outcome | None:
        working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() and not working.cancelled() else None
        finally:
            await _end(working, stopping)

    async def _settle(self, call: ToolCall, context: CallContext) -> Outcome:
        """Return what became of *call*; nothing that a tool or a hook raises gets past here."""
        try:
            outcome = await self._answer(call, context)
        except BadArguments as error:
            outcome = Outcome(str(error), "error")
        except Exception as error:
            self._log(f"tool {call.name} failed", error)
            outcome = Outcome(_failure(call.name, error, context.locale), "error")
        try:
            outcome = await self._after(call, outcome, context)
        except Exception as error:
            self._log(f"a hook after tool {call.name} failed; its result is kept as it was", error)
        return outcome if outcome.text else replace(outcome, text=say(context.locale, "tools.empty"))

    async def _answer(self, call: ToolCall, context: CallContext) -> Outcome:
        changed = await self._before(call, context)
        if isinstance(changed, Outcome):
            return changed
        tool = self.registry.get(changed.name)
        if tool is None:
            return Outcome(self._unknown(changed.name, context.locale), "error")
        arguments = parse(tool, changed.arguments, context.locale)
        decision = await self._gate(tool, arguments.model_dump())
        if not decision.allowed:
            return Outcome(decision.reason or say(context.locale, "tools.denied", tool=tool.name), decision.status)
        return await self._within_time(tool, tool.run(arguments, context), context.locale)

    async def _within_time(self, tool: Tool, work: Awaitable[Outcome], locale: Locale) -> Outcome:
        limit = tool.timeout if tool.timeout is not None else self.timeout
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task}, timeout=limit)
            if task.cancelled():
                return Outcome(say(locale, "tools.cancelled", tool=tool.name), "cancelled")
            if task.done():
                return task.result()
        finally:
            if not await _end(task):
                self._log(f"tool {tool.name} does not react to being cancelled and was left behind", None)
        return Outcome(say(locale, "tools.timed_out", tool=tool.name, seconds=f"{limit:g}"), "error")

    def _unknown(self, name: str, locale: Locale) -> str:
        near = self.registry.near(name)
        key = "tools.unknown_near" if near else "tools.unknown"
        return say(locale, key, name=name, near=", ".join(near), known=", ".join(self.registry.names))


async def _end(*tasks: "asyncio.Future[Any]") -> bool:
    """Cancel what still runs and wait for it, but not for ever; return whether all has ended."""
    running = {task for task in tasks if not task.done()}
    for task in running:
        task.cancel()
    _, still = await asyncio.wait(running, timeout=GRACE) if running else (running, set())
    return not still


def _failure(name: str, error: Exception, locale: Locale) -> str:
    first_line = next(iter(str(error).strip().splitlines()), "")[:200]
    reason = f"{type(error).__name__}: {first_line}" if first_line else type(error).__name__
    return say(locale, "tools.failed", tool=name, reason=reason)

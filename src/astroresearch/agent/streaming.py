"""Streams against the user's wish to stop: whatever is awaited loses the race as soon as cancel is asked for (S11)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import suppress
from typing import Any, TypeVar

from ..model.base import Chunk, TextDelta, ThoughtDelta

T = TypeVar("T")
GRACE = 0.05  # seconds that cancelled work gets to clean up before it is left behind
FLUSH = {TextDelta: (200, 0.05), ThoughtDelta: (2_000, 1.0)}  # (characters, seconds) at which merged text is let go


class Cancelled(Exception):
    """The user asked the turn to stop."""


class Cancel:
    """A wish to stop, asked for once. Only awaits that go through it are given up, so no commit is cut in two."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self._left_behind: set[asyncio.Future[Any]] = set()

    @property
    def asked(self) -> bool:
        return self.event.is_set()

    def ask(self) -> None:
        self.event.set()

    async def race(self, work: Awaitable[T], seconds: float | None = None) -> T:
        """Return what *work* returns; raise ``Cancelled`` if cancel comes first, ``TimeoutError`` after *seconds*."""
        task = asyncio.ensure_future(work)
        try:
            if not await self.wait(task, seconds):
                raise TimeoutError
            return task.result()
        finally:
            await self.drop(task)

    async def wait(self, task: "asyncio.Future[Any]", seconds: float | None = None) -> bool:
        """Wait for *task* without ending it; return whether it is done, raise ``Cancelled`` if cancel comes first."""
        stop: asyncio.Future[Any] = asyncio.ensure_future(self.event.wait())
        try:
            await asyncio.wait({task, stop}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.cancel()
        if not task.done() and self.asked:
            raise Cancelled
        return task.done()

    async def with_grace(self, stream: AsyncIterator[T]) -> AsyncGenerator[T, None]:
        """Yield what *stream* yields; ``GRACE`` after cancel was asked for, raise ``Cancelled``."""
        coming = asyncio.ensure_future(anext(stream))
        try:
            while True:
                try:
                    await self.wait(coming)
                except Cancelled:
                    await asyncio.wait({coming}, timeout=GRACE)
                    if not coming.done():
                        raise
                yield coming.result()
                coming = asyncio.ensure_future(anext(stream))
        except StopAsyncIteration:
            return
        finally:
            await self.drop(coming)
            await _close(stream, coming)

    async def drop(self, task: "asyncio.Future[Any]") -> None:
        """End *task*, waiting at most ``GRACE``: work that ignores its cancellation does not hold up the turn."""
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=GRACE)
        if task.done():
            _look_at(task)
            return
        self._left_behind.add(task)
        task.add_done_callback(self._left_behind.discard)
        task.add_done_callback(_look_at)


def _look_at(task: "asyncio.Future[Any]") -> None:
    """Take a task's exception, so that nobody is told of one that came too late to matter."""
    if not task.cancelled():
        task.exception()


class Merged:
    """Neighbouring deltas of one kind, held back until they are worth a commit."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._kind: type[TextDelta] | type[ThoughtDelta] = TextDelta
        self.due = 0.0

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def take(self) -> list[Chunk]:
        pieces, self._pieces = self._pieces, []
        return [self._kind("".join(pieces))] if pieces else []

    def add(self, chunk: Chunk, now: float) -> list[Chunk]:
        """Add one chunk; return what has to go out now."""
        if not isinstance(chunk, TextDelta | ThoughtDelta):
            return [*self.take(), chunk]
        out = self.take() if self._kind is not type(chunk) else []
        self._kind = type(chunk)
        characters, seconds = FLUSH[self._kind]
        if not self._pieces:
            self.due = now + seconds
        self._pieces.append(chunk.text)
        if sum(map(len, self._pieces)) >= characters or now >= self.due:
            out += self.take()
        return out


async def coalesced(stream: AsyncIterator[Chunk], cancel: Cancel) -> AsyncGenerator[Chunk, None]:
    """Yield *stream* with small deltas merged by size and by time.

    On cancel what was held back is yielded before ``Cancelled`` is raised, so the text that is kept is all that came;
    when the stream itself fails, what was not shown yet is dropped: the next attempt says it again.
    """
    merged, clock = Merged(), asyncio.get_running_loop().time
    coming = asyncio.ensure_future(anext(stream))
    try:
        while True:
            try:
                arrived = await cancel.wait(coming, max(merged.due - clock(), 0) if merged else None)
            except Cancelled:
                for chunk in merged.take():
                    yield chunk
                raise
            for chunk in merged.add(coming.result(), clock()) if arrived else merged.take():
                yield chunk
            if arrived:
                coming = asyncio.ensure_future(anext(stream))
    except StopAsyncIteration:
        for chunk in merged.take():
            yield chunk
    finally:
        await cancel.drop(coming)
        await _close(stream, coming)


async def _close(stream: AsyncIterator[Any], coming: "asyncio.Future[Any]") -> None:
    """Close a stream that was left early; one that still runs is in the middle of a step and cannot be closed."""
    close = getattr(stream, "aclose", None)
    if close is not None and coming.done():
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(close(), GRACE)

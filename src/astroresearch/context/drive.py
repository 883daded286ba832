"""Drive a compaction with a sync or an async summariser; a summariser that compacts itself is not let in again."""

from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from .summarise import Summarise, SummaryFailed

T = TypeVar("T")
_COMPACTING: ContextVar[frozenset[int]] = ContextVar("compacting", default=frozenset())


def is_compacting(owner: object) -> bool:
    """Whether this task is inside a compaction of *owner* already (S3.6, R3.9)."""
    return id(owner) in _COMPACTING.get()


@contextmanager
def guarded(owner: object) -> Iterator[None]:
    """Mark *owner* as compacting in this task; other sessions and tasks are not touched."""
    token = _COMPACTING.set(_COMPACTING.get() | {id(owner)})
    try:
        yield
    finally:
        _COMPACTING.reset(token)


async def drive(
    compaction: Generator[Summarise, str, T], summarise: Callable[[Summarise], Awaitable[str]], owner: object
) -> T:
    """Run *compaction* to its end; ``SummaryFailed`` from *summarise* is told to it, anything else passes through."""
    text: str | None = None
    failed: SummaryFailed | None = None
    while True:
        try:
            ask = _resumed(compaction, text, failed)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        text, failed = None, None
        try:
            with guarded(owner):
                text = await summarise(ask)
        except SummaryFailed as failure:
            failed = failure


def drive_sync(compaction: Generator[Summarise, str, T], summarise: Callable[[Summarise], str], owner: object) -> T:
    """As ``drive``, for a summariser that blocks."""
    text: str | None = None
    failed: SummaryFailed | None = None
    while True:
        try:
            ask = _resumed(compaction, text, failed)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        text, failed = None, None
        try:
            with guarded(owner):
                text = summarise(ask)
        except SummaryFailed as failure:
            failed = failure


def _resumed(compaction: Generator[Summarise, str, T], text: str | None, failed: SummaryFailed | None) -> Summarise:
    if failed is not None:
        return compaction.throw(failed)
    return next(compaction) if text is None else compaction.send(text)

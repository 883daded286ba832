"""Server-sent events from bytes, with a limit on silence; both providers' streams are read through this."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

from ..locales import say
from .faults import ModelFailure, noticed

_PATIENCE = 5  # a server that only sends keep-alives is given up after so many times the limit on silence


@dataclass(frozen=True, slots=True)
class ServerEvent:
    event: str
    data: str


class Lines:
    """Whole lines from pieces of bytes cut anywhere, also within a character or between ``\\r`` and ``\\n``."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> list[str]:
        *whole, self._rest = (self._rest + piece).split(b"\n")
        return [line.removesuffix(b"\r").decode("utf-8", "replace") for line in whole]

    def rest(self) -> list[str]:
        return [self._rest.decode("utf-8", "replace")] if self._rest else []


class Events:
    """Events from lines. A last event without its blank line is kept back, unless it is the end marker itself."""

    def __init__(self) -> None:
        self._name, self._data = "", list[str]()

    def feed(self, line: str) -> ServerEvent | None:
        if not line:
            found = ServerEvent(self._name, "\n".join(self._data)) if self._data or self._name else None
            self._name, self._data = "", []
            return found
        field, _, value = line.partition(":")
        if field == "data":
            self._data.append(value.removeprefix(" "))
        elif field == "event":
            self._name = value.strip()
        return None

    def rest(self, lines: list[str]) -> ServerEvent | None:
        for line in lines:
            self.feed(line)
        return ServerEvent(self._name, "[DONE]") if self._data and self._data[-1].strip() == "[DONE]" else None


async def watched(pieces: AsyncIterator[bytes], idle: float) -> AsyncGenerator[bytes, None]:
    """Yield *pieces*; raise ``ModelFailure`` (Timeout) once nothing has come for *idle* seconds."""
    source = aiter(pieces)
    while True:
        try:
            async with asyncio.timeout(idle):
                piece = await anext(source, None)
        except TimeoutError as error:
            raise silent(idle) from error
        if piece is None:
            return
        yield piece


def silent(seconds: float) -> ModelFailure:
    return ModelFailure(noticed("silent", say("en", "model.detail_seconds", seconds=f"{seconds:.0f}")))


async def events(pieces: AsyncIterator[bytes], idle: float) -> AsyncGenerator[ServerEvent, None]:
    """Yield the events of a stream; ``ModelFailure`` on silence, also where only keep-alives come."""
    lines, parser, clock = Lines(), Events(), asyncio.get_running_loop().time
    heard = clock()
    watch = watched(pieces, idle)
    try:
        async for piece in watch:
            for line in lines.feed(piece):
                found = parser.feed(line)
                if found and found.event != "ping":
                    heard = clock()
                    yield found
            if clock() - heard > _PATIENCE * idle:
                raise silent(_PATIENCE * idle)
        if last := parser.rest(lines.rest()):
            yield last
    finally:
        with suppress(RuntimeError):  # the reader is in the middle of a step when its own task is being cancelled
            await watch.aclose()

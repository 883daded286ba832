"""A small HTTP server on loopback that plays raw answers, whole or broken, to test clients at the socket.

::

    async with FaultyServer([Play(body=openai_events(assistant("hi"))), Play(status=529, body=b"...")]) as server:
        model = OpenAIModel("m", api_key="k", base_url=server.url)
"""

import asyncio
import json
import socket
import struct
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

_LARGEST_HEAD = 1 << 20


@dataclass(frozen=True, slots=True)
class Play:
    """How one request is answered.

    *cut*: only so many bytes of the body are sent. *then*: what follows the last byte sent: a proper end, a closed
    connection in mid-body, a reset, or silence until the client hangs up. *pieces*: the body goes out in pieces of so
    many bytes with *pause* seconds before each. *framing*: how the body's end is told; with ``close`` a cut looks like
    an end.
    """

    status: int = 200
    body: bytes = b""
    content_type: str = "text/event-stream"
    headers: tuple[tuple[str, str], ...] = ()
    cut: int | None = None
    then: Literal["end", "close", "reset", "silence"] = "end"
    pieces: int = 0
    pause: float = 0.0
    framing: Literal["chunked", "length", "close"] = "chunked"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came over the wire."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class FaultyServer:
    """Plays one *play* a request, the last one again once they are over.

    *asked*: the requests that came; *arrived* is set with the first. *hung_up* is set once a client has left early.
    """

    def __init__(self, plays: Iterable[Play]) -> None:
        self._plays = list(plays)
        self.asked: list[Asked] = []
        self.arrived, self.hung_up = asyncio.Event(), asyncio.Event()
        self.url = ""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_LARGEST_HEAD)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server:
            self._server.close()
            await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            return
        self._tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._serve(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await _read(reader)
        self.asked.append(asked)
        self.arrived.set()
        play = self._plays.pop(0) if len(self._plays) > 1 else self._plays[0]
        writer.write(_head(play))
        gone = asyncio.ensure_future(reader.read(1))
        try:
            for piece in _pieces(play):
                if play.pause:
                    await asyncio.wait({gone}, timeout=play.pause)
                if gone.done():
                    self.hung_up.set()
                    return
                writer.write(_framed(piece, play))
                await writer.drain()
            await self._finish(play, writer, gone)
        finally:
            gone.cancel()

    async def _finish(self, play: Play, writer: asyncio.StreamWriter, gone: "asyncio.Future[bytes]") -> None:
        whole = play.cut is None or play.cut >= len(play.body)
        if play.then == "silence":
            await asyncio.wait({gone})
            self.hung_up.set()
        elif play.then == "reset":
            _reset(writer)
        elif play.then == "end" and play.framing == "chunked" and whole:
            writer.write(b"0\r\n\r\n")
            await writer.drain()


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(method, path, headers, body)


def _head(play: Play) -> bytes:
    framing = {
        "chunked": [("transfer-encoding", "chunked")],
        "length": [("content-length", str(len(play.body)))],
        "close": [],
    }
    lines = [("content-type", play.content_type), ("connection", "close"), *framing[play.framing], *play.headers]
    return "\r\n".join([f"HTTP/1.1 {play.status} X", *(f"{k}: {v}" for k, v in lines), "", ""]).encode("latin-1")


def _pieces(play: Play) -> list[bytes]:
    body = play.body[: play.cut]
    size = play.pieces or len(body) or 1
    return [body[i : i + size] for i in range(0, len(body), size)]


def _framed(piece: bytes, play: Play) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece) if play.framing == "chunked" else piece


def _reset(writer: asyncio.StreamWriter) -> None:
    """Make the close a reset: with no time to linger the kernel sends RST."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()

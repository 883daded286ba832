"""Lines that a person types or a program pipes in, also while a turn is running."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CHUNK = 65_536


class Lines:
    """Reads stdin by the line: with editing on a terminal, from our own buffer otherwise, so that no line is lost."""

    def __init__(self) -> None:
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        self._buffer = b""
        self._ended = sys.stdin is None
        if self.terminal:
            import readline  # noqa: F401  # line editing and history for ``input``

    def ask(self, prompt: str) -> str | None:
        """Return the next line, None at the end of input. Ctrl-C raises ``KeyboardInterrupt`` here.

        Nothing else runs while a person thinks: the event loop waits too.
        """
        return self._typed(prompt) if self.terminal else self._piped()

    def _typed(self, prompt: str) -> str | None:
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return input(prompt)
        except EOFError:
            return None
        finally:
            signal.signal(signal.SIGINT, before)

    def _piped(self) -> str | None:
        while b"\n" not in self._buffer and not self._ended:
            self._fill()
        if not self._buffer:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return _decoded(line)

    def _fill(self) -> None:
        piece = os.read(sys.stdin.fileno(), CHUNK)
        self._buffer += piece
        self._ended = not piece

    @contextmanager
    def watched(self, take: Callable[[str], bool]) -> Iterator[None]:
        """While this is open, offer each line that comes in to *take*; a line that it does not take stays for later."""
        loop = asyncio.get_running_loop()

        def readable() -> None:
            self._fill()
            if self._ended:
                loop.remove_reader(sys.stdin.fileno())
            self._offer(take)

        try:
            loop.add_reader(sys.stdin.fileno(), readable)
        except (OSError, ValueError, NotImplementedError):  # a file is always readable and is not watched
            yield
            return
        try:
            yield
        finally:
            loop.remove_reader(sys.stdin.fileno())

    def _offer(self, take: Callable[[str], bool]) -> None:
        kept = [
            line
            for line in self._buffer.splitlines(keepends=True)
            if not (line.endswith(b"\n") and take(_decoded(line)))
        ]
        self._buffer = b"".join(kept)


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape").strip()

"""A line to a peer: its process, started when first asked, answering orders one after the other."""

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from .environments import python_of

HERE = Path(__file__).resolve().parent
PATIENCE = 600.0  # seconds until the next line of an answer


class Refused(Exception):
    """A peer that did not finish an order: what it said, in one line."""


class Line:
    """Orders out, answers in; a peer that is silent for too long is stopped and started anew for the next order."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()

    def ask(self, order: dict[str, Any], patience: float = PATIENCE) -> Iterator[dict[str, Any]]:
        """Yield the answers to *order*. Raises ``Refused`` when the peer fails, dies, or is silent for *patience* s."""
        process = self._process or self._start()
        assert process.stdin
        with suppress(BrokenPipeError):  # it died before it was asked: its answer says so
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
        ended = False
        try:
            while not ended:
                line = self._next(patience)
                ended = "end" in line
                if not ended:
                    yield line
        finally:
            while not ended and self._process:
                ended = "end" in self._next(patience, quiet=True)

    def _next(self, patience: float, quiet: bool = False) -> dict[str, Any]:
        try:
            text = self._answers.get(timeout=patience)
        except queue.Empty:
            self.stop()
            raise Refused(f"no answer after {patience:g} s") from None
        line: dict[str, Any] = json.loads(text)
        if "died" in line:
            self.stop()
        if not quiet and ("failed" in line or "died" in line):
            raise Refused(line.get("failed", "its process ended"))
        return line

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self._process, self._answers = process, queue.Queue()
        self._reader = threading.Thread(target=_read, args=(process, self._answers), daemon=True)
        self._reader.start()
        return process

    def stop(self) -> None:
        """End the process; the next order starts a new one."""
        if self._process:
            self._process.kill()
            with suppress(BrokenPipeError), self._process:  # waits, and closes both ends
                self._reader.join()
        self._process = None


def _read(process: subprocess.Popen[str], answers: "queue.Queue[str]") -> None:
    assert process.stdout
    for text in process.stdout:
        answers.put(text)
    answers.put('{"died": true}')


@cache
def line_to(folder: str) -> Line:
    """Return the line to the peer in *folder*, always the same."""
    return Line([str(python_of(folder)), str(HERE / "peers" / folder / "peer.py")])

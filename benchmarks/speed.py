"""How fast our own engine is: one pass, a fit that changes nothing, a fit with one new message, and the CLI's start.

Everything is timed in one run on one machine and shown beside something simple, since milliseconds do not travel. CPU
time is taken, that of the programs started included, so that whatever else runs on the machine does not count.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from astroresearch.context import Engine, Policy

from .histories import History, synthetic

EMPTY = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None: ...\napp()"


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds: the least and the middle of *repeats*; *ratio* is of the least times, to those of *against*."""

    name: str
    least: float
    middle: float
    repeats: int
    ratio: float | None = None
    against: str = ""


def speeds(histories: dict[int, History]) -> list[Timing]:
    """*histories*: messages -> history; the smallest is what the others are compared with."""
    found = [_one_pass(history, size) for size, history in sorted(histories.items())]
    found = [found[0], *(_versus(t, found[0]) for t in found[1:])]
    return [*found, *_increments(histories[min(histories, key=lambda n: abs(n - 10_000))]), *_starts()]


def _one_pass(history: History, size: int) -> Timing:
    repeats = 7 if size < 5_000 else 3
    return _timed(f"one pass, {len(history.messages):,} messages", repeats, lambda: _engine().fit(history.messages))


def _increments(history: History) -> list[Timing]:
    engine, messages = _engine(), history.messages
    most = len(messages) - 200
    engine.fit(messages[:most])
    size = f"{most:,} messages"
    same = messages[:most]
    none = _timed(f"fit that changes nothing, {size}", 200, lambda: engine.fit(same))
    grown = [messages[: most + n + 1] for n in range(200)]
    turns = iter(grown)
    one = _timed(f"fit with one new message, {size}", 190, lambda: engine.fit(next(turns)))
    return [none, one]


def _starts() -> list[Timing]:
    ours = _timed("astroresearch --help", 5, lambda: _run("-m", "astroresearch", "--help"))
    empty = _timed("an empty Typer program, --help", 5, lambda: _run("-c", EMPTY, "--help"))
    return [empty, _versus(ours, empty)]


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def _engine() -> Engine:
    return Engine(Policy.adaptive(), 128_000, 8_000)


def _timed(name: str, repeats: int, run: Callable[[], object]) -> Timing:
    seconds = []
    for _ in range(repeats):
        start = _cpu()
        run()
        seconds.append(_cpu() - start)
    return Timing(name, min(seconds), median(seconds), repeats)


def _cpu() -> float:
    """Return the CPU seconds of this process (finely) and of the programs that it started and that ended (to 10 ms)."""
    started = os.times()
    return time.process_time() + started.children_user + started.children_system


def _versus(timing: Timing, other: Timing) -> Timing:
    return Timing(timing.name, timing.least, timing.middle, timing.repeats, timing.least / other.least, other.name)


def histories_for(sizes: dict[int, int]) -> dict[int, History]:
    return {size: synthetic(calls) for size, calls in sizes.items()}

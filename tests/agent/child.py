"""Processes that die, as by kill -9, at a chosen commit of a turn.

Reads lines of (database, session id, ledger, when) and forks for each, so that only the first one pays for imports;
answers with a line: the signal that ended the child, then the numbers of the events that it had shown.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from astroresearch.context.messages import assistant
from astroresearch.store.sessions import Store

from .harness import calling, opened, session_with, tool

SCRIPT = [
    calling(("c1", "look", "one"), ("c2", "write", "two"), thought="First."),
    calling(("c3", "write", "three"), text="Then."),
    assistant("All is written."),
]


class Mortal:
    """A store whose process dies at its commit number *at*: 1.0 is before the first, 1.5 right after it."""

    def __init__(self, store: Store, at: float) -> None:
        self._store, self._at, self._commits = store, at, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def begin_turn(self, *args: Any, **more: Any) -> Any:
        return await self._append("begin_turn", args, more)

    async def commit(self, *args: Any, **more: Any) -> Any:
        return await self._append("commit", args, more)

    async def _append(self, method: str, args: tuple[Any, ...], more: dict[str, Any]) -> Any:
        self._commits += 1
        self._die(self._commits)
        done = await getattr(self._store, method)(*args, **more)
        self._die(self._commits + 0.5)
        return done

    def _die(self, now: float) -> None:
        if now == self._at:
            os.kill(os.getpid(), signal.SIGKILL)


def _append_line(path: str, line: str) -> None:
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


async def turn(database: str, session_id: str, ledger: str, at: float, shown: str) -> None:
    async def look(text: str) -> str:
        return f"saw {text}"

    async def write(text: str) -> str:
        _append_line(ledger, text)  # the side effect, which must not happen twice
        return f"wrote {text}"

    tools = [tool("look", look), tool("write", write, read_only=False, idempotent=False)]
    async with opened(Path(database)) as store:
        session = await session_with(Mortal(store, at), SCRIPT, tools=tools, session_id=session_id)
        async for published in (running := session.send("Write two and three")):
            _append_line(shown, str(published.seq))
        await running.finished()


def main() -> None:
    for line in sys.stdin:
        database, session_id, ledger, at = line.rstrip("\n").split("\t")
        shown = f"{ledger}.shown"
        if (child := os.fork()) == 0:
            asyncio.run(turn(database, session_id, ledger, float(at), shown))
            os._exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        seen = Path(shown).read_text(encoding="utf-8").split() if Path(shown).exists() else []
        print(ended, *seen, flush=True)


if __name__ == "__main__":
    main()

"""How long a turn takes to end once it is cancelled: ``python -m benchmarks.cancel`` (the bar is 200 ms).

A turn of six steps with tools, waits for a provider and compactions runs on a real SQLite database and is cancelled at
50 random moments of its length. What is measured is the time from the wish to the committed end of the turn.
"""

import asyncio
import random
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.agent.harness import lengthy, opened, session_with, tool
from tests.agent.test_cancel_moments import MOMENTS, SOFT_LIMIT, Slow, dig

from astroresearch.store.sessions import Store


async def back_off(seconds: float) -> None:
    await asyncio.sleep(0.05)


async def play(store: Store, moment: float | None) -> tuple[float, float]:
    """Return the seconds that the whole turn took, and those after the cancel."""
    tools = [tool("lengthy", lengthy), tool("dig", dig)]
    session = await session_with(store, Slow(), tools=tools, sleep=back_off, token_soft_limit=SOFT_LIMIT)
    started = asked = time.perf_counter()
    finished = asyncio.ensure_future(session.send("A long question").finished())
    if moment is not None:
        await asyncio.wait({finished}, timeout=moment)
        asked = time.perf_counter()
        session.cancel()
    await finished
    ended = time.perf_counter()
    await session.close()
    return ended - started, ended - asked


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder) / "sessions.db") as store:
            whole, _ = await play(store, None)
            dice = random.Random(1)
            took = [(await play(store, dice.uniform(0, whole)))[1] for _ in range(MOMENTS)]
    print(f"a whole turn: {whole * 1000:.0f} ms; {MOMENTS} cancels: median {median(took) * 1000:.1f} ms, ", end="")
    print(f"longest {max(took) * 1000:.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())

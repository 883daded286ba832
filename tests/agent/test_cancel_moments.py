"""Cancel at 50 random moments of one long turn: while it waits, streams, runs tools, backs off or compacts.

The turn's steps are counted in rounds of the event loop, so no moment depends on how fast the machine is. How many
milliseconds it takes is measured by ``python -m benchmarks.cancel``.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from astroresearch.agent.session import Session
from astroresearch.context.messages import Message, assistant
from astroresearch.model.base import Chunk, Reply, Request, TextDelta, Usage
from astroresearch.model.faults import Fault, FaultKind, ModelFailure

from .harness import calling, check_pairs, lengthy, run, session_with, tool, transcript
from .memory_store import MemoryStore

MOMENTS = 50
ROUNDS = 40  # of the event loop that a turn may take to end once it is cancelled: each commit and each close is a few
SOFT_LIMIT = 4_000


class Slow:
    """A model that takes its time between pieces, is overloaded at every second request, and summarises when asked."""

    name = "slow"

    def __init__(self) -> None:
        self.asked = self.steps = 0

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        self.asked += 1
        await pause(5)
        if self.asked % 2 == 0:
            raise ModelFailure(Fault(kind=FaultKind.Overloaded, message="busy", retryable=True))
        message = self._next(request)
        for at in range(0, len(message.text), 250):
            yield TextDelta(message.text[at : at + 250])
            await pause(3)
        yield Reply(message, Usage(500, 9, estimated=True), "tool_use" if message.calls else "end")

    def _next(self, request: Request) -> Message:
        if request.extra:
            return assistant("What was found so far is in the ledger.")
        self.steps += 1
        if self.steps > 5:
            return assistant("The answer. " * 60)
        looked = (f"c{self.steps}", "lengthy", f"{300 + self.steps}"), (f"d{self.steps}", "dig", "")
        return calling(*looked, text="I look. " * 60)


async def pause(rounds: int) -> None:
    for _ in range(rounds):
        await asyncio.sleep(0)


async def dig(text: str) -> str:
    await pause(12)
    return "found it"


async def back_off(seconds: float) -> None:
    await pause(15)


@dataclass
class Played:
    session: Session
    rounds: int
    after: int  # rounds from the cancel to the end
    types: list[str]


async def play(store: MemoryStore, moment: int | None) -> Played:
    """Run the turn and cancel it after *moment* rounds."""
    tools = [tool("lengthy", lengthy), tool("dig", dig)]
    session = await session_with(store, Slow(), tools=tools, sleep=back_off, token_soft_limit=SOFT_LIMIT)
    running = session.send("A long question")
    finished = asyncio.ensure_future(running.finished())
    rounds, cancelled_at = 0, 0
    while not finished.done():
        if rounds == moment:
            session.cancel()
            cancelled_at = rounds
        rounds += 1
        await asyncio.sleep(0)
    await session.close()
    types = [published.event.type async for published in running]
    return Played(session, rounds, rounds - cancelled_at if moment is not None else 0, types)


@pytest.fixture(scope="module")
def whole() -> Played:
    return asyncio.run(play(MemoryStore(), None))


def test_the_turn_passes_through_everything_that_can_be_cancelled(whole: Played) -> None:
    assert {"tool_call", "tool_result", "compaction", "notice", "text_delta"} <= set(whole.types)
    assert whole.rounds > MOMENTS * 2


@pytest.mark.parametrize("seed", range(MOMENTS))
async def test_a_turn_cancelled_at_any_moment_ends_soon_and_the_next_one_works(whole: Played, seed: int) -> None:
    store = MemoryStore()
    moment = random.Random(seed).randrange(whole.rounds)
    played = await play(store, moment)
    assert played.after <= ROUNDS
    events = [event.payload for event in await store.events(played.session.id)]
    assert events[-1]["type"] == "done"
    assert events[-1]["status"] in ("cancelled", "answered")
    messages = await transcript(store, played.session)
    check_pairs(messages)
    if events[-1]["status"] == "cancelled":
        assert messages[-1].text.endswith("[cancelled by the user]")
    again = await session_with(store, [assistant("The next answer.")], session_id=played.session.id)
    assert (await run(again, "Next?"))[-1].event.payload()["status"] == "answered"
    check_pairs(await transcript(store, again))
    await again.close()

"""Any schedule of faults, through the whole loop: an answer or one explicit error, and a session that goes on.

2,000 seeded schedules here, 100,000 in ``make laws``. The clock only moves by the waits that the loop asks for.
"""

import itertools
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any, get_args

import pytest

from astroresearch.agent.journal import Published
from astroresearch.agent.session import Session
from astroresearch.config import Settings
from astroresearch.context.messages import Message, assistant
from astroresearch.model.base import Chunk, Reply, Request, TextDelta, Usage
from astroresearch.model.chaotic import TROUBLES, ChaoticModel, Trouble, fault, schedule
from astroresearch.model.faults import ModelFailure
from astroresearch.store.sessions import Store
from astroresearch.tools.base import Tool

from .harness import Sleeps, calling, check_pairs, echo, run, session_with, tool, transcript
from .memory_store import MemoryStore

SCHEDULES = 100_000 if os.environ.get("HYPOTHESIS_PROFILE") == "laws" else 2_000
CHUNK = 100  # schedules that share one database
ANSWER = "".join(f"Sentence {n} of the answer says that the Hubble constant is {60 + n} km/s/Mpc. " for n in range(12))
PIECE = 210  # characters: so much is shown at once, so a stream that breaks has shown some
FATAL = frozenset({"quota", "bad_key", "filtered"})


class Careful:
    """A model that decides from the history: it lets the telescope move once, looks, and then answers."""

    def __init__(self, name: str = "careful") -> None:
        self.name = name

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        message = self._next(request)
        for at in range(0, len(message.text), PIECE):
            yield TextDelta(message.text[at : at + PIECE])
        stop = "tool_use" if message.calls else "end"
        yield Reply(message, Usage(prompt_tokens=900, completion_tokens=20), stop)

    def _next(self, request: Request) -> Message:
        said = [m for m in request.history if m.result or m.calls or (m.origin == "human" and m.role == "user")]
        if said[-1].result is None:
            return calling(("a", "move", "north"), ("b", "echo", "hello"), text="I move the telescope. ")
        return assistant(ANSWER)


def faults_of(seed: int) -> list[Trouble]:
    """Return a schedule: mostly what passes, and every seventh of any kind."""
    dice = random.Random(seed)
    passing = tuple(t for t in TROUBLES if t not in FATAL)
    return schedule(seed, dice.randrange(14), TROUBLES if seed % 7 == 0 else passing)


@pytest.mark.laws
@pytest.mark.parametrize("start", range(0, SCHEDULES, CHUNK))
async def test_every_schedule_ends_in_an_answer_or_in_one_error(start: int) -> None:
    store = MemoryStore()
    for seed in range(start, start + CHUNK):
        await try_schedule(store, seed)


async def test_schedules_end_well_in_a_real_database_too(store: Store) -> None:
    for seed in range(20):
        await try_schedule(store, seed)


async def try_schedule(store: Any, seed: int) -> None:
    moved: Counter[str] = Counter()

    async def move(where: str) -> str:
        moved[where] += 1
        return "moved"

    sleeps, troubles = Sleeps(), faults_of(seed)
    model = ChaoticModel(Careful(), troubles, seed=seed, sleep=sleeps)
    models = [model, Careful("second")] if seed % 3 == 0 else [model]
    tools = (tool("move", move, read_only=False), tool("echo", echo))
    session = await session_with(store, models, tools=tools, sleep=sleeps)
    events = await run(session, "What is the Hubble constant?")
    told = f"seed {seed}: {troubles[: len(model.played)]}"

    check_end(events, told)
    assert sum(sleeps.waits) <= Settings().max_wait_secs + 0.5 * 12 * model.played.count("slow"), told
    assert max(moved.values(), default=0) <= 1, told
    check_shown(events, told)
    check_pairs(await transcript(store, session))
    await session.close()
    for trouble in model.played[:-1]:
        assert trouble not in FATAL, f"{told}: {trouble} was tried again"
    if seed % 10 == 0:
        await check_next_turn(store, session, tools)


def check_end(events: Sequence[Published], told: str) -> None:
    types = [published.event.type for published in events]
    assert types[-1] == "done", told
    assert types.count("done") == 1, told
    done = events[-1].event.payload()
    if done["status"] == "answered":
        assert done["answer"] == ANSWER, told
        assert "error" not in types, told
    else:
        assert (done["status"], types.count("error")) == ("failed", 1), told
    calls = [p.event.payload()["id"] for p in events if p.event.type == "tool_call"]
    assert calls == [p.event.payload()["id"] for p in events if p.event.type == "tool_result"], told


def check_shown(events: Sequence[Published], told: str) -> None:
    """Of each model call, the text of its last attempt is what was said, once; earlier attempts are superseded."""
    shown = ""
    for _, group in itertools.groupby(events, key=lambda p: p.event.type == "tool_call"):
        texts: dict[int, str] = {}
        for delta in (p.event.payload() for p in group if p.event.type == "text_delta"):
            attempt = delta.get("attempt") or 0
            assert isinstance(attempt, int)
            texts[attempt] = texts.get(attempt, "") + str(delta["text"])
        shown = texts[max(texts)] if texts else shown
        assert ANSWER.startswith(shown) or "I move the telescope. ".startswith(shown), f"{told}: {shown!r}"
    if events[-1].event.payload()["status"] == "answered":
        assert shown == ANSWER, told


async def check_next_turn(store: Any, session: Session, tools: Sequence[Tool]) -> None:
    again = await session_with(store, Careful(), tools=tools, session_id=session.id)
    (*_, done) = await run(again, "And now?")
    assert done.event.payload()["status"] == "answered"
    check_pairs(await transcript(store, session))
    await again.close()


def test_every_trouble_of_the_schedules_is_one_that_the_provider_can_send() -> None:
    assert set(get_args(Trouble)) >= FATAL
    for trouble in FATAL:
        assert not fault(trouble, random.Random(1)).retryable, f"{trouble} would be retried"
        assert ModelFailure(fault(trouble, random.Random(1))).fault.kind

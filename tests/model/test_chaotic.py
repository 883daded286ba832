"""The shipped fakes: whatever the schedule, a caller who follows the ladder ends with an answer or one fault."""

import random

from astroresearch.context.messages import ToolCall, assistant, user
from astroresearch.model.base import Model, Reply, Request, TextDelta
from astroresearch.model.chaotic import TROUBLES, ChaoticModel, fault, schedule
from astroresearch.model.faults import Fault, ModelFailure, noticed
from astroresearch.model.ladder import Attempts, Retry, Situation, Surface, next_rung
from astroresearch.model.scripted import Broken, ScriptedModel

ASK = Request(model="m", history=(user("x"),))
CALL = ToolCall("a", "write_note", '{"text": "n"}')
ANSWER = assistant("The answer, in some words.", CALL)


class FakeClock:
    """Sleeps cost nothing and are counted."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def outcome(model: Model) -> Reply | Fault:
    try:
        chunks = [chunk async for chunk in model.stream(ASK)]
    except ModelFailure as failure:
        return failure.fault
    assert isinstance(chunks[-1], Reply)
    assert "".join(c.text for c in chunks if isinstance(c, TextDelta)) == chunks[-1].message.text
    return chunks[-1]


async def climb(model: Model, clock: FakeClock, situation: Situation) -> Reply | Fault:
    attempts = Attempts()
    while True:
        found = await outcome(model)
        if isinstance(found, Reply):
            return found
        rung, attempts = next_rung(found, attempts, situation)
        if isinstance(rung, Surface):
            return found
        if isinstance(rung, Retry):
            await clock.sleep(rung.delay)


async def test_300_schedules_end_in_the_whole_answer_or_in_one_fault_within_the_wait() -> None:
    ends = set()
    for seed in range(300):
        clock = FakeClock()
        inner = ScriptedModel([ANSWER] * 40, piece=5)
        model = ChaoticModel(inner, schedule(seed, 30), seed=seed, sleep=clock.sleep)
        found = await climb(model, clock, Situation(key=f"s{seed}", fallback="other", max_wait=120))
        asleep = 0.5 * 6 * model.played.count("slow") + 0.5 * model.played.count("slow")
        assert clock.now <= 120 + asleep
        assert isinstance(found, Fault) or found.message == ANSWER
        ends.add(type(found))
    assert ends == {Reply, Fault}


async def test_a_schedule_is_the_same_again_for_the_same_seed() -> None:
    async def play() -> list[str]:
        model = ChaoticModel(ScriptedModel([ANSWER] * 40, piece=3), schedule(7, 20), seed=7, sleep=FakeClock().sleep)
        return [str(await outcome(model)) for _ in range(20)]

    assert await play() == await play()


def test_every_trouble_is_a_fault_of_some_kind() -> None:
    kinds = {t: fault(t, random.Random(1)).kind for t in TROUBLES if t not in {"none", "slow"}}
    assert kinds["quota"] == "Quota"
    assert kinds["too_large"] == kinds["too_long"] == "PromptTooLong"
    assert kinds["error_event"] == kinds["overloaded"] == "Overloaded"
    assert kinds["truncated"] == kinds["reset"] == "Network"


async def test_a_script_can_break_after_some_text_and_keeps_the_requests() -> None:
    model = ScriptedModel([Broken((TextDelta("half an "),)), noticed("silent"), ANSWER])
    assert [type(await outcome(model)) for _ in range(3)] == [Fault, Fault, Reply]
    assert model.requests == [ASK] * 3

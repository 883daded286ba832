"""What broke in other agents' loops, each fault by its public report: streams, cancels, retries, cut answers."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from astroresearch.context.messages import Thinking, ToolCall, assistant
from astroresearch.model.base import Chunk, Reply, Request, TextDelta, Usage
from astroresearch.model.faults import Fault, FaultKind, classify_error
from astroresearch.model.scripted import Broken, ScriptedModel
from astroresearch.store.sessions import Store

from .harness import Sleeps, calling, check_pairs, echo, run, session_with, tool, transcript, types
from .test_recovery import shown

BUSY = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


async def test_pi_5538_a_stop_while_a_call_is_written_leaves_no_half_call(store: Store) -> None:
    class Writing:
        name = "writing"
        reached = asyncio.Event()

        async def stream(self, request: Request) -> AsyncIterator[Chunk]:
            yield TextDelta("I will read it. ")
            self.reached.set()  # the provider sends arguments; they reach us only with the whole reply
            await asyncio.Event().wait()

    model = Writing()
    session = await session_with(store, model)
    running = session.send("Read it")
    await model.reached.wait()
    session.cancel()
    assert (await running.finished()).status == "cancelled"
    messages = await transcript(store, session)
    assert [message.calls for message in messages] == [(), ()]
    assert messages[-1].text == "I will read it.\n\n[cancelled by the user]"


async def test_codex_394_ellmer_459_a_stop_while_a_tool_runs_gives_its_call_a_result(store: Store) -> None:
    reached = asyncio.Event()

    async def forever(text: str) -> str:
        reached.set()
        await asyncio.Event().wait()
        return ""

    session = await session_with(store, [calling(("a", "dig", ""))], tools=[tool("dig", forever)])
    running = session.send("Dig")
    await reached.wait()
    session.cancel()
    await running.finished()
    check_pairs(await transcript(store, session))
    again = await session_with(store, [assistant("Fine.")], session_id=session.id)
    assert (await run(again, "Next?"))[-1].event.payload()["status"] == "answered"


async def test_agent_os_2137_an_error_event_after_deltas_is_no_end_of_the_answer(store: Store) -> None:
    half = "The first half of the answer. " * 10
    broken = Broken((TextDelta(half),), classify_error(body=BUSY))
    session = await session_with(store, [broken, assistant("The whole answer.")])
    events = await run(session, "Go")
    assert events[-1].event.payload()["answer"] == shown(events) == "The whole answer."
    assert [m.text for m in await transcript(store, session)] == ["Go", "The whole answer."]


async def test_roo_code_5050_paperclip_2234_nothing_but_429s_is_no_success(store: Store) -> None:
    limited = classify_error(status=429, body={"error": {"type": "rate_limit_error", "message": "Slow down"}})
    session = await session_with(store, [limited] * 40)
    events = await run(session, "Go")
    assert types(events)[-3:] == ["error", "usage", "done"]
    assert events[-1].event.payload()["status"] == "failed"


@pytest.mark.parametrize("kind", [FaultKind.Quota, FaultKind.ContentFilter, FaultKind.Auth, FaultKind.NotFound])
async def test_pi_4172_bettafish_108_what_no_waiting_heals_is_asked_once(store: Store, kind: FaultKind) -> None:
    model, sleeps = ScriptedModel([Fault(kind=kind, message="no"), assistant("Never asked.")]), Sleeps()
    session = await session_with(store, model, sleep=sleeps)
    assert (await run(session, "Go"))[-1].event.payload()["status"] == "failed"
    assert (len(model.requests), sleeps.waits) == (1, [])


async def test_pi_9595_jcode_1183_a_wait_of_90_seconds_that_the_server_asks_for_is_kept(store: Store) -> None:
    limited = classify_error(status=429, headers={"retry-after": "90"}, body="Too many requests")
    sleeps = Sleeps()
    session = await session_with(store, [limited, assistant("Here.")], sleep=sleeps)
    events = await run(session, "Go")
    assert events[-1].event.payload()["answer"] == "Here."
    assert len(sleeps.waits) == 1
    assert 90 <= sleeps.waits[0] <= 99
    (told,) = [e.event.payload()["text"] for e in events if e.event.type == "notice"]
    assert f"{sleeps.waits[0]:.1f} s" in str(told)


async def test_a_server_that_asks_for_an_hour_is_not_waited_for(store: Store) -> None:
    limited, sleeps = classify_error(status=429, headers={"retry-after": "3600"}), Sleeps()
    session = await session_with(store, [limited, assistant("Never.")], sleep=sleeps)
    assert (await run(session, "Go"))[-1].event.payload()["status"] == "failed"
    assert sleeps.waits == []


def cut(text: str, *calls: ToolCall) -> Reply:
    return Reply(assistant(text, *calls), Usage(100, 50, estimated=True), "length")


async def test_an_answer_cut_by_its_limit_goes_on_from_its_last_word(store: Store) -> None:
    model = ScriptedModel([cut("One, two, "), cut("three, "), assistant("four.")])
    session = await session_with(store, model)
    events = await run(session, "Count")
    assert events[-1].event.payload()["answer"] == shown(events) == "One, two, three, four."
    assert [m.text for m in await transcript(store, session)] == ["Count", "One, two, three, four."]
    assert model.requests[1].history[-2].text == "One, two, "


async def test_an_answer_that_never_ends_is_continued_three_times_and_kept(store: Store) -> None:
    session = await session_with(store, [cut(f"Part {n}. ") for n in range(9)])
    events = await run(session, "Go")
    assert events[-1].event.payload()["answer"] == "Part 0. Part 1. Part 2. Part 3. "
    assert "cut" in [e.event.payload()["kind"] for e in events if e.event.type == "notice"]


async def test_a_call_that_its_limit_cut_is_not_run(store: Store) -> None:
    ran: list[str] = []

    async def act(text: str) -> str:
        ran.append(text)
        return await echo(text)

    half = cut("I look. ", ToolCall("a", "act", '{"text": "no'))
    session = await session_with(store, [half, assistant("Done.")], tools=[tool("act", act)])
    events = await run(session, "Go")
    assert ran == []
    assert events[-1].event.payload()["answer"] == "I look. Done."


async def test_openclaude_1052_gitnexus_43_reasoning_stays_with_its_call_through_the_store(store: Store) -> None:
    thought = Thinking("hm", signature="c2lnbmVk", extra={"provider": "x", "kept": [1]})
    reply = assistant("", ToolCall("a", "echo", '{"text": "hi"}'))
    reply = type(reply)("assistant", (thought, *reply.parts), extra={"reasoning_id": "r1"})
    session = await session_with(store, [reply, assistant("Done.")])
    await run(session, "Go")
    model = ScriptedModel([assistant("Again.")])
    again = await session_with(store, model, session_id=session.id)
    await run(again, "Next?")
    (kept,) = [m for m in model.requests[0].history if m.calls]
    assert kept.parts[0] == thought
    assert kept.extra == {"reasoning_id": "r1"}

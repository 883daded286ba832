"""A turn from question to answer: the events, their order, and what is stored."""

import asyncio

from astroresearch.context.messages import assistant
from astroresearch.model.base import Reply, Usage
from astroresearch.model.scripted import ScriptedModel
from astroresearch.store.sessions import Store
from astroresearch.tools.base import Outcome

from .harness import PAPER, calling, check_pairs, echo, run, session_with, tool, transcript, types


async def test_events_come_in_order_and_are_in_the_store_with_their_numbers(store: Store) -> None:
    script = [calling(("a", "echo", "one"), ("b", "echo", "two"), thought="Look first."), assistant("Both echo.")]
    session = await session_with(store, script)
    events = await run(session, "What echoes?")
    assert types(events) == [
        "session",
        "thought",
        "tool_call",
        "tool_call",
        "tool_result",
        "tool_result",
        "text_delta",
        "usage",
        "done",
    ]
    assert [e.seq for e in events] == list(range(1, 10))
    stored = await store.events(session.id)
    assert [(s.seq, dict(s.payload)) for s in stored] == [(e.seq, _jsonable(e.event.payload())) for e in events]


def _jsonable(payload: object) -> object:
    """As JSON gives it back: tuples are lists."""
    if isinstance(payload, dict):
        return {k: _jsonable(v) for k, v in payload.items()}
    return [_jsonable(v) for v in payload] if isinstance(payload, tuple | list) else payload


async def test_an_event_is_in_the_store_before_it_is_shown(store: Store) -> None:
    session = await session_with(store, [calling(("a", "echo", "x")), assistant("Done.")])
    seen: list[int] = []
    session.journal.listeners.append(lambda published: seen.append(published.seq))
    running = session.send("Go")
    async for published in running:
        assert published.seq in {event.seq for event in await store.events(session.id)}
    assert seen == list(range(1, len(seen) + 1))


async def test_read_only_tools_run_side_by_side_and_results_keep_the_order_of_the_calls(store: Store) -> None:
    started: list[str] = []
    second_is_done = asyncio.Event()

    async def meet(text: str) -> str:
        started.append(text)
        if text == "first":
            await second_is_done.wait()
        else:
            second_is_done.set()
        return text

    script = [calling(("a", "meet", "first"), ("b", "meet", "second")), assistant("They met.")]
    session = await session_with(store, script, tools=[tool("meet", meet)])
    events = await run(session, "Meet")
    assert started == ["first", "second"]
    results = [e.event.payload() for e in events if e.event.type == "tool_result"]
    assert [(r["id"], r["preview"], r["ref"]) for r in results] == [("a", "first", "m2"), ("b", "second", "m3")]
    check_pairs(await transcript(store, session))


async def test_the_step_limit_ends_in_an_answer_without_tools(store: Store) -> None:
    script = [calling((f"c{k}", "echo", str(k))) for k in range(3)] + [assistant("What I know so far.")]
    model = ScriptedModel(script)
    session = await session_with(store, model, max_steps=3)
    events = await run(session, "Go on for ever")
    done = events[-1].event.payload()
    assert (done["status"], done["answer"]) == ("step_limit", "What I know so far.")
    assert len(model.requests) == 4
    assert model.requests[-1].extra["tool_choice"] == "none"
    assert model.requests[-1].tools == model.requests[0].tools  # the cached prefix holds


async def test_calls_in_the_final_answer_are_not_run(store: Store) -> None:
    session = await session_with(store, [calling(("a", "echo", "1")), calling(("b", "echo", "2"))], max_steps=1)
    events = await run(session, "Go")
    assert [e.event.payload()["id"] for e in events if e.event.type == "tool_call"] == ["a"]
    assert events[-1].event.payload()["status"] == "step_limit"
    check_pairs(await transcript(store, session))


async def test_long_output_is_stored_whole_shown_cut_and_recalled_by_its_reference(store: Store) -> None:
    model = ScriptedModel([calling(("a", "lengthy", "900")), assistant("Long.")])
    session = await session_with(store, model)
    await run(session, "Read")
    shown = model.requests[-1].history[-1].text
    assert len(shown) <= 4_000
    assert "recall m2" in shown
    whole = (await store.message(session.id, 2)).message.text
    assert whole.endswith("900 line 899 says 808201 Mpc")
    assert "says 202500 Mpc" not in shown
    assert "says 202500 Mpc" in await session.recall("m2", query="202500")


async def test_the_answer_names_its_papers_also_after_a_restart(store: Store) -> None:
    session = await session_with(store, [calling(("a", "quote", "")), assistant("I read it.")])
    assert (await run(session, "Read Planck"))[-1].event.payload()["citations"] == ()
    again = await session_with(store, [assistant(f"67.4 [{PAPER.id}] abstract")], session_id=session.id)
    done = (await run(again, "What is H0?"))[-1].event.payload()
    assert done["citations"] == ({"id": PAPER.id, "title": PAPER.title, "year": 2020, "place": "abstract"},)


async def test_a_follow_up_has_the_same_prefix_byte_for_byte(store: Store) -> None:
    first = ScriptedModel([calling(("a", "lengthy", "900")), assistant("One.")])
    session = await session_with(store, first)
    await run(session, "First?")
    second = ScriptedModel([assistant("Two.")])
    again = await session_with(store, second, session_id=session.id)
    await run(again, "Second?")
    before, after = first.requests[-1], second.requests[-1]
    assert after.history[: len(before.history)] == before.history
    assert after.tools == before.tools


async def test_the_plan_follows_the_question_of_the_next_turn(store: Store) -> None:
    from astroresearch.store.sessions import Task

    model = ScriptedModel([assistant("One."), assistant("Two.")])
    session = await session_with(store, model)
    await run(session, "First?")
    await store.commit(session.id, 1, tasks=[Task("1", "read Planck", "in_progress")], fence=session.journal.fence)
    await run(session, "Second?")
    last = model.requests[-1].history[-1]
    assert (last.origin, last.text) == ("tasks", "[Current tasks]\n[>] 1. read Planck")


async def test_the_same_call_with_the_same_result_is_skipped_the_third_time(store: Store) -> None:
    made: list[str] = []

    async def count(text: str) -> str:
        made.append(text)
        return "always this"

    script = [calling((f"c{k}", "count", "x")) for k in range(3)] + [assistant("Enough.")]
    session = await session_with(store, script, tools=[tool("count", count)])
    events = await run(session, "Count")
    assert made == ["x", "x"]
    assert [e.event.payload()["status"] for e in events if e.event.type == "tool_result"] == ["ok", "ok", "skipped"]
    check_pairs(await transcript(store, session))


async def test_a_spent_budget_ends_the_turn_with_an_answer(store: Store) -> None:
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(6)] + [assistant("Out of budget.")] * 6
    session = await session_with(store, script, token_soft_limit=3_000, token_hard_limit=4_000)
    events = await run(session, "Read everything")
    assert events[-1].event.payload()["status"] == "budget"
    kinds = [e.event.payload()["kind"] for e in events if e.event.type == "notice"]
    assert kinds.count("over_hard") == 1


async def test_an_answer_cut_at_its_limit_is_continued(store: Store) -> None:
    usage = Usage(100, 10)
    script = [Reply(assistant("The first half "), usage, "length"), Reply(assistant("and the second."), usage, "end")]
    session = await session_with(store, script)
    events = await run(session, "Tell all")
    assert events[-1].event.payload()["answer"] == "The first half and the second."
    text = "".join(str(e.event.payload()["text"]) for e in events if e.event.type == "text_delta")
    assert text == "The first half and the second."
    assert [m.text for m in await transcript(store, session)][-1] == "The first half and the second."


async def test_what_a_tool_raises_is_a_result_and_every_call_is_in_the_audit_log(store: Store) -> None:
    async def explode(text: str) -> Outcome:
        raise RuntimeError("no telescope")

    session = await session_with(
        store, [calling(("a", "boom", "")), assistant("It failed.")], tools=[tool("boom", explode)]
    )
    events = await run(session, "Try")
    result = next(e.event.payload() for e in events if e.event.type == "tool_result")
    assert result["status"] == "error"
    assert "no telescope" in str(result["preview"])
    audit = await store.audit(session.id)
    assert [(row.step, row.tool_name, row.call_id, row.status) for row in audit] == [(1, "boom", "a", "error")]


async def test_two_questions_at_once_are_refused(store: Store) -> None:
    import pytest

    from astroresearch.agent.session import SessionBusy

    session = await session_with(store, [assistant("One.")])
    running = session.send("First")
    with pytest.raises(SessionBusy):
        session.send("Second")
    await running.finished()


async def test_hanging_up_does_not_stop_a_turn(store: Store) -> None:
    session = await session_with(store, [calling(("a", "echo", "x")), assistant("Done all the same.")])
    running = session.send("Go")
    async for _ in running:
        break
    assert (await running.finished()).answer == "Done all the same."


async def test_tools_of_the_test_echo() -> None:
    assert await echo("x") == "echo x"

"""What a failing provider does to a turn: it recovers, or ends in one explicit error; nothing is shown twice."""

from collections.abc import Sequence

from astroresearch.agent.journal import Published
from astroresearch.context.messages import assistant
from astroresearch.model.base import TextDelta
from astroresearch.model.faults import Fault, FaultKind
from astroresearch.model.scripted import Broken, ScriptedModel
from astroresearch.store.sessions import Store

from .harness import Sleeps, calling, check_pairs, run, session_with, transcript, types

OVERLOADED = Fault(kind=FaultKind.Overloaded, message="busy", retryable=True)
TOO_LONG = Fault(kind=FaultKind.PromptTooLong, message="too long", cause="tokens", window=8_000, prompt_tokens=9_000)


def shown(events: Sequence[Published]) -> str:
    """Return the text that a client shows which drops what belongs to an earlier attempt."""
    text, attempt = "", None
    for published in events:
        payload = published.event.payload()
        if payload["type"] == "text_delta":
            text = text if payload.get("attempt") == attempt else ""
            text, attempt = text + str(payload["text"]), payload.get("attempt")
    return text


async def test_an_overload_is_waited_for_and_said(store: Store) -> None:
    sleeps = Sleeps()
    session = await session_with(store, [OVERLOADED, OVERLOADED, assistant("At last.")], sleep=sleeps)
    events = await run(session, "Go")
    assert types(events) == ["session", "notice", "notice", "text_delta", "usage", "done"]
    assert 0.5 <= sleeps.waits[0] <= 0.7
    assert 1.0 <= sleeps.waits[1] <= 1.3


async def test_a_stream_that_breaks_is_begun_anew_and_no_text_is_seen_twice(store: Store) -> None:
    half = "The answer is long. " * 20  # long enough to have been shown when the stream breaks
    session = await session_with(store, [Broken((TextDelta(half),)), assistant(half + "It is 42.")])
    events = await run(session, "Go")
    assert next(e.event.payload()["text"] for e in events if e.event.type == "text_delta") == half
    assert shown(events) == half + "It is 42."
    assert events[-1].event.payload()["answer"] == half + "It is 42."
    assert [m.text for m in await transcript(store, session)] == ["Go", half + "It is 42."]


async def test_three_overloads_in_a_row_bring_the_fallback_for_this_turn(store: Store) -> None:
    first = ScriptedModel([OVERLOADED] * 3 + [assistant("First again.")], name="first")
    second = ScriptedModel([assistant("From the second.")], name="second")
    session = await session_with(store, [first, second])
    events = await run(session, "Go")
    assert events[-1].event.payload()["answer"] == "From the second."
    assert [e.event.payload()["kind"] for e in events if e.event.type == "notice"] == ["retry", "retry", "fallback"]
    assert (await run(session, "And now?"))[-1].event.payload()["answer"] == "First again."


async def test_what_waiting_cannot_heal_is_one_error_with_advice(store: Store) -> None:
    session = await session_with(store, [Fault(kind=FaultKind.Quota, message="no credit")])
    events = await run(session, "Go")
    assert types(events) == ["session", "error", "usage", "done"]
    failed = events[1].event.payload()
    assert (failed["kind"], failed["message"]) == ("Quota", "no credit")
    assert "billing" in str(failed["advice"])
    assert events[-1].event.payload()["status"] == "failed"
    check_pairs(await transcript(store, session))
    again = await session_with(store, [assistant("Works.")], session_id=session.id)
    assert (await run(again, "Next?"))[-1].event.payload()["status"] == "answered"


async def test_a_prompt_that_is_too_long_is_made_smaller_and_the_window_learned(store: Store) -> None:
    calls = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(5)]
    session = await session_with(store, [*calls, TOO_LONG, assistant("Fits now.")])
    events = await run(session, "Read five")
    assert "compaction" in types(events)
    assert events[-1].event.payload()["answer"] == "Fits now."
    assert session.journal.window.limits.window == 8_000
    assert session.journal.window.tokens <= 8_000


async def test_an_empty_answer_is_asked_for_again(store: Store) -> None:
    session = await session_with(store, [assistant(""), assistant("Not empty.")])
    assert (await run(session, "Go"))[-1].event.payload()["answer"] == "Not empty."


async def test_what_nobody_expected_is_an_error_event_and_the_session_goes_on(store: Store) -> None:
    session = await session_with(store, [ZeroDivisionError("a bug"), assistant("Fine.")])
    events = await run(session, "Go")
    assert types(events) == ["session", "error", "usage", "done"]
    assert events[1].event.payload()["kind"] == "Internal"
    assert (await run(session, "Again"))[-1].event.payload()["answer"] == "Fine."

"""Compaction inside a turn: the request stays inside its limit, the pairs whole, and a resumed view is the same."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from astroresearch.agent.breakdown import breakdown
from astroresearch.context.messages import assistant
from astroresearch.context.tokens import estimate_message
from astroresearch.model.base import Chunk, Request
from astroresearch.model.faults import Fault, FaultKind
from astroresearch.model.scripted import ScriptedModel, Step
from astroresearch.store.sessions import Store

from .harness import calling, check_pairs, run, session_with, transcript, types

LIMIT = 4_000
SUMMARY = assistant("H0 was read in three papers.")


class Summarising(ScriptedModel):
    """Plays its script; requests for a summary are answered beside it, with *summary*."""

    def __init__(self, script: Sequence[Step], summary: Step = SUMMARY) -> None:
        super().__init__(script)
        self._summary = summary

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        wanted = request.history[-1].origin == "reminder" and "tool_choice" in request.extra
        model = ScriptedModel([self._summary]) if wanted else super()
        async for chunk in model.stream(request):
            yield chunk


def tokens(request: Request) -> int:
    return sum(map(estimate_message, request.history))


async def test_three_papers_under_a_small_limit(store: Store) -> None:
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(3)] + [assistant("From three papers.")]
    model = Summarising(script)
    session = await session_with(store, model, token_soft_limit=LIMIT)
    events = await run(session, "Compare three papers")
    assert events[-1].event.payload()["answer"] == "From three papers."
    compactions = [e.event.payload() for e in events if e.event.type == "compaction"]
    assert compactions
    for done in compactions:
        assert done["after_tokens"] < done["before_tokens"]
    for request in model.requests:
        check_pairs(request.history)
        results = [estimate_message(m) for m in request.history if m.role == "tool"]
        assert tokens(request) <= LIMIT + (results[-1] if results else 0)  # over it by the last result at most
    check_pairs(await transcript(store, session))


async def test_a_resumed_view_is_the_same_and_nothing_is_summarised_twice(store: Store) -> None:
    script = [calling((f"c{k}", "lengthy", str(120 + k))) for k in range(4)] + [assistant("From four papers.")]
    session = await session_with(store, Summarising(script), token_soft_limit=LIMIT)
    assert "compaction" in types(await run(session, "Compare four papers"))
    view = session.journal.window.messages
    again = await session_with(store, [assistant("More.")], session_id=session.id, token_soft_limit=LIMIT)
    assert again.journal.window.messages == view
    assert breakdown(again.ports).used == breakdown(session.ports).used
    assert "compaction" not in types(await run(again, "And?"))


async def test_what_was_compacted_is_recalled_whole(store: Store) -> None:
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(3)] + [assistant("From three papers.")]
    session = await session_with(store, Summarising(script), token_soft_limit=LIMIT)
    await run(session, "Compare three papers")
    assert "300 line 299 says 89401 Mpc" in await session.recall("m2", query="89401")


@pytest.mark.parametrize("summary", [assistant(" "), Fault(kind=FaultKind.Overloaded, retryable=True)])
async def test_without_a_summary_the_request_is_bounded_all_the_same(store: Store, summary: Step) -> None:
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(3)] + [assistant("Done.")]
    session = await session_with(store, Summarising(script, summary), token_soft_limit=LIMIT)
    events = await run(session, "Compare")
    assert events[-1].event.payload()["answer"] == "Done."
    assert "compaction" in types(events)
    assert "summary_failed" in [e.event.payload()["kind"] for e in events if e.event.type == "notice"]
    check_pairs(session.journal.window.messages)


async def test_compaction_by_hand(store: Store) -> None:
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(4)] + [assistant("Read.")]
    session = await session_with(store, Summarising(script))
    await run(session, "Read four")
    before = session.journal.window.tokens
    assert await session.compact("numbers")
    assert session.journal.window.tokens < before
    stored = (await store.events(session.id))[-1].payload
    assert (stored["type"], stored["manual"]) == ("compaction", True)
    again = await session_with(store, Summarising([assistant("Go on.")]), session_id=session.id)
    assert again.journal.window.messages == session.journal.window.messages
    assert types(await run(again, "Next?"))[-1] == "done"


async def test_a_new_question_is_the_moment_to_let_go_of_what_the_last_one_needed(store: Store, tmp_path: Path) -> None:
    policy = tmp_path / "early.toml"
    policy.write_text('base = "adaptive"\nsoft_limit = 8000\nboundary_share = 0.3\nearly = false\n')
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(3)] + [assistant("From three.")] * 2
    session = await session_with(store, Summarising(script), context_policy=str(policy))
    assert "compaction" not in types(await run(session, "Read three papers"))
    seen = types(await run(session, "And what else?"))
    assert seen[:2] == ["session", "compaction"]

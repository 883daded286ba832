"""Sub-agents: a view of their own, events under their call, a conclusion with references; none holds up another."""

import asyncio
import json
import re
from collections.abc import AsyncIterator

from astroresearch.agent.assembly import recall_from
from astroresearch.context.messages import Message, ToolCall, assistant
from astroresearch.hooks.events import EVENTS
from astroresearch.hooks.registry import Hooks
from astroresearch.model.base import Chunk, Reply, Request, TextDelta, Usage
from astroresearch.model.faults import Fault, FaultKind, ModelFailure
from astroresearch.store.sessions import Store
from astroresearch.tools.base import CallContext

from .harness import TOOLS, calling, check_pairs, run, session_with, tool, transcript, types


def delegating(*questions: str, **more: str) -> Message:
    calls = [
        ToolCall(f"d{n}", "delegate_research", json.dumps({"question": question, **more}))
        for n, question in enumerate(questions)
    ]
    return assistant("", *calls)


class Team:
    """A model that is everyone: it tells from the question who asks. *questions* are what the lead delegates."""

    name = "team"

    def __init__(self, *questions: str, **more: str) -> None:
        self.requests: list[Request] = []
        self._questions, self._more = questions, more
        self.reached = asyncio.Event()

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        self.requests.append(request)
        message = await self._reply(request)
        if message.text:
            yield TextDelta(message.text)
        yield Reply(message, Usage(200, 20, estimated=True), "tool_use" if message.calls else "end")

    async def _reply(self, request: Request) -> Message:
        question = next(m.text for m in request.history if m.role == "user")
        results = [m.result for m in request.history if m.result]
        if question.startswith("lead"):
            return assistant("Together: done.") if results else delegating(*self._questions, **self._more)
        if question.startswith("hang"):
            self.reached.set()
            await asyncio.Event().wait()
        if question.startswith("break"):
            raise ModelFailure(Fault(kind=FaultKind.Quota, message="no credit"))
        if question.startswith("read") and len(results) < 3:
            return calling((f"c{len(results)}", "lengthy", f"{300 + len(results)}"))
        if not results:
            return calling(("q", "quote", question))
        return assistant(f"Found for {question}: 67.4 ± 0.5 km/s/Mpc [2020A&A...641A...6P].")


async def test_several_work_side_by_side_and_only_their_conclusions_come_back(store: Store) -> None:
    model = Team("one: H0 of Planck", "two: H0 of Planck again")
    session = await session_with(store, model, delegates=True)
    events = [published.event.payload() for published in await run(session, "lead: compare")]
    assert events[-1]["answer"] == "Together: done."
    messages = await transcript(store, session)
    check_pairs(messages)
    reports = [m.result.text for m in messages if m.result]
    assert len(reports) == 2
    assert "[Sub-agent conclusion]\nFound for one: H0 of Planck: 67.4 ± 0.5 km/s/Mpc" in reports[0]
    assert "sub_1_1/m0-m3" in reports[0]
    nested = [e for e in events if e.get("agent")]
    assert {(e["agent"], e["parent"]) for e in nested} == {("sub_1_1", "d0"), ("sub_1_2", "d1")}
    assert [e["text"] for e in events if e["type"] == "text_delta"] == ["Together: done."]
    assert [e["type"] for e in events].count("done") == 1
    asked = [request for request in model.requests if request.history[1].text.startswith("one")]
    assert all("lead" not in m.text for request in asked for m in request.history[1:])
    names = {schema["function"]["name"] for schema in asked[0].tools}  # type: ignore[index]
    assert names == {"echo", "quote", "lengthy", "recall_context"}


async def test_what_a_sub_agent_read_is_recalled_by_the_lead_after_a_restart_too(store: Store) -> None:
    session = await session_with(store, Team("one: H0"), delegates=True)
    events = [published.event.payload() for published in await run(session, "lead: compare")]
    (ref,) = [e["ref"] for e in events if e["type"] == "tool_result" and e.get("agent")]
    await session.close()
    recall = recall_from(store, session.id, "en")
    text = await recall(CallContext(session_id=session.id, call_id=""), str(ref), "", 0)
    assert "H0 = 67.4 ± 0.5 km/s/Mpc. one: H0" in text


async def test_one_that_fails_and_one_that_runs_out_of_steps_are_results(store: Store) -> None:
    session = await session_with(store, Team("break it", "one: H0", "read much"), delegates=True, max_steps=2)
    events = [published.event.payload() for published in await run(session, "lead: compare")]
    lead = [e for e in events if e["type"] == "tool_result" and not e.get("agent")]
    assert [e["status"] for e in lead] == ["error", "ok", "ok"]
    assert events[-1]["status"] == "answered"
    assert "error" not in types_of(events)
    check_pairs(await transcript(store, session))


def types_of(events: list[dict[str, object]]) -> list[object]:
    return [event["type"] for event in events]


async def test_each_compacts_its_own_view(store: Store) -> None:
    model = Team("read three long papers")
    session = await session_with(store, model, delegates=True, token_soft_limit=3_000)
    assert "done" in types(await run(session, "lead: compare"))
    asked = [request for request in model.requests if request.history[1].text.startswith("read")]
    assert any("recall" in m.text for m in asked[-1].history[2:]), "nothing was folded in the sub-agent's view"
    check_pairs([entry.message for entry in await store.history(session.id, "sub_1_1")])


async def test_cancel_ends_those_that_hang_and_the_next_turn_works(store: Store) -> None:
    model = Team("hang on", "one: H0")
    session = await session_with(store, model, delegates=True)
    running = session.send("lead: compare")
    await model.reached.wait()
    session.cancel()
    assert (await asyncio.wait_for(running.finished(), 5)).status == "cancelled"
    messages = await transcript(store, session)
    check_pairs(messages)
    assert "cancelled" in [m.result.status for m in messages if m.result]
    again = await session_with(store, [assistant("Works.")], session_id=session.id, delegates=True)
    assert (await run(again, "Next?"))[-1].event.payload()["answer"] == "Works."


async def test_none_gets_tools_that_its_parent_does_not_have_or_that_write(store: Store) -> None:
    async def act(text: str) -> str:
        return "moved"

    tools = (*TOOLS, tool("move", act, read_only=False))
    for wanted in ("move", "delegate_research", "launch"):
        model = Team("one: H0", tools=[wanted])  # type: ignore[arg-type]
        session = await session_with(store, model, delegates=True, tools=tools)
        await run(session, "lead: compare")
        (report,) = [m.result for m in await transcript(store, session) if m.result]
        assert report.status == "error"
        assert wanted in report.text


async def test_the_conclusions_papers_can_be_cited_by_the_lead(store: Store) -> None:
    class Citing(Team):
        async def _reply(self, request: Request) -> Message:
            message = await super()._reply(request)
            known = re.search(r"\[(\S+)\]\.$", message.text)
            return message if known or message.calls else assistant("See [2020A&A...641A...6P].")

    session = await session_with(store, Citing("one: H0"), delegates=True)
    done = (await run(session, "lead: compare"))[-1].event.payload()
    assert [citation["id"] for citation in done["citations"]] == ["2020A&A...641A...6P"]  # type: ignore[attr-defined]


async def test_hooks_are_told_of_sub_agents_and_of_their_calls(store: Store) -> None:
    hooks, told = Hooks(), []
    for event in EVENTS.values():
        hooks.on(event, lambda event: told.append((event.agent_name, event.name)))
    session = await session_with(store, Team("one: H0"), delegates=True, hooks=hooks)
    await run(session, "lead: compare")
    begin, end = told.index(("lead", "OnSubagentStart")), told.index(("lead", "OnSubagentStop"))
    inside = told[begin + 1 : end]
    assert inside[:2] == [("sub_1_1", "PreToolUse"), ("sub_1_1", "PostToolUse")]
    assert told[begin - 1] == ("lead", "PreToolUse")
    assert told[end + 1] == ("lead", "PostToolUse")

"""What the loop gets for the calls of one message: one result each, in order, whatever the tools do."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest
from pydantic import Field

from astroresearch.context.messages import ToolCall
from astroresearch.tools.base import Arguments, CallContext, Outcome, Tool
from astroresearch.tools.executor import Decision, Executed, Executor
from astroresearch.tools.registry import Registry

CONTEXT = CallContext(session_id="s", call_id="")


class Word(Arguments):
    word: str = Field(min_length=1, examples=["halo"])
    times: int = Field(default=1, ge=1)


def tool(name: str, run: Callable[[Word, CallContext], Awaitable[Outcome]], **more: object) -> Tool:
    return Tool(name=name, summary="says it", description="Says it.", arguments=Word, run=run, **more)  # type: ignore[arg-type]


async def echo(arguments: Word, context: CallContext) -> Outcome:
    return Outcome(f"{arguments.word} for {context.call_id}")


def call(name: str, number: int = 1, **arguments: object) -> ToolCall:
    return ToolCall(f"c{number}", name, json.dumps(arguments or {"word": "x"}))


async def run(
    executor: Executor, *calls: ToolCall, stop: asyncio.Event | None = None, context: CallContext = CONTEXT
) -> list[Executed]:
    async with aclosing(executor.run(calls, context, stop)) as results:
        return [executed async for executed in results]


async def one(executor: Executor, name: str, arguments: str, locale: str = "en") -> Outcome:
    context = CallContext(session_id="s", call_id="", locale=locale)  # type: ignore[arg-type]
    (executed,) = await run(executor, ToolCall("c", name, arguments), context=context)
    return executed.outcome


@dataclass
class Meeting:
    """Tools that only end when *expected* of them run at once, and that note who began and who ended."""

    expected: int
    arrived: int = 0
    log: list[str] = field(default_factory=list)
    full: asyncio.Event = field(default_factory=asyncio.Event)

    async def meet(self, arguments: Word, context: CallContext) -> Outcome:
        self.log.append(f"+{context.call_id}")
        self.arrived += 1
        if self.arrived == self.expected:
            self.full.set()
        await self.full.wait()
        self.log.append(f"-{context.call_id}")
        return Outcome(context.call_id)

    async def pass_by(self, arguments: Word, context: CallContext) -> Outcome:
        self.log.append(f"+{context.call_id}")
        await asyncio.sleep(0)
        self.log.append(f"-{context.call_id}")
        return Outcome(context.call_id)


async def test_read_only_neighbours_run_at_once_and_others_alone_in_order() -> None:
    meeting = Meeting(expected=2)
    executor = Executor(Registry([tool("read", meeting.meet), tool("write", meeting.pass_by, read_only=False)]))
    names = ["write", "read", "read", "write", "write"]
    executed = await asyncio.wait_for(run(executor, *(call(n, i) for i, n in enumerate(names))), 5)
    assert [e.outcome.text for e in executed] == ["c0", "c1", "c2", "c3", "c4"]
    assert [e.call.name for e in executed] == names
    assert set(meeting.log[2:4]) == {"+c1", "+c2"}
    assert meeting.log[:2] == ["+c0", "-c0"]
    assert meeting.log[6:] == ["+c3", "-c3", "+c4", "-c4"]


async def test_results_come_in_call_order_even_if_the_last_is_done_first() -> None:
    last_done = asyncio.Event()

    async def first(arguments: Word, context: CallContext) -> Outcome:
        await last_done.wait()
        return Outcome("first")

    async def last(arguments: Word, context: CallContext) -> Outcome:
        last_done.set()
        return Outcome("last")

    executor = Executor(Registry([tool("first", first), tool("last", last)]))
    executed = await asyncio.wait_for(run(executor, call("first", 1), call("last", 2)), 5)
    assert [e.outcome.text for e in executed] == ["first", "last"]


async def test_the_same_id_twice_gets_two_results() -> None:
    executed = await run(Executor(Registry([tool("echo", echo)])), call("echo", 1, word="a"), call("echo", 1, word="b"))
    assert [e.outcome.text for e in executed] == ["a for c1", "b for c1"]


@pytest.mark.parametrize(
    ("name", "near"),
    [("search_libary", "search_library"), ("Search-Library", "search_library"), ("search", "search_library")],
)
async def test_an_unknown_tool_is_told_what_it_may_have_meant(name: str, near: str) -> None:
    outcome = await one(Executor(Registry([tool("search_library", echo), tool("zoom", echo)])), name, "{}")
    assert outcome.status == "error"
    assert f"Did you mean: {near}" in outcome.text
    assert "zoom" in outcome.text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ('{"word": "a", "times": "many"}', ["times", '"many"', "a whole number", '{"word": "halo"}']),
        ('{"word": "a", "times": 0}', ["times", "0", "at least 1"]),
        ('{"word": ""}', ["word", '""', "at least 1 characters"]),
        ('{"wrd": "a"}', ["word: is required", "wrd: there is no such argument", "times, word"]),
        ("", ["word: is required"]),
        ('{"word": "a"', ["not valid JSON", '{"word": "a"⟨!⟩', "Example"]),
        ('{"word": "a" "times": 2}', ["character 13", '"a" ⟨!⟩"times"']),
        ('["a"]', ["must be a JSON object", '["a"]']),
        ('{"word": "a", "times": 1' + "0" * 5000 + "}", ["cannot be read"]),
        ('{"word": ' + "[" * 100_000, ["Example"]),
        ('{"word": "\\ud800"}', ["word", "Unicode"]),
    ],
)
async def test_wrong_arguments_are_explained(arguments: str, says: list[str]) -> None:
    ran: list[str] = []

    async def note(arguments: Word, context: CallContext) -> Outcome:
        ran.append(arguments.word)
        return Outcome("ran")

    outcome = await one(Executor(Registry([tool("echo", note)])), "echo", arguments)
    assert outcome.status == "error"
    assert not ran
    for part in says:
        assert part in outcome.text
    assert len(outcome.text) < 1000


async def test_errors_are_in_the_language_of_the_session() -> None:
    executor = Executor(Registry([tool("echo", echo)]))
    assert "必填" in (await one(executor, "echo", "{}", "zh")).text
    assert "至少" in (await one(executor, "echo", '{"word": ""}', "zh")).text
    assert "没有名为" in (await one(executor, "ech", "{}", "zh")).text


async def test_a_tool_that_takes_too_long_is_stopped() -> None:
    ended: list[str] = []

    async def forever(arguments: Word, context: CallContext) -> Outcome:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        raise AssertionError

    registry = Registry([tool("slow", forever), tool("own", forever, timeout=0.02), tool("echo", echo)])
    executed = await run(Executor(registry, timeout=0.01), call("slow", 1), call("own", 2), call("echo", 3))
    assert [e.outcome.status for e in executed] == ["error", "error", "ok"]
    assert "timed out after 0.01 s" in executed[0].outcome.text
    assert "timed out after 0.02 s" in executed[1].outcome.text
    assert ended == ["cancelled", "cancelled"]


async def test_an_exception_becomes_a_short_result_and_the_rest_goes_to_the_log() -> None:
    logged: list[tuple[str, BaseException | None]] = []

    async def broken(arguments: Word, context: CallContext) -> Outcome:
        raise RuntimeError("no disk\nsecond line with details")

    executor = Executor(Registry([tool("broken", broken)]), log=lambda text, error: logged.append((text, error)))
    outcome = await one(executor, "broken", '{"word": "a"}')
    assert outcome == Outcome("broken failed: RuntimeError: no disk", "error")
    assert [(text, type(error)) for text, error in logged] == [("tool broken failed", RuntimeError)]


async def test_stopping_keeps_what_is_finished_and_cancels_the_rest() -> None:
    stop, ended = asyncio.Event(), []

    async def stopping(arguments: Word, context: CallContext) -> Outcome:
        stop.set()
        return Outcome("finished")

    async def forever(arguments: Word, context: CallContext) -> Outcome:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(context.call_id)
        raise AssertionError

    registry = Registry([tool("stopping", stopping), tool("forever", forever), tool("write", echo, read_only=False)])
    calls = (call("stopping", 1), call("forever", 2), call("write", 3))
    executed = await asyncio.wait_for(run(Executor(registry), *calls, stop=stop), 5)
    assert [e.outcome.status for e in executed] == ["ok", "cancelled", "cancelled"]
    assert ended == ["c2"]


async def test_cancelling_the_turn_leaves_no_tool_running() -> None:
    running, ended = asyncio.Event(), asyncio.Event()

    async def forever(arguments: Word, context: CallContext) -> Outcome:
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    turn = asyncio.create_task(run(Executor(Registry([tool("forever", forever)])), call("forever")))
    await running.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert ended.is_set()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_the_gate_sees_checked_arguments_and_its_refusal_is_the_result() -> None:
    seen: list[Mapping[str, object]] = []

    async def gate(asked: Tool, arguments: Mapping[str, object]) -> Decision:
        seen.append(arguments)
        return Decision(arguments["word"] == "yes", "not that word", "skipped")

    executor = Executor(Registry([tool("echo", echo)]), gate=gate)
    assert (await one(executor, "echo", '{"word": "yes"}')).status == "ok"
    assert await one(executor, "echo", '{"word": "no"}') == Outcome("not that word", "skipped")
    assert (await one(executor, "echo", '{"word": 5}')).status == "error"
    assert seen == [{"word": "yes", "times": 1}, {"word": "no", "times": 1}]


async def test_a_gate_that_fails_lets_nothing_through() -> None:
    async def gate(asked: Tool, arguments: Mapping[str, object]) -> Decision:
        raise OSError("rules cannot be read")

    assert (await one(Executor(Registry([tool("echo", echo)]), gate=gate), "echo", '{"word": "a"}')).status == "error"


async def test_hooks_change_a_call_answer_for_it_and_change_its_result() -> None:
    async def before(asked: ToolCall, context: CallContext) -> ToolCall | Outcome:
        if "stop" in asked.arguments:
            return Outcome("answered by the hook", "skipped")
        return ToolCall(asked.id, asked.name, asked.arguments.replace("a", "b"))

    async def after(asked: ToolCall, outcome: Outcome, context: CallContext) -> Outcome:
        return Outcome(outcome.text.upper(), outcome.status)

    executor = Executor(Registry([tool("echo", echo)]), before=before, after=after)
    assert (await one(executor, "echo", '{"word": "a"}')).text == "B FOR C"
    assert await one(executor, "echo", '{"word": "stop"}') == Outcome("ANSWERED BY THE HOOK", "skipped")


async def test_a_hook_that_fails_afterwards_costs_no_result() -> None:
    async def after(asked: ToolCall, outcome: Outcome, context: CallContext) -> Outcome:
        raise RuntimeError("hook")

    assert (await one(Executor(Registry([tool("echo", echo)]), after=after), "echo", '{"word": "a"}')).text == "a for c"


async def test_an_empty_result_says_so() -> None:
    async def nothing(arguments: Word, context: CallContext) -> Outcome:
        return Outcome("")

    assert "returned nothing" in (await one(Executor(Registry([tool("n", nothing)])), "n", '{"word": "a"}')).text


async def test_the_view_is_cut_with_a_reference_and_the_whole_is_kept() -> None:
    async def long(arguments: Word, context: CallContext) -> Outcome:
        return Outcome("\n".join(f"line {i}" for i in range(2000)))

    executor = Executor(Registry([tool("long", long)]))
    (executed,) = await run(executor, call("long"))
    view = executed.shown(executor.max_chars, "m42", "en")
    assert len(executed.outcome.text) > 10_000
    assert len(view) <= 4_000
    assert "recall m42" in view


def names(registry: Registry) -> Sequence[object]:
    return [schema["function"]["name"] for schema in registry.schemas]  # type: ignore[index]


def test_a_registry_renders_the_same_in_whatever_order_it_was_filled() -> None:
    tools = [tool("b", echo), tool("a", echo), tool("c", echo)]
    one_way, other_way = Registry(tools), Registry(reversed(tools))
    assert one_way.prompt == other_way.prompt == "a: says it\nb: says it\nc: says it"
    assert json.dumps(one_way.schemas) == json.dumps(other_way.schemas)
    assert names(one_way.subset(["c", "a"])) == ["a", "c"]


def test_a_name_can_be_taken_once_only() -> None:
    with pytest.raises(ValueError, match="already a tool named 'a'"):
        Registry([tool("a", echo), tool("a", echo)])

"""The tools every agent has: the plan, the way back, and the wish for room."""

import json
from dataclasses import dataclass, field

import pytest

from astroresearch.context.messages import ToolCall
from astroresearch.locales import Locale
from astroresearch.tools.base import CallContext, Outcome
from astroresearch.tools.builtin.compress import compress_context
from astroresearch.tools.builtin.recall import NoSuchReference, recall_context
from astroresearch.tools.builtin.todo import Task, todo_write
from astroresearch.tools.executor import Executor
from astroresearch.tools.registry import Registry


@dataclass
class Desk:
    """Keeps what the tools hand over."""

    plans: list[tuple[Task, ...]] = field(default_factory=list)
    recalled: list[tuple[str, str, int]] = field(default_factory=list)
    wishes: list[str] = field(default_factory=list)

    async def save(self, context: CallContext, tasks: tuple[Task, ...]) -> None:
        self.plans.append(tasks)

    async def recall(self, context: CallContext, ref: str, query: str, offset: int) -> str:
        if ref == "m99":
            raise NoSuchReference("the references are m1 to m7")
        self.recalled.append((ref, query, offset))
        return f"what {ref} stood for"

    async def compress(self, context: CallContext, focus: str) -> None:
        self.wishes.append(focus)

    async def use(self, name: str, arguments: object, locale: Locale = "en") -> Outcome:
        tools = [
            todo_write(self.save, locale),
            recall_context(self.recall, locale),
            compress_context(self.compress, locale),
        ]
        written = ToolCall("c", name, json.dumps(arguments))
        context = CallContext(session_id="s", call_id="", locale=locale)
        results = [e.outcome async for e in Executor(Registry(tools)).run([written], context)]
        return results[0]


def todo(content: str, status: str = "pending", **more: object) -> dict[str, object]:
    return {"content": content, "status": status, **more}


async def test_a_plan_is_saved_and_shown() -> None:
    desk = Desk()
    items = [todo("search", "completed"), todo("read", "in_progress", owner="lead"), todo("answer", blocked_by=["2"])]
    outcome = await desk.use("todo_write", {"todos": items})
    assert outcome == Outcome("[x] 1. search\n[>] 2. read @lead\n[ ] 3. answer (after 2)")
    assert [task.task_id for task in desk.plans[-1]] == ["1", "2", "3"]
    assert desk.plans[-1][2].blocked_by == ("2",)


async def test_given_ids_are_kept_and_the_others_get_free_numbers() -> None:
    desk = Desk()
    await desk.use("todo_write", {"todos": [todo("a"), todo("b", id="1"), todo("c")]})
    assert [task.task_id for task in desk.plans[-1]] == ["2", "1", "3"]


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([todo("a", id="x", blocked_by=["y"]), todo("b", id="y", blocked_by=["x"])], "wait for each other"),
        ([todo("a", id="x", blocked_by=["x"])], "wait for each other"),
        ([todo("a", blocked_by=["7"])], "blocked_by names 7"),
        ([todo("a", id="x"), todo("b", id="x")], "more than once"),
        ([todo("a", "in_progress"), todo("b", "in_progress")], "at most one"),
        (
            [todo("a", "done")],
            "todos.0.status: was \"done\", but must be one of 'pending', 'in_progress' or 'completed'",
        ),
        ([todo("")], "todos.0.content"),
        ("search, read", "must be a list"),
    ],
)
async def test_a_plan_that_cannot_be_is_refused_and_the_old_one_stays(items: object, says: str) -> None:
    desk = Desk()
    outcome = await desk.use("todo_write", {"todos": items})
    assert outcome.status == "error"
    assert says in outcome.text
    assert desk.plans == []


async def test_an_empty_plan_is_a_plan() -> None:
    desk = Desk()
    assert (await desk.use("todo_write", {"todos": []}, "zh")).text == "计划为空。"
    assert desk.plans == [()]


async def test_recall_gives_back_what_a_reference_stands_for() -> None:
    desk = Desk()
    assert (await desk.use("recall_context", {"ref": " m40 - m61", "query": "H0", "offset": 3})).text.startswith(
        "what m40-m61"
    )
    assert (await desk.use("recall_context", {"ref": "m4"})).status == "ok"
    assert desk.recalled == [("m40-m61", "H0", 3), ("m4", "", 0)]


async def test_recall_says_what_it_does_not_have() -> None:
    outcome = await Desk().use("recall_context", {"ref": "m99"})
    assert outcome.status == "error"
    assert "m99" in outcome.text
    assert "m1 to m7" in outcome.text
    assert (await Desk().use("recall_context", {"ref": "42"})).status == "error"


async def test_compression_is_only_noted() -> None:
    desk = Desk()
    assert (await desk.use("compress_context", {})).status == "ok"
    assert (await desk.use("compress_context", {"focus": "masses"})).status == "ok"
    assert desk.wishes == ["", "masses"]


def test_what_compaction_may_forget() -> None:
    desk = Desk()
    tools = [todo_write(desk.save, "en"), recall_context(desk.recall, "en"), compress_context(desk.compress, "en")]
    assert [tool.clearing for tool in tools] == ["never", "normal", "never"]
    assert tools[1].subject({"ref": "m4"}) == "m4"


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_one_line_a_tool_in_the_prompt(locale: Locale) -> None:
    desk = Desk()
    registry = Registry(
        [todo_write(desk.save, locale), recall_context(desk.recall, locale), compress_context(desk.compress, locale)]
    )
    assert [line.split(":")[0] for line in registry.prompt.split("\n")] == list(registry.names)
    assert all(len(line) < 110 for line in registry.prompt.split("\n"))

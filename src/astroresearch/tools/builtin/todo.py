"""``todo_write``: the plan of the work, kept across turns and never cleared from the view."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Literal, TypeAlias

from pydantic import Field

from ...locales import Locale, say
from ..base import Arguments, CallContext, Outcome, Tool

TaskStatus: TypeAlias = Literal["pending", "in_progress", "completed"]
MARKS: Mapping[TaskStatus, str] = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}


@dataclass(frozen=True, slots=True)
class Task:
    """One entry of the plan, as the table ``agent_tasks`` keeps it."""

    task_id: str
    content: str
    status: TaskStatus = "pending"
    blocked_by: tuple[str, ...] = ()
    owner: str = ""


SaveTasks: TypeAlias = Callable[[CallContext, tuple[Task, ...]], Awaitable[None]]


class TodoItem(Arguments):
    content: str = Field(min_length=1, max_length=500, examples=["search the library"])
    status: TaskStatus = Field(examples=["in_progress"])
    id: str | None = Field(default=None, min_length=1, max_length=40)
    blocked_by: tuple[str, ...] = ()
    owner: str = ""


class TodoWrite(Arguments):
    todos: tuple[TodoItem, ...] = Field(max_length=50)


def todo_write(save: SaveTasks, locale: Locale) -> Tool:
    """Return the tool; *save* replaces the whole plan of the caller's session and agent."""

    async def run(arguments: TodoWrite, context: CallContext) -> Outcome:
        tasks = _tasks(arguments.todos)
        if problem := problem_of(tasks, context.locale):
            return Outcome(problem, "error")
        await save(context, tasks)
        return Outcome(render(tasks, context.locale))

    return Tool(
        name="todo_write",
        summary=say(locale, "tools.todo_summary"),
        description=say(locale, "tools.todo_description"),
        arguments=TodoWrite,
        run=run,
        read_only=False,
        clearing="never",
    )


def _tasks(items: Sequence[TodoItem]) -> tuple[Task, ...]:
    """Give an id to every item without one: its number in the list, or the next number that is free."""
    taken = {item.id for item in items if item.id}
    free = (str(number) for number in range(1, 2 * len(items) + 2) if str(number) not in taken)
    return tuple(
        Task(item.id or next(free), item.content.strip(), item.status, item.blocked_by, item.owner) for item in items
    )


def problem_of(tasks: Sequence[Task], locale: Locale) -> str:
    """Return what is wrong with a plan, in one line, or nothing."""
    ids = [task.task_id for task in tasks]
    if twice := sorted({task_id for task_id in ids if ids.count(task_id) > 1}):
        return say(locale, "tools.todo_same_id", ids=", ".join(twice))
    if unknown := sorted({blocker for task in tasks for blocker in task.blocked_by} - set(ids)):
        return say(locale, "tools.todo_unknown_blocker", ids=", ".join(unknown), known=", ".join(ids))
    if cycle := _cycle(tasks):
        return say(locale, "tools.todo_cycle", cycle=" → ".join(cycle))
    running = [task.task_id for task in tasks if task.status == "in_progress"]
    if len(running) > 1:
        return say(locale, "tools.todo_two_running", ids=", ".join(running))
    return ""


def _cycle(tasks: Sequence[Task]) -> Sequence[str]:
    try:
        TopologicalSorter({task.task_id: task.blocked_by for task in tasks}).prepare()
    except CycleError as error:
        return [str(task_id) for task_id in error.args[1]]
    return ()


def render(tasks: Iterable[Task], locale: Locale) -> str:
    """Return the plan, a line a task; also what stands in the block of the current tasks."""
    lines = [_line(task, locale) for task in tasks]
    return "\n".join(lines) if lines else say(locale, "tools.todo_none")


def _line(task: Task, locale: Locale) -> str:
    line = f"{MARKS[task.status]} {task.task_id}. {task.content}"
    if task.blocked_by:
        line += say(locale, "tools.todo_blocked", ids=", ".join(task.blocked_by))
    return line + (f" @{task.owner}" if task.owner else "")

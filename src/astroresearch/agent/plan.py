"""The plan of a session as the model reads it: the [当前任务状态] block (S1.1)."""

from collections.abc import Iterable, Sequence
from typing import cast

from ..context.messages import Message, user
from ..locales import Locale, say
from ..store.sessions import Task
from ..tools.builtin.todo import Task as Planned
from ..tools.builtin.todo import TaskStatus, render


def plan_of(tasks: Sequence[Task], locale: Locale) -> str:
    """Return the block, or nothing if there is no plan."""
    if not tasks:
        return ""
    lines = render(
        [Planned(t.task_id, t.content, cast(TaskStatus, t.status), t.blocked_by, t.owner) for t in tasks], locale
    )
    return say(locale, "agent.tasks", tasks=lines)


def plan_message(tasks: Sequence[Task], locale: Locale) -> tuple[Message, ...]:
    """Return the block as a message behind the question; none for a plan that is empty or done."""
    return (user(plan_of(tasks, locale), "tasks"),) if open_items(tasks) else ()


def open_items(tasks: Iterable[Task]) -> int:
    return sum(task.status != "completed" for task in tasks)


def stored(tasks: Iterable[Planned]) -> tuple[Task, ...]:
    return tuple(Task(t.task_id, t.content, t.status, t.blocked_by, t.owner) for t in tasks)

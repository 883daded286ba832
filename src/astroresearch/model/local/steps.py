"""The researcher's next step, decided from the history alone: plan and search, read, recall, tick off, answer."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...context.messages import Message, ToolCall, assistant
from ...locales import Locale, say
from ..base import Request
from .answer import answer, is_summary_instruction, notes, summarise
from .question import Question, understand
from .results import Row
from .scoring import best
from .turn import Done, Turn, read_turn

SEARCH, READ, RECALL, TODO = "search_library", "read_paper", "recall_context", "todo_write"
MOST = 3  # papers, or views of papers, that are read for one question
WORTH = 0.5  # of the best row's match: less is not worth reading
RECALLS = 2  # references that are fetched back at once


@dataclass(frozen=True, slots=True)
class Desk:
    """All that a step is decided from."""

    question: Question
    turn: Turn
    tools: frozenset[str]
    step: int

    @property
    def locale(self) -> Locale:
        return self.question.locale


def next_step(request: Request) -> Message:
    """Return the assistant message that follows *request*'s history."""
    last = request.history[-1].text if request.history else ""
    turn = read_turn(request.history)
    if is_summary_instruction(last):
        earlier = "\n".join(m.text for m in request.history[:-1] if m.role == "user" and m.text != turn.question)
        return assistant(summarise(turn, earlier, last))
    question = understand(turn.question, turn.earlier)
    tools = frozenset(_names(request))
    desk = Desk(question, turn, tools, sum(m.role == "assistant" for m in request.history))
    if not turn.done and (said := _without_research(desk)):
        return assistant(said)
    if not tools:
        return assistant(answer(question, turn, stopped=True))
    return _research(desk)


def _names(request: Request) -> Iterator[str]:
    if request.extra.get("tool_choice") == "none":
        return
    for tool in request.tools:
        function = tool.get("function")
        if isinstance(function, Mapping):
            yield str(function.get("name", ""))


def _without_research(desk: Desk) -> str:
    if desk.question.greeting or not desk.turn.question:
        return say(desk.locale, "local.greeting") + f"\n\n*{say(desk.locale, 'local.who')}*"
    if not desk.question.terms:
        return say(desk.locale, "local.no_terms")
    if desk.tools and SEARCH not in desk.tools:
        return say(desk.locale, "local.no_library")
    return ""


def _research(desk: Desk) -> Message:
    searches = desk.turn.calls(SEARCH)
    if not searches:
        return _search(desk, [q.query for q in _questions(desk.question)], "local.think_search")
    if all(done.failed for done in searches):
        return _after_failure(desk, searches)
    unread = _to_read(desk, searches)
    if not unread and (lost := [done.lost for done in searches if done.lost]) and (again := _recall(desk, lost)):
        return again
    if unread:
        return _read(desk, *unread[0])
    lost = [done.lost for done in desk.turn.calls(READ) if done.lost]
    if lost and not _answered(desk) and (again := _recall(desk, lost)):
        return again
    return _tick_off(desk) or assistant(answer(desk.question, desk.turn))


def _questions(question: Question) -> list[Question]:
    return [question.about(side) for side in question.sides] or [question]


def _search(desk: Desk, queries: Iterable[str], thought: str) -> Message:
    wanted = list(dict.fromkeys(queries))
    calls = (
        [_plan(desk, "in_progress", "pending", "pending")] if TODO in desk.tools and not desk.turn.calls(TODO) else []
    )
    calls += [_call(desk, len(calls) + i, SEARCH, query=query) for i, query in enumerate(wanted)]
    first = "" if desk.turn.done else say(desk.locale, "local.who") + "\n"
    return assistant("", *calls, thought=first + say(desk.locale, thought, query="; ".join(wanted)))


def _after_failure(desk: Desk, searches: tuple[Done, ...]) -> Message:
    """A failed search is tried once more, with the plain terms: whatever broke it may have been in the question."""
    if len(searches) > len(_questions(desk.question)):
        return _tick_off(desk) or assistant(answer(desk.question, desk.turn))
    return _search(desk, [" ".join(term.text for term in desk.question.terms)], "local.think_again")


def _to_read(desk: Desk, searches: tuple[Done, ...]) -> list[tuple[Row, str]]:
    """The papers still to be read, each with what to look for, best first: those of every side of a comparison in turn.

    The question's number of papers is read; up to ``MOST`` while nothing has answered it.
    """
    read = desk.turn.calls(READ)
    recalled = [done.found.rows for done in desk.turn.calls(RECALL) if done.found.rows]
    lists = [_worth_reading(desk, rows) for rows in (*(done.found.rows for done in searches), *recalled)]
    queries = [question.query for question in _questions(desk.question)]
    chosen: list[tuple[Row, str]] = []
    for rank in range(max(map(len, lists), default=0)):
        found = [(rows[rank], queries[min(i, len(queries) - 1)]) for i, rows in enumerate(lists) if rank < len(rows)]
        chosen += [pair for pair in found if pair not in chosen]
    most = max(desk.question.papers, len(queries))
    if len(read) >= most and (len(read) >= MOST or _answered(desk)):
        return []
    return [pair for pair in chosen[:MOST] if not any(_is_same(done, *pair) for done in read)]


def _is_same(done: Done, row: Row, query: str) -> bool:
    return done.subject == row.key and done.arguments.get("query", query) == query


def _worth_reading(desk: Desk, rows: tuple[Row, ...]) -> list[Row]:
    top = max((row.match for row in rows), default=0.0)
    kept = [row for row in rows if row.match >= WORTH * top and row.match > 0.15]
    return sorted(kept, key=lambda row: row.key not in desk.turn.cited)  # a follow-up goes back to its paper


def _answered(desk: Desk) -> bool:
    return all(best(question, desk.turn.passages, 1) for question in _questions(desk.question))


def _read(desk: Desk, row: Row, query: str) -> Message:
    first = not desk.turn.calls(READ)
    calls = [_plan(desk, "completed", "in_progress", "pending")] if first and desk.turn.calls(TODO) else []
    calls.append(_call(desk, len(calls), READ, paper=row.key, query=query))
    noted = notes(desk.question, desk.turn.passages)
    thought = "\n".join(filter(None, (noted, say(desk.locale, "local.think_read", key=row.key, title=row.title))))
    return assistant("", *calls, thought=thought)


def _recall(desk: Desk, refs: Iterable[str]) -> Message | None:
    asked = {done.subject for done in desk.turn.calls(RECALL)}
    wanted = [ref for ref in dict.fromkeys(refs) if ref not in asked][:RECALLS]
    if RECALL not in desk.tools or not wanted:
        return None
    calls = [_call(desk, i, RECALL, ref=ref) for i, ref in enumerate(wanted)]
    return assistant("", *calls, thought=say(desk.locale, "local.think_recall", refs=", ".join(wanted)))


def _tick_off(desk: Desk) -> Message | None:
    """Complete the plan before the answer ends the turn; ``None`` if that is done or there is no plan."""
    plans = desk.turn.calls(TODO)
    if not plans or TODO not in desk.tools or _is_completed(plans[-1]):
        return None
    found = [scored for question in _questions(desk.question) for scored in best(question, desk.turn.passages, 3)]
    key = "local.think_answer" if found else "local.think_nothing"
    thought = "\n".join(
        filter(None, (notes(desk.question, desk.turn.passages), say(desk.locale, key, count=len(found))))
    )
    return assistant("", _plan(desk, "completed", "completed", "completed"), thought=thought)


def _is_completed(plan: Done) -> bool:
    todos = plan.arguments.get("todos")
    items = todos if isinstance(todos, list) else []
    return plan.failed or all(isinstance(item, dict) and item.get("status") == "completed" for item in items)


def _plan(desk: Desk, *statuses: str) -> ToolCall:
    names = ("local.plan_search", "local.plan_read", "local.plan_answer")
    todos = [
        {"id": str(i), "content": say(desk.locale, name), "status": status}
        for i, (name, status) in enumerate(zip(names, statuses, strict=True), 1)
    ]
    return _call(desk, 0, TODO, todos=todos)


def _call(desk: Desk, number: int, name: str, **arguments: object) -> ToolCall:
    """An id is unique in its message and tells the step, so that two runs of one session write the same."""
    return ToolCall(f"local_{desk.step}_{number}", name, json.dumps(arguments, ensure_ascii=False))

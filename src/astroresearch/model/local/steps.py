"""The researcher's next step, decided from the history alone: plan and search, read, recall, tick off, answer."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from ...context.messages import History, Message, ToolCall, assistant
from ...locales import Locale, say
from ..base import Request
from .answer import answer, notes
from .plan import ABOUT, Reading, Status, todos
from .question import Question, understand
from .results import Row
from .scoring import best_of_parts
from .summary import is_summary_instruction, summary
from .turn import Done, Turn, read_turn
from .words import stems

SEARCH, READ, RECALL, TODO = "search_library", "read_paper", "recall_context", "todo_write"
MOST = 3  # papers, or views of papers, that are read for one question
ROWS = 5  # papers that a search shows: what comes behind them is hardly ever read
WORTH = 0.5  # of the best row's match: less is not worth reading
BEARS = 0.2  # of a match: what it counts that a paper bears a name of the question in its title or authors
RECALLS = 2  # references that are fetched back at once


@dataclass(frozen=True, slots=True)
class Desk:
    """All that a step is decided from. *mark*: tells this history from all others of the session."""

    question: Question
    turn: Turn
    tools: frozenset[str]
    mark: str

    @property
    def locale(self) -> Locale:
        return self.question.locale


def next_step(request: Request) -> Message:
    """Return the assistant message that follows *request*'s history."""
    last = request.history[-1].text if request.history else ""
    if is_summary_instruction(last):
        return assistant(summary(request.history[:-1], last))
    turn = read_turn(request.history)
    question = understand(turn.question, turn.earlier)
    tools = frozenset(_names(request))
    desk = Desk(question, turn, tools, _mark(request.history))
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


def _mark(history: History) -> str:
    """A view never comes twice in a session, however much of it a compaction takes away."""
    digest = blake2b(digest_size=5)
    for message in history:
        digest.update(f"{message.role}\0{message.text}\0{message.thought}\0{message.calls}\0".encode())
    return digest.hexdigest()


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
    if not searches and not desk.turn.plan:
        return _search(desk, [part.query for part in desk.question.parts], "local.think_search")
    if searches and all(done.failed for done in searches):
        return _after_failure(desk, searches)
    plan, missing = _planned(desk, searches)
    if missing and (again := _recall(desk, missing, plan)):
        return again
    if following := _following(desk, plan):
        return _read(desk, plan, following)
    if (lost := _lost_readings(desk)) and (again := _recall(desk, lost, plan)):
        return again
    if forgotten := _forgotten(desk, plan):
        return _read(desk, plan, forgotten)
    return _tick_off(desk, plan) or assistant(answer(desk.question, desk.turn))


def _search(desk: Desk, queries: Iterable[str], thought: str) -> Message:
    wanted = list(dict.fromkeys(queries))
    calls = [_todo(desk, todos(desk.locale, "in_progress", (), "pending"))] if not desk.turn.calls(TODO) else []
    calls = [call for call in calls if TODO in desk.tools]
    calls += [_call(desk, len(calls) + i, SEARCH, query=query, limit=ROWS) for i, query in enumerate(wanted)]
    first = "" if desk.turn.done else say(desk.locale, "local.who") + "\n"
    return assistant("", *calls, thought=first + say(desk.locale, thought, query="; ".join(wanted)))


def _after_failure(desk: Desk, searches: tuple[Done, ...]) -> Message:
    """A failed search is tried once more, with the plain terms: whatever broke it may have been in the question."""
    if len(searches) > len(desk.question.parts):
        return _tick_off(desk, ()) or assistant(answer(desk.question, desk.turn))
    return _search(desk, [" ".join(term.text for term in desk.question.terms)], "local.think_again")


def _planned(desk: Desk, searches: Sequence[Done]) -> tuple[list[Reading], list[str]]:
    """Return the papers to read, those of every side of a comparison in turn, and the references of searches that left
    the view before anything of theirs was planned."""
    plan = [replace(reading, begun=_is_begun(desk, reading)) for reading in desk.turn.plan]
    names = [side.text[:ABOUT] for side in desk.question.sides] or [""]
    lists: list[tuple[str, list[Row]]] = []
    missing: list[str] = []
    for i, done in enumerate(searches):
        about = names[min(i, len(names) - 1)]
        rows = (*done.found.rows, *(row for back in _recalled(desk, done.lost) for row in back.found.rows))
        lists.append((about, _worth_reading(desk, rows, desk.question.parts[min(i, len(names) - 1)])))
        if done.lost and not rows and all(reading.about != about for reading in plan):
            missing.append(done.lost)
    for rank in range(1 if missing else MOST):
        found = [Reading(rows[rank].key, about) for about, rows in lists if rank < len(rows)]
        for reading in found:
            chosen = any(reading.is_same(other) for other in plan)
            needed = rank == 0 and all(reading.about != other.about for other in plan)
            if not chosen and (needed or len(plan) < MOST):
                plan.append(replace(reading, begun=_is_begun(desk, reading)))
    return plan, missing


def _recalled(desk: Desk, ref: str) -> list[Done]:
    return [done for done in desk.turn.calls(RECALL) if ref and done.subject == ref]


def _is_begun(desk: Desk, reading: Reading) -> bool:
    planned = any(reading.is_same(other) and other.begun for other in desk.turn.plan)
    query = _query(desk, reading)
    opened = (done for done in desk.turn.calls(READ) if done.subject == reading.key)
    return planned or any(done.arguments.get("query", query) == query for done in opened)


def _query(desk: Desk, reading: Reading) -> str:
    sides = (side for side in desk.question.sides if side.text[:ABOUT] == reading.about)
    return next((desk.question.about(side).query for side in sides), desk.question.query)


def _worth_reading(desk: Desk, rows: Sequence[Row], part: Question) -> list[Row]:
    """A follow-up goes back to its paper; what bears a name of the question comes before what mentions it."""
    top = max((row.match for row in rows), default=0.0)
    kept = [row for row in rows if row.match >= WORTH * top and row.match > 0.15]
    return sorted(kept, key=lambda row: (row.key not in desk.turn.cited, -row.match - BEARS * _bears_name(row, part)))


def _bears_name(row: Row, part: Question) -> float:
    found = stems(f"{row.author} {row.title}")
    return max((name.covered(found) for name in part.names), default=0.0)


def _following(desk: Desk, plan: Sequence[Reading]) -> Reading | None:
    """The question's number of papers is read; the rest of the plan while nothing has answered it."""
    begun = sum(reading.begun for reading in plan)
    if begun >= desk.question.papers and _answered(desk):
        return None
    return next((reading for reading in plan if not reading.begun), None)


def _answered(desk: Desk) -> bool:
    return all(best_of_parts(desk.question, desk.turn.passages, 1))


def _read(desk: Desk, plan: Sequence[Reading], following: Reading) -> Message:
    calls = [_todo(desk, _statuses(desk, plan, following))] if TODO in desk.tools and desk.turn.calls(TODO) else []
    calls.append(_call(desk, len(calls), READ, paper=following.key, query=_query(desk, following)))
    rows = (row for done in desk.turn.calls(SEARCH) for row in done.found.rows)
    title = next((row.title for row in rows if row.key == following.key), following.about)
    said = say(desk.locale, "local.think_read", key=following.key, title=title).rstrip(":： ")
    return assistant("", *calls, thought=_noted(desk, said))


def _statuses(desk: Desk, plan: Sequence[Reading], following: Reading) -> list[dict[str, str]]:
    def status(reading: Reading) -> Status:
        if reading.is_same(following):
            return "in_progress"
        return "completed" if reading.begun else "pending"

    return todos(desk.locale, "completed", [(reading, status(reading)) for reading in plan], "pending")


def _noted(desk: Desk, said: str) -> str:
    known = {note.text for note in desk.turn.notes}
    return "\n".join(filter(None, (notes(desk.question, desk.turn.passages, known), said)))


def _lost_readings(desk: Desk) -> list[str]:
    """References of what was read for the parts of the question that nothing in view answers."""
    open_parts = _open_parts(desk)
    reads = [done for done in desk.turn.calls(READ) if done.lost]
    about = {done.lost: [r for r in desk.turn.plan if r.key == done.subject] for done in reads}
    return [ref for ref, readings in about.items() if any(_query(desk, r) in open_parts for r in readings)]


def _forgotten(desk: Desk, plan: Sequence[Reading]) -> Reading | None:
    """A paper that the plan says was read for one side of a comparison, of which no note and no reference is left:
    notes on the other sides took the room."""
    open_parts = _open_parts(desk)
    if len(open_parts) == len(desk.question.parts):
        return None
    known = {done.subject for done in desk.turn.calls(READ)}
    return next((r for r in plan if r.begun and r.key not in known and _query(desk, r) in open_parts), None)


def _open_parts(desk: Desk) -> set[str]:
    found = best_of_parts(desk.question, desk.turn.passages, 1)
    return {part.query for part, chosen in zip(desk.question.parts, found, strict=True) if not chosen}


def _recall(desk: Desk, refs: Iterable[str], plan: Sequence[Reading]) -> Message | None:
    asked = {done.subject for done in desk.turn.calls(RECALL)}
    wanted = [ref for ref in dict.fromkeys(refs) if ref not in asked][:RECALLS]
    if RECALL not in desk.tools or not wanted:
        return None
    calls: list[ToolCall] = []
    if TODO in desk.tools and any(not any(r.is_same(old) for old in desk.turn.plan) for r in plan):
        waiting: list[tuple[Reading, Status]] = [(r, "completed" if r.begun else "pending") for r in plan]
        calls.append(_todo(desk, todos(desk.locale, "in_progress", waiting, "pending")))
    calls += [_call(desk, len(calls) + i, RECALL, ref=ref) for i, ref in enumerate(wanted)]
    return assistant("", *calls, thought=_noted(desk, say(desk.locale, "local.think_recall", refs=", ".join(wanted))))


def _tick_off(desk: Desk, plan: Sequence[Reading]) -> Message | None:
    """Complete the plan before the answer ends the turn; ``None`` if that is done or there is no plan."""
    plans = desk.turn.calls(TODO)
    if not plans or TODO not in desk.tools or _is_completed(plans[-1]):
        return None
    found = [scored for part in best_of_parts(desk.question, desk.turn.passages, 3) for scored in part]
    said = say(desk.locale, "local.think_answer" if found else "local.think_nothing", count=len(found))
    items = todos(desk.locale, "completed", [(r, "completed") for r in plan if r.begun], "completed")
    return assistant("", _todo(desk, items), thought=_noted(desk, said))


def _is_completed(plan: Done) -> bool:
    given = plan.arguments.get("todos")
    items = given if isinstance(given, list) else [{}]
    return plan.failed or all(isinstance(item, dict) and item.get("status") == "completed" for item in items)


def _todo(desk: Desk, items: list[dict[str, str]]) -> ToolCall:
    return _call(desk, 0, TODO, todos=items)


def _call(desk: Desk, number: int, name: str, **arguments: object) -> ToolCall:
    """An id is unique in its session, and two runs of one session write the same."""
    return ToolCall(f"local_{desk.mark}_{number}", name, json.dumps(arguments, ensure_ascii=False))

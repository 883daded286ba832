"""What a history tells of the turn under way: the question, what was called, what came back, what was cleared."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...context.messages import History, Message, ToolCall, ToolResult
from .plan import Reading, shown, written
from .results import CLEARED, Found, Passage, read_result

NOTE = re.compile(r"^• \[(?P<key>[^\]\s]+)\] (?P<place>[^:]*): (?P<text>.+)$", re.MULTILINE)
_USER_LINE = re.compile(r"^m(\d+) user: (.*)$")
_STEP = re.compile(r"\bm(\d+) (search_library|read_paper|recall_context|todo_write)\b ?([^·\n✗]*)")
NO_RESULT = Found()
_FAILED = ("error", "skipped", "denied", "cancelled", "interrupted")


@dataclass(frozen=True, slots=True)
class Done:
    """One call of this turn. *found*: what its result holds. *lost*: the reference of a result that left the view."""

    tool: str
    arguments: Mapping[str, object]
    text: str = ""
    failed: bool = False
    found: Found = NO_RESULT
    lost: str = ""

    @property
    def subject(self) -> str:
        chosen = self.arguments.get("paper") or self.arguments.get("query") or self.arguments.get("ref") or ""
        return str(chosen)


@dataclass(frozen=True, slots=True)
class Turn:
    """*earlier*: the session's questions before this one. *notes*: what was noted down from papers in this turn.
    *plan*: the papers that it was to read, as it stands after any compaction."""

    question: str
    earlier: tuple[str, ...] = ()
    done: tuple[Done, ...] = ()
    notes: tuple[Passage, ...] = ()
    cited: tuple[str, ...] = ()
    plan: tuple[Reading, ...] = ()

    def calls(self, tool: str) -> tuple[Done, ...]:
        return tuple(done for done in self.done if done.tool == tool)

    @property
    def passages(self) -> tuple[Passage, ...]:
        return (*(p for done in self.done for p in done.found.passages), *self.notes)


def read_turn(history: History) -> Turn:
    """Return the turn that the last question in *history* began."""
    folds = [i for i, message in enumerate(history) if message.origin == "summary"]
    folded = [said for i in folds for said in _said(history[i].text)]
    asked = [i for i, message in enumerate(history) if message.role == "user" and message.origin == "human"]
    fold = folds[-1] if folds else -1
    start = asked[-1] if asked else 0
    seen = [history[i].text for i in asked]
    if fold > start and folded:  # the question under way was folded itself
        position, question = folded[-1]
        earlier = [*seen, *(text for _, text in folded[:-1])]
    else:
        position, question = 0, seen[-1] if seen else ""
        before = [text for _, text in folded] if fold < start else []
        earlier = [*seen[:1], *before, *seen[1:-1]] if len(seen) > 1 else before
    folded_away = "\n".join(history[i].text for i in folds if i > start)  # the fold may be several blocks
    tail = history[max(start, fold) + 1 :]
    steps, done = tuple(_folded_steps(folded_away, position)), tuple(_done(tail))
    return Turn(
        question=question,
        earlier=tuple(earlier),
        done=(*steps, *done),
        notes=(*noted(folded_away, not position), *(note for m in tail for note in noted(m.thought, True))),
        cited=_cited(history[:start]),
        plan=_plan(steps, done, folded_away),
    )


def _plan(folded: Sequence[Done], done: Sequence[Done], folded_away: str) -> tuple[Reading, ...]:
    """The newest plan of this turn; one that was folded still stands among the tasks behind the fold."""
    plans = [readings for step in done if step.tool == "todo_write" and (readings := written(step.arguments))]
    if plans:
        return plans[-1]
    return shown(folded_away) if any(step.tool == "todo_write" for step in folded) else ()


def _said(block: str) -> Iterator[tuple[int, str]]:
    for line in block.split("\n"):
        if match := _USER_LINE.match(line):
            yield int(match[1]), match[2]


def _folded_steps(block: str, after: int) -> Iterator[Done]:
    """The calls of this turn that a fold names: their results are to be had by reference only."""
    for match in _STEP.finditer(block):
        if int(match[1]) > after:
            key = {"search_library": "query", "read_paper": "paper", "recall_context": "ref"}.get(match[2], "")
            subject = match[3].strip()
            words = subject.split(" ")[:1] if match[2] == "read_paper" else [subject]
            yield Done(match[2], {key: words[0]} if key else {}, lost=f"m{match[1]}")


def _done(messages: Sequence[Message]) -> Iterator[Done]:
    for i, message in enumerate(messages):
        open_calls = list(message.calls)
        for later in messages[i + 1 :]:
            if later.role == "assistant" or not open_calls:
                break
            if result := later.result:
                call = next((c for c in open_calls if c.id == result.call_id), None)
                if call is not None:
                    open_calls.remove(call)
                    yield _finished(call, result)


def _finished(call: ToolCall, result: ToolResult) -> Done:
    arguments = arguments_of(call)
    if cleared := CLEARED.match(result.text):
        return Done(call.name, arguments, lost=cleared["ref"])
    failed = result.status in _FAILED
    found = Found() if failed else read_result(result.text)
    return Done(call.name, arguments, result.text, failed, found)


def arguments_of(call: ToolCall) -> Mapping[str, object]:
    """Return the arguments of a call; empty if they were folded or are no object."""
    try:
        given = json.loads(call.arguments or "{}")
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}


def noted(text: str, settled: bool) -> Iterator[Passage]:
    """Yield the notes in *text*; *settled*: they were chosen for the question under way, and for no other."""
    for match in NOTE.finditer(text):
        yield Passage(match["key"], match["place"], match["text"], noted=settled)


def _cited(before: Sequence[Message]) -> tuple[str, ...]:
    """The papers that the newest earlier answer cites."""
    for message in reversed(before):
        if message.role == "assistant" and message.text and not message.calls:
            return tuple(dict.fromkeys(re.findall(r"\[(\S+?)\]", message.text)))
    return ()

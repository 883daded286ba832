"""What a turn is watched for between its steps: its tokens, its plan, and going round in circles (S2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..context.budget import DiminishingReturns, TodoReminder, TokenBudget
from ..context.duplicates import REMEMBERED, SKIP_AT, Duplicates
from ..context.messages import ToolCall
from ..locales import Locale, say
from ..model.base import Usage
from ..tools.base import Outcome
from ..tools.executor import Executed

TODO = "todo_write"


@dataclass(frozen=True, slots=True)
class Hint:
    """One thing that the model is to be told; *kind* names it in the ``notice`` event."""

    kind: str
    text: str


@dataclass(slots=True, kw_only=True)
class Watch:
    """The engine's values, carried from step to step. *open_items*: of the plan; *polling*: tools that may wait."""

    locale: Locale
    budget: TokenBudget
    has_todo: bool = False
    open_items: int = 0
    polling: frozenset[str] = frozenset()
    returns: DiminishingReturns = field(default_factory=DiminishingReturns)
    todo: TodoReminder = field(default_factory=TodoReminder)
    duplicates: Duplicates = field(default_factory=Duplicates)
    _told: int = 0  # rounds of the cycle that the model was last told of
    _checked: int = 0  # tokens spent at the last check of returns
    _fresh: bool = False  # this step brought a result that was not there before
    _planned: bool = False  # this step wrote the plan

    def charge(self, usage: Usage) -> None:
        self.budget = self.budget.charge(usage.prompt_tokens, usage.completion_tokens)

    def compacted(self, before: int, after: int) -> None:
        """Count what came since the last call, which no prompt has shown yet; what follows is measured anew."""
        self.budget = self.budget.charge(before, 0).compacted(after)

    def instead_of(self, call: ToolCall) -> Outcome | None:
        """Return the result of a call that need not run: the same one gave the same result twice in a row (R2.5)."""
        made = self.duplicates.would_repeat(call)
        if made + 1 < SKIP_AT or call.name in self.polling:
            return None
        return Outcome(say(self.locale, "context.repeat_skipped", name=call.name, count=made + 1), "skipped")

    def saw(self, executed: Executed, *, open_items: int) -> None:
        """Take note of one result, and of how much of the plan is open after it."""
        call, outcome, self.open_items = executed.call, executed.outcome, open_items
        if outcome.status == "skipped" and self.duplicates.would_repeat(call):
            again = (*self.duplicates.calls, self.duplicates.calls[-1])[-REMEMBERED:]
            self.duplicates = Duplicates(again, self.duplicates.detections + 1)
            return
        before = frozenset(self.duplicates.calls)
        self.duplicates = self.duplicates.record(call, outcome.text, polling=call.name in self.polling)
        self._fresh |= outcome.status == "ok" and not frozenset(self.duplicates.calls) <= before
        self._planned |= call.name == TODO and outcome.status == "ok"

    def end_step(self) -> None:
        """Close the books on a step whose tools have run."""
        grown, self._checked = self.budget.spent - self._checked, self.budget.spent
        self.returns = self.returns.check(grown, read_something=self._fresh, moved_todo=self._planned)
        self.todo = self.todo.step(wrote_todo=self._planned)
        self._fresh = self._planned = False

    def must_finish(self) -> Hint | None:
        """Return why no tool should be called any more, or None."""
        if self.budget.level == "over_hard":
            return Hint("over_hard", self._nudge("over_hard"))
        if self.returns.reached:
            return Hint("diminishing_returns", say(self.locale, "context.diminishing"))
        if self.duplicates.repetition().verdict == "stop":
            return Hint("repetition", say(self.locale, "context.repeat_no_tools"))
        return None

    def hints(self, *, last_step: bool) -> Sequence[Hint]:
        """Return what to remind of before the next call: one nudge at most, a repetition, the plan."""
        return [hint for hint in (self._budget_hint(), self._repeat_hint(), self._todo_hint(last_step)) if hint]

    @property
    def tools_allowed(self) -> bool:
        return self.duplicates.repetition().verdict != "no_tools"

    def _budget_hint(self) -> Hint | None:
        self.budget, level = self.budget.nudge()
        return Hint(level, self._nudge(level)) if level else None

    def _nudge(self, level: str) -> str:
        budget = self.budget
        return say(self.locale, f"context.nudge_{level}", spent=budget.spent, soft=budget.soft, hard=budget.hard)

    def _repeat_hint(self) -> Hint | None:
        repeated = self.duplicates.repetition()
        if repeated.verdict == "none" or repeated.count <= self._told:
            self._told = min(self._told, repeated.count)
            return None
        self._told = repeated.count
        key = "cycle" if repeated.verdict == "remind" and repeated.length > 1 else repeated.verdict
        text = say(self.locale, f"context.repeat_{key}", count=repeated.count, length=repeated.length)
        return Hint("repetition", text)

    def _todo_hint(self, last_step: bool) -> Hint | None:
        if not self.todo.due(open_items=self.open_items, has_tool=self.has_todo, last_step=last_step):
            return None
        self.todo = self.todo.reminded()
        return Hint("todo", say(self.locale, "context.todo_nag", open=self.open_items))


def budget_for(soft: int, hard: int, known: int | None) -> TokenBudget:
    """Return a turn's budget; *known*: tokens of the history that earlier turns have paid for."""
    return replace(TokenBudget(soft, hard), last_prompt=known)

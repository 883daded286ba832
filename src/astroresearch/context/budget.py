"""What a turn spends, and when to say so: nudges, diminishing returns, the todo reminder (S2.1, S2.2; R2.1-R2.3).

Everything here is a frozen value that the loop carries from step to step.
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["near_soft", "over_soft", "over_hard"]
LEVELS: tuple[Level, ...] = ("near_soft", "over_soft", "over_hard")
NEAR = 0.8
MIN_CONTINUATIONS = 3
SMALL_GROWTH = 500
TODO_FIRST, TODO_LONGEST = 3, 12


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Tokens newly processed in one turn: the growth of each prompt over the last one, and the completions."""

    soft: int = 32_000
    hard: int = 40_000
    spent: int = 0
    last_prompt: int | None = None
    told: Level | None = None

    def charge(self, prompt_tokens: int, completion_tokens: int) -> "TokenBudget":
        """Return the budget after one call; a prefix that is sent again is not counted again (R2.1)."""
        grown = prompt_tokens if self.last_prompt is None else max(prompt_tokens - self.last_prompt, 0)
        spent = self.spent + grown + completion_tokens
        return replace(self, spent=spent, last_prompt=prompt_tokens + completion_tokens)

    def compacted(self, prompt_tokens: int) -> "TokenBudget":
        """Return the budget after a compaction: what follows is measured against the smaller prompt."""
        return replace(self, last_prompt=prompt_tokens)

    def nudge(self) -> tuple["TokenBudget", Level | None]:
        """Return the highest level that applies and was not told in this turn, and the budget that remembers it."""
        reached = self.level
        if reached is None or (self.told and LEVELS.index(reached) <= LEVELS.index(self.told)):
            return self, None
        return replace(self, told=reached), reached

    @property
    def level(self) -> Level | None:
        if self.spent >= self.hard:
            return "over_hard"
        if self.spent >= self.soft:
            return "over_soft"
        return "near_soft" if self.spent >= NEAR * self.soft else None


@dataclass(frozen=True, slots=True)
class DiminishingReturns:
    """Three continuations or more, and two checks in a row that brought next to nothing (S2.1)."""

    continuations: int = 0
    small: int = 0

    def check(self, new_tokens: int, *, read_something: bool = False, moved_todo: bool = False) -> "DiminishingReturns":
        """Return the value after one step; what read something new or moved the plan is no idle step."""
        idle = new_tokens < SMALL_GROWTH and not read_something and not moved_todo
        return DiminishingReturns(self.continuations + 1, self.small + 1 if idle else 0)

    @property
    def reached(self) -> bool:
        return self.continuations >= MIN_CONTINUATIONS and self.small >= 2


@dataclass(frozen=True, slots=True)
class TodoReminder:
    """Steps since the plan was last written; reminds after 3, then 6, then every 12 (beyond-the-document 11)."""

    silent: int = 0
    wait: int = TODO_FIRST

    def step(self, *, wrote_todo: bool) -> "TodoReminder":
        return TodoReminder() if wrote_todo else replace(self, silent=self.silent + 1)

    def due(self, *, open_items: int, has_tool: bool, last_step: bool) -> bool:
        return open_items > 0 and has_tool and not last_step and self.silent >= self.wait

    def reminded(self) -> "TodoReminder":
        return TodoReminder(0, min(self.wait * 2, TODO_LONGEST))

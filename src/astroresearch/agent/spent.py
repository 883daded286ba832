"""What the model calls of one turn cost."""

from dataclasses import dataclass

from ..model.base import Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """Token sums as billed; what of them was new to the model is ``TokenBudget.spent`` (R2.1)."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    estimated: bool = False

    def add(self, usage: Usage) -> "Spent":
        return Spent(
            prompt=self.prompt + usage.prompt_tokens,
            completion=self.completion + usage.completion_tokens,
            cached=self.cached + usage.cached_tokens,
            estimated=self.estimated or usage.estimated,
        )

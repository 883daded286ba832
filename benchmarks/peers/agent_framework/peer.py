"""agent-framework: ContextWindowCompactionStrategy and TokenBudgetComposedStrategy, applied to the loop's own list."""

import asyncio
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agent_framework import (
    CharacterEstimatorTokenizer,
    Content,
    ContextWindowCompactionStrategy,
    Message,
    SlidingWindowStrategy,
    TokenBudgetComposedStrategy,
    ToolResultCompactionStrategy,
    apply_compaction,
)
from wire import Plain, Setup, call, message, serve

TRUNCATION = ContextWindowCompactionStrategy.DEFAULT_TRUNCATION_THRESHOLD
OUTPUT = 16_384 / 128_000  # as in its guide


class AgentFramework:
    def __init__(self, setup: Setup) -> None:
        self.kept: dict[str, str] = {}
        self._messages: list[Message] = []
        self._runner = asyncio.Runner()
        window, output = setup.limit, int(setup.limit * OUTPUT)
        if setup.hold:  # the truncation of the one and the budget of the other come at what is to be held
            window, output = int(setup.hold / (1 if setup.variant == "budget" else TRUNCATION)), 0
        if setup.variant == "budget":
            self._strategy: Any = TokenBudgetComposedStrategy(
                token_budget=window - output,
                tokenizer=CharacterEstimatorTokenizer(),
                strategies=[ToolResultCompactionStrategy(), SlidingWindowStrategy(keep_last_groups=20)],
            )
        else:
            self._strategy = ContextWindowCompactionStrategy(max_context_window_tokens=window, max_output_tokens=output)

    def native(self, messages: list[Plain]) -> list[Any]:
        return [_native(m) for m in messages]

    def manage(self, new: list[Any]) -> list[Any]:
        self._messages.extend(new)
        return self._runner.run(apply_compaction(self._messages, strategy=self._strategy))

    def plain(self, view: list[Any]) -> list[Plain]:
        return [_plain(m) for m in view]


def _native(m: Plain) -> Message:
    if m["role"] == "tool":
        return Message("tool", [Content.from_function_result(m["tool_call_id"], result=m["content"])])
    contents = [Content.from_text(m["content"])] if m["content"] else []
    calls = [
        Content.from_function_call(c["id"], c["function"]["name"], arguments=c["function"]["arguments"])
        for c in m.get("tool_calls", [])
    ]
    return Message(m["role"], [*contents, *calls])


def _plain(m: Message) -> Plain:
    calls = [call(c.call_id, c.name, c.arguments) for c in m.contents if c.type == "function_call"]
    results = [c for c in m.contents if c.type == "function_result"]
    if results:
        return message("tool", str(results[0].result), answers=results[0].call_id)
    return message(str(m.role), m.text, calls)


if __name__ == "__main__":
    serve(AgentFramework)

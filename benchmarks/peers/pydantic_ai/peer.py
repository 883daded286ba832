"""pydantic-ai-harness: SummarizingCompaction and TieredCompaction, called before each model request."""

import asyncio
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import RunContext
from pydantic_ai.usage import RunUsage
from pydantic_ai_harness.compaction import ClearToolResults, SummarizingCompaction, TieredCompaction
from wire import Plain, Setup, call, message, serve

FRACTION = 0.9  # as in its guide
TARGET = 100_000 / 128_000  # as in its guide: 100,000 tokens of a window of 128,000


class Harness:
    def __init__(self, setup: Setup) -> None:
        self.kept: dict[str, str] = {}
        self._spending = setup.spending
        self._runner = asyncio.Runner()
        self._names: dict[str, str] = {}
        self._model = FunctionModel(self._answer)
        self._context = RunContext(deps=None, model=self._model, usage=RunUsage(), messages=[])
        begin = setup.hold or int(setup.limit * FRACTION)
        summarising = SummarizingCompaction(model=self._model, max_tokens=begin)
        target = setup.hold or int(setup.limit * TARGET)
        tiers = [ClearToolResults(max_tokens=1), summarising]
        tiered = TieredCompaction(tiers=tiers, target_tokens=target)
        self._strategy = tiered if setup.variant == "tiered" else summarising

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        texts = [str(part.content) for m in messages for part in m.parts if hasattr(part, "content")]
        return ModelResponse(parts=[TextPart(self._spending.summarise("\n".join([info.instructions or "", *texts])))])

    def native(self, messages: list[Plain]) -> list[Any]:
        """What stands between two answers of the model is one request, as an agent of theirs builds it."""
        made: list[ModelMessage] = []
        for m in messages:
            if m["role"] == "assistant":
                made.append(self._response(m))
            elif made and isinstance(made[-1], ModelRequest):
                made[-1].parts.append(self._part(m))
            else:
                made.append(ModelRequest(parts=[self._part(m)]))
        return made

    def _response(self, m: Plain) -> ModelResponse:
        text = [TextPart(m["content"])] if m["content"] else []
        calls = m.get("tool_calls", [])
        self._names.update({c["id"]: c["function"]["name"] for c in calls})
        parts = [ToolCallPart(c["function"]["name"], c["function"]["arguments"], c["id"]) for c in calls]
        return ModelResponse(parts=[*text, *parts])

    def _part(self, m: Plain) -> Any:
        if m["role"] == "tool":
            return ToolReturnPart(self._names.get(m["tool_call_id"], "tool"), m["content"], m["tool_call_id"])
        return SystemPromptPart(m["content"]) if m["role"] == "system" else UserPromptPart(m["content"])

    def manage(self, new: list[Any]) -> list[Any]:
        self._context.messages.extend(new)
        request = ModelRequestContext(
            model=self._model,
            messages=list(self._context.messages),
            model_settings=None,
            model_request_parameters=ModelRequestParameters(),
        )
        return self._runner.run(self._strategy.before_model_request(self._context, request)).messages

    def plain(self, view: list[Any]) -> list[Plain]:
        return [made for m in view for made in (_parts(m) if isinstance(m, ModelRequest) else [_answer(m)])]


def _parts(m: ModelRequest) -> list[Plain]:
    return [_part(part) for part in m.parts]


def _part(part: Any) -> Plain:
    content = part.content if isinstance(part.content, str) else _joined(part.content)
    if isinstance(part, ToolReturnPart):
        return message("tool", content, answers=part.tool_call_id)
    return message("system" if isinstance(part, SystemPromptPart) else "user", content)


def _joined(content: Any) -> str:
    return "".join(item if isinstance(item, str) else getattr(item, "content", "") for item in content or ())


def _answer(m: ModelResponse) -> Plain:
    text = "".join(part.content or "" for part in m.parts if not isinstance(part, ToolCallPart))
    calls = [call(p.tool_call_id, p.tool_name, p.args) for p in m.parts if isinstance(p, ToolCallPart)]
    return message("assistant", text, calls)


if __name__ == "__main__":
    serve(Harness)

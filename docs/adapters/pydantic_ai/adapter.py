"""astroresearch in pydantic-ai: a capability for ``Agent(capabilities=[KeepInWindow(engine)])``.

``ProcessHistory`` would write the fitted messages back into the run's own history, which then is no longer the whole
transcript. ``before_model_request`` changes the one request only, and the history stays append-only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
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
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import RunContext, Tool, ToolDefinition
from pydantic_ai.toolsets import FunctionToolset

from astroresearch.context import Engine

ROLES = {SystemPromptPart: "system", UserPromptPart: "user", ToolReturnPart: "tool"}


@dataclass
class KeepInWindow(AbstractCapability[Any]):
    """One for each conversation, since the engine follows one transcript."""

    engine: Engine
    _plain: list[dict[str, Any]] = field(default_factory=list)
    _native: dict[int, Any] = field(default_factory=dict)
    _taken: int = 0

    def get_toolset(self) -> FunctionToolset[Any]:
        function = self.engine.tool["function"]
        return FunctionToolset(
            [
                Tool.from_schema(
                    self._recall,
                    name=function["name"],
                    description=function["description"],
                    json_schema=function["parameters"],
                )
            ]
        )

    def _recall(self, ref: str, query: str = "", offset: int = 0) -> str:
        return self.engine.recall(ref, query, offset)

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        for message in request_context.messages[self._taken :]:
            for part in [message] if isinstance(message, ModelResponse) else message.parts:
                self._plain.append(to_dict(part))
                self._native[id(self._plain[-1])] = part
        self._taken = len(request_context.messages)
        schemas = [to_schema(tool) for tool in request_context.model_request_parameters.function_tools]
        fitted = await self.engine.afit(self._plain, tools=schemas)
        return replace(request_context, messages=self._messages(fitted.messages, request_context.messages[-1]))

    def _messages(self, view: Sequence[dict[str, Any]], last: ModelMessage) -> list[ModelMessage]:
        """What stands between two answers is one request; the last keeps its own fields, such as the instructions."""
        made: list[ModelMessage] = []
        for m in view:
            native = self._native.get(id(m)) or from_dict(m)
            if isinstance(native, ModelResponse):
                made.append(native)
            elif made and isinstance(made[-1], ModelRequest):
                made[-1] = replace(made[-1], parts=[*made[-1].parts, native])
            else:
                made.append(ModelRequest(parts=[native]))
        if isinstance(made[-1], ModelRequest):
            made[-1] = replace(last, parts=made[-1].parts)
        return made


def to_schema(tool: ToolDefinition) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description or "",
        "parameters": tool.parameters_json_schema,
    }
    return {"type": "function", "function": function}


def to_dict(part: Any) -> dict[str, Any]:
    """*part*: a response, or one part of a request (system prompt, user prompt, tool return)."""
    if isinstance(part, ModelResponse):
        text = "".join(p.content for p in part.parts if isinstance(p, TextPart))
        made: dict[str, Any] = {"role": "assistant", "content": text}
        calls = [p for p in part.parts if isinstance(p, ToolCallPart)]
        if calls:
            made["tool_calls"] = [
                {
                    "id": c.tool_call_id,
                    "type": "function",
                    "function": {"name": c.tool_name, "arguments": c.args_as_json_str()},
                }
                for c in calls
            ]
        return made
    if isinstance(part, ToolReturnPart):
        content = part.model_response_str()
        return {"role": "tool", "content": content, "tool_call_id": part.tool_call_id, "name": part.tool_name}
    role = ROLES.get(type(part))
    if role is None or not isinstance(part.content, str):
        raise TypeError(f"this example carries text only, not {type(part).__name__}")
    return {"role": role, "content": part.content}


def from_dict(m: dict[str, Any]) -> Any:
    content = m.get("content") or ""
    if m["role"] == "assistant":
        calls = [
            ToolCallPart(c["function"]["name"], c["function"]["arguments"], c["id"]) for c in m.get("tool_calls") or ()
        ]
        return ModelResponse(parts=[*([TextPart(content)] if content else []), *calls])
    if m["role"] == "tool":
        return ToolReturnPart(m.get("name") or "tool", content, m["tool_call_id"])
    return SystemPromptPart(content) if m["role"] == "system" else UserPromptPart(content)

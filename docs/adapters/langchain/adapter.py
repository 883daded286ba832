"""astroresearch in langchain: a middleware for ``create_agent(middleware=[KeepInWindow(engine)])``.

The agent's state keeps the whole transcript; only what the model is sent is fitted, in ``wrap_model_call``.
"""

import json
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from astroresearch.context import Engine

ROLES = {"system": "system", "human": "user", "ai": "assistant", "tool": "tool"}


class KeepInWindow(AgentMiddleware[Any, Any, Any]):
    """One for each agent and thread, since the engine follows one transcript."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._plain: list[dict[str, Any]] = []
        self._native: dict[int, AnyMessage] = {}
        function = engine.tool["function"]
        self.tools = [
            StructuredTool.from_function(
                self._recall,
                name=function["name"],
                description=function["description"],
                args_schema=function["parameters"],
            )
        ]

    def _recall(self, ref: str, query: str = "", offset: int = 0) -> str:
        return self._engine.recall(ref, query, offset)

    def wrap_model_call(self, request: ModelRequest, handler: Any) -> Any:
        return handler(self._fitted(request))

    async def awrap_model_call(self, request: ModelRequest, handler: Any) -> Any:
        return await handler(self._fitted(request))

    def _fitted(self, request: ModelRequest) -> ModelRequest:
        whole = [*([request.system_message] if request.system_message else []), *request.messages]
        for message in whole[len(self._plain) :]:
            self._plain.append(to_dict(message))
            self._native[id(self._plain[-1])] = message
        schemas = [tool if isinstance(tool, dict) else convert_to_openai_tool(tool) for tool in request.tools]
        fitted = self._engine.fit(self._plain, tools=schemas).messages
        view = [self._native.get(id(m)) or from_dict(m) for m in fitted]
        return request.override(messages=[m for m in view if m is not request.system_message])


def to_dict(message: AnyMessage) -> dict[str, Any]:
    made: dict[str, Any] = {"role": ROLES[message.type], "content": message.content}
    if isinstance(message, AIMessage) and message.tool_calls:
        made["tool_calls"] = [
            {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": json.dumps(c["args"])}}
            for c in message.tool_calls
        ]
    if isinstance(message, ToolMessage):
        made |= {"tool_call_id": message.tool_call_id, "name": message.name or ""}
    return made


def from_dict(m: dict[str, Any]) -> AnyMessage:
    content = m.get("content") or ""
    if m["role"] == "assistant":
        calls = [
            {
                "id": c["id"],
                "name": c["function"]["name"],
                "args": json.loads(c["function"]["arguments"]),
                "type": "tool_call",
            }
            for c in m.get("tool_calls") or ()
        ]
        return AIMessage(content, tool_calls=calls)
    if m["role"] == "tool":
        return ToolMessage(content, tool_call_id=m["tool_call_id"])
    return SystemMessage(content) if m["role"] == "system" else HumanMessage(content)

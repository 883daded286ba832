"""astroresearch in openai-agents: a filter for ``RunConfig(call_model_input_filter=KeepInWindow(engine))``.

The run keeps all of its items; only what the model is sent is fitted. Instructions travel beside the items, so they are
counted but not sent twice. The agent also gets ``recall_tool(engine)``.
"""

import json
from typing import Any

from agents import FunctionTool
from agents.run import CallModelData, ModelInputData

from astroresearch.context import Engine

Item = dict[str, Any]


class KeepInWindow:
    """One for each run or session, since the engine follows one transcript."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._plain: list[dict[str, Any]] = []
        self._native: dict[int, list[Item]] = {}
        self._taken = 0

    async def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        items, instructions = data.model_data.input, data.model_data.instructions
        head = [({"role": "system", "content": instructions}, [])] if instructions and not self._plain else []
        for message, group in [*head, *to_dicts(items[self._taken :])]:
            self._plain.append(message)
            self._native[id(message)] = group
        self._taken = len(items)
        fitted = await self._engine.afit(self._plain, tools=schemas(data.agent.tools))
        view = [self._native[id(m)] if id(m) in self._native else from_dict(m) for m in fitted.messages]
        return ModelInputData(input=[item for items in view for item in items], instructions=instructions)


def recall_tool(engine: Engine) -> FunctionTool:
    """Return ``recall_context`` as a tool of theirs."""
    function = engine.tool["function"]

    async def invoke(_: Any, arguments: str) -> str:
        return engine.recall(**json.loads(arguments))

    return FunctionTool(
        name=function["name"],
        description=function["description"],
        params_json_schema=function["parameters"],
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


def schemas(tools: list[Any]) -> list[dict[str, Any]]:
    """Return the schemas that travel with every request, for the engine to count."""
    return [
        {
            "type": "function",
            "function": {"name": t.name, "description": t.description, "parameters": t.params_json_schema},
        }
        for t in tools
        if isinstance(t, FunctionTool)
    ]


def to_dicts(items: list[Any]) -> list[tuple[dict[str, Any], list[Item]]]:
    """Return chat messages, each with the items that it stands for: a text and the calls beside it are one message."""
    made: list[tuple[dict[str, Any], list[Item]]] = []
    for item in items:
        kind = item.get("type", "message")
        if kind == "function_call_output":
            made.append(({"role": "tool", "content": _text(item["output"]), "tool_call_id": item["call_id"]}, [item]))
        elif kind == "function_call":
            if not made or made[-1][0]["role"] != "assistant":
                made.append(({"role": "assistant", "content": ""}, []))
            function = {"name": item["name"], "arguments": item["arguments"]}
            call = {"id": item["call_id"], "type": "function", "function": function}
            made[-1][0].setdefault("tool_calls", []).append(call)
            made[-1][1].append(item)
        elif kind == "message":
            made.append(({"role": item["role"], "content": _text(item["content"])}, [item]))
        else:
            raise TypeError(f"this example carries messages and function calls, not {kind}")
    return made


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def from_dict(m: dict[str, Any]) -> list[Item]:
    content = m.get("content") or ""
    if m["role"] == "tool":
        return [{"type": "function_call_output", "call_id": m["tool_call_id"], "output": content}]
    text: list[Item] = [{"role": m["role"], "content": content}] if content else []
    calls: list[Item] = [
        {
            "type": "function_call",
            "call_id": c["id"],
            "name": c["function"]["name"],
            "arguments": c["function"]["arguments"],
        }
        for c in m.get("tool_calls") or ()
    ]
    return text + calls

"""An openai-agents agent with the filter, against a scripted model of its own interface."""

import json
from collections.abc import AsyncIterator
from typing import Any

from adapter import KeepInWindow, recall_tool, to_dicts
from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from script import QUESTION, RESERVE, WINDOW, Script, report

from astroresearch.context import Engine, Policy


class ScriptedModel(Model):
    def __init__(self, script: Script) -> None:
        self._script = script

    async def get_response(self, system_instructions: str | None, input: Any, *_: Any, **__: Any) -> ModelResponse:
        items = [{"role": "user", "content": input}] if isinstance(input, str) else input
        name, values = self._script.move([message for message, _ in to_dicts(items)])
        turn = f"{len(self._script.requests)}"
        return ModelResponse(output=[_output(name, values, turn)], usage=Usage(), response_id=None)

    async def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError("the example does not stream")
        yield


def _output(name: str, values: dict[str, Any], turn: str) -> Any:
    if name != "say":
        arguments = json.dumps(values)
        return ResponseFunctionToolCall(call_id=f"call_{turn}", name=name, arguments=arguments, type="function_call")
    text = ResponseOutputText(text=values["text"], type="output_text", annotations=[])
    return ResponseOutputMessage(id=turn, content=[text], role="assistant", status="completed", type="message")


@function_tool
def read_report(number: int) -> str:
    """Read one observing report."""
    return report(number)


def run() -> Script:
    script = Script()
    engine = Engine(Policy.adaptive(), WINDOW, RESERVE)
    agent = Agent(
        name="assistant",
        instructions="You are an astronomer's assistant.",
        model=ScriptedModel(script),
        tools=[read_report, recall_tool(engine)],
    )
    settings = RunConfig(call_model_input_filter=KeepInWindow(engine), tracing_disabled=True)
    Runner.run_sync(agent, QUESTION, run_config=settings, max_turns=100)
    return script

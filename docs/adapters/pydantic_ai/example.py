"""A pydantic-ai agent with the capability, against the framework's own function model."""

from adapter import KeepInWindow, to_dict
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from script import QUESTION, RESERVE, WINDOW, Script, report

from astroresearch.context import Engine, Policy


def run() -> Script:
    script = Script()

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        parts = [part for m in messages for part in ([m] if isinstance(m, ModelResponse) else m.parts)]
        name, values = script.move([to_dict(part) for part in parts])
        if name == "say":
            return ModelResponse(parts=[TextPart(values["text"])])
        return ModelResponse(parts=[ToolCallPart(name, values, f"call_{len(script.requests)}")])

    engine = Engine(Policy.adaptive(), WINDOW, RESERVE)
    agent = Agent(
        FunctionModel(answer),
        system_prompt="You are an astronomer's assistant.",
        capabilities=[KeepInWindow(engine)],
    )

    @agent.tool_plain
    def read_report(number: int) -> str:
        """Read one observing report."""
        return report(number)

    agent.run_sync(QUESTION)
    return script

"""A langchain agent with the middleware, against a scripted model. Prints what the model was sent, as JSON."""

from typing import Any

from adapter import KeepInWindow, to_dict
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from script import QUESTION, RESERVE, WINDOW, Script, report

from astroresearch.context import Engine, Policy


class ScriptedModel(BaseChatModel):
    script: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> "ScriptedModel":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        name, values = self.script.move([to_dict(m) for m in messages])
        call = {"name": name, "args": values, "id": f"call_{len(self.script.requests)}", "type": "tool_call"}
        answer = AIMessage(values["text"]) if name == "say" else AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=answer)])


@tool
def read_report(number: int) -> str:
    """Read one observing report."""
    return report(number)


def run() -> Script:
    script = Script()
    engine = Engine(Policy.adaptive(), WINDOW, RESERVE)
    agent = create_agent(
        ScriptedModel(script=script),
        [read_report],
        system_prompt="You are an astronomer's assistant.",
        middleware=[KeepInWindow(engine)],
    )
    agent.invoke({"messages": [("user", QUESTION)]}, {"recursion_limit": 200})
    return script

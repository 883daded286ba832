"""openhands-sdk: the condenser that its default agent has, on a view of real events."""

import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENHANDS_SUPPRESS_BANNER", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from openhands.sdk.context.condenser.llm_summarizing_condenser import default_condenser
from openhands.sdk.context.view import View
from openhands.sdk.event import ActionEvent, MessageEvent, ObservationEvent, SystemPromptEvent
from openhands.sdk.event.base import LLMConvertibleEvent
from openhands.sdk.event.condenser import Condensation
from openhands.sdk.llm import Message, MessageToolCall, TextContent, content_to_str
from openhands.sdk.llm.llm_response import LLMResponse
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool.schema import Observation
from pydantic import PrivateAttr
from wire import Plain, Setup, Spending, call, message, serve

LEAST = 16_384  # tokens; it refuses a model with a smaller window, so a smaller limit is set on the condenser alone


class FakeModel(TestLLM):
    """Their own test model, answering every request with the fixed summary."""

    _spending: Spending = PrivateAttr()

    def generate(self, messages: Any, *args: Any, **kwargs: Any) -> LLMResponse:
        prompt = "\n".join(text for m in messages for text in content_to_str(m.content))
        answer = Message(role="assistant", content=[TextContent(text=self._spending.summarise(prompt))])
        self._scripted_responses.append(answer)
        return super().completion(messages)


class TextObservation(Observation):
    """A tool's result as text."""


class OpenHands:
    def __init__(self, setup: Setup) -> None:
        self.kept: dict[str, str] = {}
        self._model = FakeModel(model="test-model", usage_id="bench", max_input_tokens=max(setup.limit, LEAST))
        self._model._spending = setup.spending
        self._condenser = default_condenser(self._model).model_copy(update={"max_tokens": setup.hold})
        self._view = View()
        self._calls: dict[str, ActionEvent] = {}
        self._step = 0

    def native(self, messages: list[Plain]) -> list[Any]:
        return [event for m in messages for event in self._events(m)]

    def _events(self, m: Plain) -> list[Any]:
        content = [TextContent(text=m["content"])]
        self._step += 1
        if m["role"] == "system":
            return [SystemPromptEvent(source="agent", system_prompt=content[0], tools=[])]
        if m["role"] == "tool":
            return [self._observation(m, content)]
        if not m.get("tool_calls"):
            source = "agent" if m["role"] == "assistant" else "user"
            return [MessageEvent(source=source, llm_message=Message(role=m["role"], content=content))]
        return [self._action(c, content if n == 0 and m["content"] else []) for n, c in enumerate(m["tool_calls"])]

    def _action(self, c: Plain, thought: list[Any]) -> ActionEvent:
        name, text = c["function"]["name"], c["function"]["arguments"]
        event = ActionEvent(
            thought=thought,
            tool_name=name,
            tool_call_id=c["id"],
            tool_call=MessageToolCall(id=c["id"], name=name, arguments=text, origin="completion"),
            llm_response_id=f"step-{self._step}",
        )
        self._calls[c["id"]] = event
        return event

    def _observation(self, m: Plain, content: list[Any]) -> Any:
        asked = self._calls.get(m["tool_call_id"])
        return ObservationEvent(
            tool_name=asked.tool_name if asked else "tool",
            tool_call_id=m["tool_call_id"],
            action_id=asked.id if asked else "unknown",
            observation=TextObservation(content=content),
        )

    def manage(self, new: list[Any]) -> list[Any]:
        """A condensation is an event too: the agent appends it and asks again, as here."""
        for event in new:
            self._view.append_event(event)
        self._view.enforce_properties(self._view.events)
        while isinstance(answer := self._condenser.condense(self._view, agent_llm=self._model), Condensation):
            self._view.append_event(answer)
        return LLMConvertibleEvent.events_to_messages(list(answer.events))

    def plain(self, view: list[Any]) -> list[Plain]:
        return [_plain(m) for m in view]


def _plain(m: Message) -> Plain:
    calls = [call(c.id, c.name, c.arguments) for c in m.tool_calls or ()]
    return message(m.role, "\n".join(content_to_str(m.content)), calls, m.tool_call_id or "")


if __name__ == "__main__":
    serve(OpenHands)

"""langchain: SummarizationMiddleware and ContextEditingMiddleware, called as its agent calls them."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from langchain.agents.middleware import ClearToolUsesEdit, ContextEditingMiddleware, SummarizationMiddleware
from langchain.agents.middleware.types import ModelRequest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.messages.utils import get_buffer_string
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from wire import Plain, Setup, serve
from wire_langchain import native, plain

FRACTION = 0.85  # langchain has no trigger of its own: the one that deepagents builds on it with is taken
CLEAR_AT = 100_000 / 128_000  # the default trigger of 100,000 tokens, for a window of 128,000


class Summarization:
    """The agent's state is rewritten by the middleware, as the graph's reducer does it."""

    def __init__(self, setup: Setup) -> None:
        self.kept: dict[str, str] = {}
        self._state: list[Any] = []
        self._spending = setup.spending
        trim = {"trim_tokens_to_summarize": None} if setup.variant == "untrimmed" else {}
        self._middleware = SummarizationMiddleware(
            GenericFakeChatModel(messages=iter([])),
            trigger=("tokens", setup.hold or int(setup.limit * FRACTION)),
            summarizer=self._summarise,
            **trim,
        )

    def _summarise(self, messages: list[Any]) -> str:
        prompt = self._middleware.summary_prompt.format(messages=get_buffer_string(messages, format="xml"))
        return self._spending.summarise(prompt)

    def native(self, messages: list[Plain]) -> list[Any]:
        return native(messages)

    def manage(self, new: list[Any]) -> list[Any]:
        self._state = self._state + new
        update = self._middleware.before_model({"messages": self._state}, Runtime())
        if update:
            self._state = list(add_messages(self._state, update["messages"]))
        return self._state

    def plain(self, view: list[Any]) -> list[Plain]:
        return plain(view)


class Clearing:
    """Edits a copy at every call; the state keeps all."""

    def __init__(self, setup: Setup) -> None:
        self.kept: dict[str, str] = {}
        self._state: list[Any] = []
        self._model = GenericFakeChatModel(messages=iter([]))
        trigger = setup.hold or int(setup.limit * CLEAR_AT)
        self._middleware = ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=trigger)])

    def native(self, messages: list[Plain]) -> list[Any]:
        return native(messages)

    def manage(self, new: list[Any]) -> list[Any]:
        self._state = self._state + new
        sent: list[list[Any]] = []

        def model_call(request: ModelRequest) -> AIMessage:
            sent.append(request.messages)
            return AIMessage("")

        request = ModelRequest(model=self._model, messages=self._state, state={"messages": self._state})
        self._middleware.wrap_model_call(request, model_call)
        return sent[0]

    def plain(self, view: list[Any]) -> list[Plain]:
        return plain(view)


if __name__ == "__main__":
    serve(lambda setup: Clearing(setup) if setup.variant == "clear" else Summarization(setup))

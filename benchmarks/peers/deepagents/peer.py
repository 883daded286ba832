"""deepagents: its SummarizationMiddleware with its own defaults, evicted history in a file that the summary names."""

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from deepagents.backends import FilesystemBackend
from deepagents.middleware.summarization import create_summarization_middleware
from langchain.agents.middleware.types import ExtendedModelResponse, ModelRequest, ModelResponse
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.messages.utils import get_buffer_string
from langgraph.graph.message import add_messages
from wire import Plain, Setup, serve
from wire_langchain import native, plain


class DeepAgents:
    def __init__(self, setup: Setup) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._state: dict[str, Any] = {"messages": []}
        self._spending = setup.spending
        self._model = GenericFakeChatModel(messages=iter([]), profile={"max_input_tokens": setup.limit})
        backend = FilesystemBackend(root_dir=self._folder.name, virtual_mode=True)
        self._middleware = create_summarization_middleware(self._model, backend, summarizer=self._summarise)

    @property
    def kept(self) -> dict[str, str]:
        root = Path(self._folder.name)
        return {f"/{p.relative_to(root).as_posix()}": p.read_text() for p in root.rglob("*") if p.is_file()}

    def _summarise(self, messages: list[Any]) -> str:
        prompt = self._middleware._lc_helper.summary_prompt
        return self._spending.summarise(prompt.format(messages=get_buffer_string(messages, format="xml")))

    def native(self, messages: list[Plain]) -> list[Any]:
        return native(messages)

    def manage(self, new: list[Any]) -> list[Any]:
        """The system prompt travels beside the messages, as an agent of theirs is built."""
        system = next((m for m in new if m.type == "system"), None)
        self._state.setdefault("system", system)
        self._state["messages"] = list(add_messages(self._state["messages"], [m for m in new if m is not system]))
        sent: list[list[Any]] = []

        def model_call(request: ModelRequest) -> ModelResponse:
            sent.append(request.messages)
            return ModelResponse(result=[AIMessage("")])

        request = ModelRequest(
            model=self._model,
            system_message=self._state["system"],
            messages=self._state["messages"],
            state=self._state,
        )
        answer = self._middleware.wrap_model_call(request, model_call)
        if isinstance(answer, ExtendedModelResponse) and answer.command is not None:
            update = dict(answer.command.update)
            if "messages" in update:
                self._state["messages"] = list(add_messages(self._state["messages"], update.pop("messages")))
            self._state.update(update)
        head = [self._state["system"]] if self._state["system"] else []
        return [*head, *sent[-1]]

    def plain(self, view: list[Any]) -> list[Plain]:
        return plain(view)


if __name__ == "__main__":
    serve(DeepAgents)

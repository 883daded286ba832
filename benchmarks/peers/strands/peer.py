"""strands: the ``auto`` context manager of a real agent, reached through the agent's own hooks."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from strands import Agent
from strands.hooks import BeforeModelCallEvent, MessageAddedEvent
from strands.models import Model
from wire import Plain, Setup, Spending, arguments, call, message, serve


class FakeModel(Model):
    """Answers every request with the fixed summary."""

    def __init__(self, limit: int, spending: Spending) -> None:
        self._config = {"context_window_limit": limit}
        self._spending = spending

    def update_config(self, **model_config: Any) -> None:
        self._config.update(model_config)

    def get_config(self) -> Any:
        return self._config

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the benchmark asks for text only")

    async def stream(self, messages: Any, *_: Any, system_prompt: str | None = None, **__: Any) -> AsyncIterator[Any]:
        prompt = "\n".join(block.get("text", "") for m in messages for block in m["content"])
        text = self._spending.summarise(f"{system_prompt or ''}\n{prompt}")
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockDelta": {"delta": {"text": text}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


class Strands:
    def __init__(self, setup: Setup) -> None:
        self._runner = asyncio.Runner()
        self._system = ""
        self._stashed: dict[str, str] = {}
        self._agent = Agent(model=FakeModel(setup.limit, setup.spending), context_manager="auto", callback_handler=None)

    @property
    def kept(self) -> dict[str, str]:
        """What the stash holds, by the reference that a placeholder would show."""
        return self._stashed

    def native(self, messages: list[Plain]) -> list[Any]:
        """Results of one answer and what the user adds are one message, since roles alternate here."""
        made: list[Any] = []
        for m in messages:
            if m["role"] == "system":
                self._system = m["content"]
                continue
            role = "assistant" if m["role"] == "assistant" else "user"
            if not made or made[-1]["role"] != role:
                made.append({"role": role, "content": []})
            made[-1]["content"].extend(_blocks(m))
        return [m for m in made if m["content"]]

    def manage(self, new: list[Any]) -> list[Any]:
        return self._runner.run(self._managed(new))

    async def _managed(self, new: list[Any]) -> list[Any]:
        agent = self._agent
        for m in new:
            for block in m["content"]:
                if "toolResult" in block:
                    result = block["toolResult"]
                    self._stashed[f"{result['toolUseId']}_0"] = result["content"][0]["text"]
            agent.messages.append(m)
            await agent.hooks.invoke_callbacks_async(MessageAddedEvent(agent=agent, message=m))
        tokens = await agent.model.count_tokens(agent.messages, system_prompt=self._system)
        before = BeforeModelCallEvent(agent=agent, invocation_state={}, projected_input_tokens=tokens)
        await agent.hooks.invoke_callbacks_async(before)
        return list(agent.messages)

    def plain(self, view: list[Any]) -> list[Plain]:
        head = [message("system", self._system)] if self._system else []
        return [*head, *(made for m in view for made in _plain(m))]


def _blocks(m: Plain) -> list[Any]:
    if m["role"] == "tool":
        content = [{"text": m["content"]}]
        return [{"toolResult": {"toolUseId": m["tool_call_id"], "status": "success", "content": content}}]
    text = [{"text": m["content"]}] if m["content"] else []
    calls = [
        {"toolUse": {"toolUseId": c["id"], "name": c["function"]["name"], "input": arguments(c)}}
        for c in m.get("tool_calls", [])
    ]
    return [*text, *calls]


def _plain(m: Any) -> list[Plain]:
    text = "\n".join(block["text"] for block in m["content"] if "text" in block)
    uses = [block["toolUse"] for block in m["content"] if "toolUse" in block]
    calls = [call(u["toolUseId"], u["name"], u["input"]) for u in uses]
    results = [block["toolResult"] for block in m["content"] if "toolResult" in block]
    made = [message("tool", "".join(c.get("text", "") for c in r["content"]), answers=r["toolUseId"]) for r in results]
    return [*made, *([message(m["role"], text, calls)] if text or calls else [])]


if __name__ == "__main__":
    serve(Strands)

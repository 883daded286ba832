"""A session as the agent builds it, with a scripted model, tools that do what a test wants, and a real store."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from astroresearch.agent.assembly import assemble_session
from astroresearch.agent.delegate import Delegates
from astroresearch.agent.journal import Published
from astroresearch.agent.session import Session
from astroresearch.config import Settings
from astroresearch.context.messages import Message, ToolCall, assistant
from astroresearch.hooks.registry import Hooks
from astroresearch.model.base import Model
from astroresearch.model.scripted import ScriptedModel, Step
from astroresearch.store.sessions import Store
from astroresearch.tools.base import Arguments, CallContext, Citation, Outcome, Tool
from astroresearch.tools.registry import Registry

PAPER = Citation("2020A&A...641A...6P", "Planck 2018 results. VI", 2020, "abstract")


class Words(Arguments):
    text: str = Field(default="")


def tool(name: str, act: Callable[[str], Awaitable[str | Outcome]], **more: Any) -> Tool:
    """Return a tool whose result is what *act* makes of its argument ``text``."""

    async def run(arguments: Words, context: CallContext) -> Outcome:
        result = await act(arguments.text)
        return result if isinstance(result, Outcome) else Outcome(result)

    return Tool(name=name, summary=name, description=name, arguments=Words, run=run, **more)


async def echo(text: str) -> str:
    return f"echo {text}"


async def quote(text: str) -> Outcome:
    return Outcome(f"{PAPER.id}: H0 = 67.4 ± 0.5 km/s/Mpc. {text}", citations=(PAPER,))


async def lengthy(text: str) -> str:
    return "\n".join(f"{text} line {k} says {k * k} Mpc" for k in range(int(text or "400")))


TOOLS = (tool("echo", echo), tool("quote", quote), tool("lengthy", lengthy))


def calling(*calls: tuple[str, str, str], text: str = "", thought: str = "") -> Message:
    """Return a reply with calls, each (id, tool, argument)."""
    made = (ToolCall(id, name, f'{{"text": "{argument}"}}') for id, name, argument in calls)
    return assistant(text, *made, thought=thought)


@dataclass
class Sleeps:
    """A clock that only waits move."""

    waits: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Store]:
    async with await Store.open(f"sqlite:///{path}") as store:
        yield store


async def session_with(
    store: Any,
    script: Sequence[Step] | Model | Sequence[Model] | None,
    *,
    tools: Sequence[Tool] = TOOLS,
    session_id: str | None = None,
    sleep: Callable[[float], Awaitable[None]] | None = None,
    hooks: Hooks | None = None,
    delegates: bool = False,
    **settings: Any,
) -> Session:
    """Return a new session, or the one with *session_id*; *settings* by their field names.

    Without a script it can only be looked at.
    """
    row = await store.session(session_id) if session_id else await store.create_session(title="test", model="scripted")
    given: Any = script
    if given is None:
        models: Sequence[Model] = ()
    elif hasattr(given, "stream"):
        models = (given,)
    elif given and hasattr(given[0], "stream"):
        models = given
    else:
        models = (ScriptedModel(given),)
    chosen = Settings().model_copy(update={"context_window": 64_000, **settings})
    more: dict[str, Any] = {"hooks": hooks, "sleep": sleep or Sleeps()}
    team = Delegates("en") if delegates else None
    return await assemble_session(store, row, models, Registry(tools), chosen, "en", delegates=team, **more)


async def run(session: Session, question: str) -> list[Published]:
    """Run one turn; return its events."""
    running = session.send(question)
    seen = [published async for published in running]
    await running.finished()
    return seen


def types(events: Sequence[Published]) -> list[str]:
    return [published.event.type for published in events]


async def transcript(store: Any, session: Session) -> list[Message]:
    return [entry.message for entry in await store.history(session.id)]


def check_pairs(messages: Sequence[Message]) -> None:
    """Assert that every call has its one result, right behind its message and in call order."""
    waiting: list[str] = []
    for message in messages:
        result = message.result
        if result is not None:
            assert waiting, f"a result without a call: {result.call_id}"
            assert waiting.pop(0) == result.call_id
            continue
        assert not waiting, f"calls without a result: {waiting}"
        waiting = [call.id for call in message.calls]
    assert not waiting, f"calls without a result: {waiting}"

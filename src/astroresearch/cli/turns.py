"""Runs turns for the commands that ask: settings, session, events to a screen, Ctrl-C."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress

from ..agent.events import Failed, Finished
from ..agent.session import Session
from ..agent.wiring import Agent
from ..locales import LOCALES, Locale
from .failures import Stop
from .given import settings_for
from .output import ReaderLeft
from .screen import Screen, screen_for
from .words import t

CODES = {"answered": 0, "step_limit": 0, "budget": 0, "cancelled": 130, "failed": 4}


@asynccontextmanager
async def opened(flags: Mapping[str, object] | None = None) -> AsyncIterator[Agent]:
    async with Agent.open(settings_for(flags)) as agent:
        yield agent


async def answer(
    question: str, *, session: str | None, go_on: bool, json_lines: bool, flags: Mapping[str, object]
) -> int:
    """Ask one question; return the exit code."""
    async with opened(flags) as agent:
        session = await latest(agent) if go_on else session
        model = flags.get("AGENT_MODEL")
        chosen = await agent.create_or_resume_session(
            session,
            question,
            model=str(model) if model else None,
            locale=chosen_locale(flags),
        )
        with screen_for(chosen.locale, json_lines) as screen:
            return await one_turn(chosen, question, screen)


def chosen_locale(flags: Mapping[str, object]) -> Locale | None:
    return next((locale for locale in LOCALES if locale == flags.get("AGENT_LOCALE")), None)


async def latest(agent: Agent) -> str:
    row = await agent.store.latest_session()
    if row is None:
        raise Stop(5, t("no_latest"))
    return row.session_id


async def one_turn(session: Session, question: str, screen: Screen) -> int:
    """Run one turn to its end, showing it; Ctrl-C and a closed pipe cancel it, and the session stays valid."""
    running = session.send(question)
    failed: Failed | None = None
    with on_interrupt(session.cancel):
        try:
            async for published in running:
                if isinstance(published.event, Failed):
                    failed = published.event
                screen.show(published)
        except ReaderLeft:
            session.cancel()
            with suppress(asyncio.CancelledError):
                await running.finished()
            raise
        done = await running.finished()
    screen.end(session, done)
    return exit_code(done, failed)


def exit_code(done: Finished, failed: Failed | None) -> int:
    return 3 if failed and failed.kind == "Auth" else CODES[done.status]


@contextmanager
def on_interrupt(action: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C do *action* instead of ending the process; a second one ends it all the same."""
    loop = asyncio.get_running_loop()

    def first() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        action()

    before = signal.signal(signal.SIGINT, lambda number, frame: loop.call_soon_threadsafe(first))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

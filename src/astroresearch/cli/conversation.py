"""The chat: questions, and commands that begin with a slash."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import cast

from .. import __version__
from ..agent.breakdown import breakdown
from ..agent.session import Session
from ..agent.wiring import Agent
from ..context import UnknownReference
from . import question
from .failures import Stop
from .lines import Lines
from .output import hint, tell
from .screen import screen_for
from .turns import chosen_locale, latest, one_turn, opened
from .windows import compact_and_tell, context_lines
from .words import t


async def converse(*, session: str | None, go_on: bool, flags: Mapping[str, object]) -> int:
    """Talk until the input ends or /quit; return the exit code."""
    async with opened(flags) as agent:
        chat = Chat(agent, flags)
        if session or go_on:
            chat.session = await agent.resume(session or await latest(agent), model=chat.model)
        hint(t("chat_welcome", version=__version__, model=chat.model_name))
        await chat.run()
        if chat.session:
            hint(t("session_line", id=chat.session.id))
    return 0


class Chat:
    """One conversation; the session is made with its first question, which decides its language."""

    def __init__(self, agent: Agent, flags: Mapping[str, object]) -> None:
        self.agent, self.lines = agent, Lines()
        self.session: Session | None = None
        self.model = cast("str | None", flags.get("AGENT_MODEL"))
        self._locale = chosen_locale(flags)
        self._commands: Mapping[str, Callable[[str], Awaitable[bool]]] = {
            "/context": self._context,
            "/compact": self._compact,
            "/recall": self._recall,
            "/cancel": self._cancel,
            "/model": self._model,
            "/help": self._help,
            "/quit": self._quit,
            "/exit": self._quit,
        }

    @property
    def model_name(self) -> str:
        return self.session.ports.models[0].name if self.session else self.model or self.agent.settings.model

    async def run(self) -> None:
        while (line := self._next()) is not None:
            try:
                if line and not await self._take(line):
                    return
            except Stop as stop:
                hint(t("error", text=stop.failure.line))
            except UnknownReference as unknown:
                hint(t("error", text=str(unknown)))

    def _next(self) -> str | None:
        """Return the next line; Ctrl-C clears the line that was begun."""
        while True:
            try:
                line = self.lines.ask(t("chat_prompt"))
            except KeyboardInterrupt:
                hint(t("chat_interrupt"))
                continue
            return None if line is None else line.strip()

    async def _take(self, line: str) -> bool:
        """Do what one line asks for; return whether to go on."""
        if not line.startswith("/"):
            await self._ask(question.checked(line))
            return True
        word, _, rest = line.partition(" ")
        if (command := self._commands.get(word)) is None:
            raise Stop(2, t("chat_unknown", command=word, known=" ".join(sorted(self._commands))))
        return await command(rest.strip())

    async def _ask(self, text: str) -> None:
        if self.session is None:
            self.session = await self.agent.create_or_resume_session(None, text, model=self.model, locale=self._locale)
        session = self.session

        def take(line: str) -> bool:
            if line == "/cancel":
                session.cancel()
            return line == "/cancel"

        with screen_for(session.locale, json_lines=False) as screen, self.lines.watched(take):
            await one_turn(session, text, screen)

    def _begun(self) -> Session:
        if self.session is None:
            raise Stop(5, t("chat_not_begun"))
        return self.session

    async def _context(self, rest: str) -> bool:
        for line in context_lines(breakdown(self._begun().ports)):
            tell(line)
        return True

    async def _compact(self, focus: str) -> bool:
        await compact_and_tell(self._begun(), focus)
        return True

    async def _recall(self, rest: str) -> bool:
        reference, _, query = rest.partition(" ")
        if not reference:
            raise Stop(2, t("chat_recall"))
        tell(await self._begun().recall(reference, query.strip()))
        return True

    async def _cancel(self, rest: str) -> bool:
        raise Stop(2, t("chat_nothing_runs"))

    async def _model(self, name: str) -> bool:
        """Tell the model, or go on with another one; the view stays as it is."""
        if name and self.session:
            self.session = await self.agent.resume(self.session.id, model=name)
        if name:
            self.model = name
        hint(t("chat_model", model=self.model_name))
        return True

    async def _help(self, rest: str) -> bool:
        hint(t("chat_help"))
        return True

    async def _quit(self, rest: str) -> bool:
        await asyncio.sleep(0)
        return False

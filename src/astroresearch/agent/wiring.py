"""What one process shares: settings, store, library and models; and the sessions that it hands out."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import cast

from ..astro.library import Library
from ..astro.tools import library_tools
from ..config import BadSetting, Settings
from ..hooks.command import FILE_NAME as HOOKS_FILE
from ..hooks.command import BadHooks, load
from ..hooks.registry import Hooks, from_entry_points
from ..locales import Locale, language_of
from ..model.base import Model
from ..model.choose import close_model
from ..store.sessions import SessionRow, Store
from ..tools.base import CallContext
from ..tools.builtin.compress import compress_context
from ..tools.builtin.recall import recall_context
from ..tools.builtin.todo import Task as Planned
from ..tools.builtin.todo import todo_write
from ..tools.registry import Registry
from .assembly import assemble_session, build_model, recall_from
from .delegate import Delegates
from .finalize import title_of
from .plan import stored
from .ports import Wishes
from .session import Session


class Agent:
    """Everything that sessions share in one process. Use ``async with Agent.open(settings) as agent``."""

    def __init__(self, settings: Settings, store: Store, library: Library) -> None:
        self.settings, self.store, self.library = settings, store, library
        self._models_open: list[Model] = []
        self._sessions: list[Session] = []

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings) -> AsyncIterator["Agent"]:
        settings.home_folder.mkdir(parents=True, exist_ok=True)
        async with await Store.open(settings.database) as store:
            library = await asyncio.to_thread(Library.open, settings.library_file)
            agent = cls(settings, store, library)
            try:
                yield agent
            finally:
                await agent._close()

    async def _close(self) -> None:
        self.library.close()
        for session in self._sessions:
            await session.close()
        for model in self._models_open:
            await close_model(model)

    async def create_or_resume_session(
        self, session_id: str | None, question: str, *, model: str | None = None, locale: Locale | None = None
    ) -> Session:
        """Return a new session for *question*, or the one with this id; raises ``NoSuchSession``, ``BadSetting``."""
        if session_id is None:
            return await self._create(question, model or self.settings.model, locale)
        return await self.resume(session_id, model=model, locale=locale)

    async def _create(self, question: str, model: str, locale: Locale | None) -> Session:
        chosen = self._models(model)
        row = await self.store.create_session(
            title=title_of(question), model=model, locale=locale or self._locale(question)
        )
        return await self._session(row, chosen, cast(Locale, row.locale))

    async def resume(self, session_id: str, *, model: str | None = None, locale: Locale | None = None) -> Session:
        """Take up a session: its view as it was, and what a crash left open closed, once."""
        row = await self.store.session(session_id)
        chosen = self._models(model or row.model or self.settings.model)
        if model and model != row.model:
            await self.store.update_session(row.session_id, model=model)
            row = replace(row, model=model)
        return await self._session(row, chosen, locale or cast(Locale, row.locale))

    async def look(self, session_id: str) -> Session:
        """Return a session to be looked at, not asked: no model is opened, and nothing that is open is closed."""
        row = await self.store.session(session_id)
        return await self._session(row, (), cast(Locale, row.locale))

    def _locale(self, question: str) -> Locale:
        return language_of(question) if self.settings.locale == "auto" else self.settings.locale

    def _models(self, name: str) -> tuple[Model, ...]:
        names = dict.fromkeys(filter(None, (name, self.settings.fallback_model)))
        locale: Locale = "en" if self.settings.locale == "auto" else self.settings.locale
        models = tuple(build_model(n, self.settings, locale) for n in names)
        self._models_open.extend(models)
        return models

    async def _session(self, row: SessionRow, models: Sequence[Model], locale: Locale) -> Session:
        wishes = Wishes()
        session = await assemble_session(
            self.store,
            row,
            models,
            self._registry(row.session_id, wishes, locale),
            self.settings,
            locale,
            wishes=wishes,
            hooks=self._hooks(locale),
            delegates=Delegates(locale),
        )
        self._sessions.append(session)
        return session

    def _hooks(self, locale: Locale) -> Hooks:
        """Return the hooks of installed packages, then those of the user's ``hooks.toml``; raises ``BadSetting``."""
        hooks = Hooks(locale=locale)
        from_entry_points(hooks)
        try:
            return hooks.with_more(load(self.settings.home_folder / HOOKS_FILE, locale))
        except BadHooks as bad:
            raise BadSetting(str(bad)) from None

    def _registry(self, session_id: str, wishes: Wishes, locale: Locale) -> Registry:
        async def save(context: CallContext, tasks: tuple[Planned, ...]) -> None:
            wishes.tasks = stored(tasks)

        async def compress(context: CallContext, focus: str) -> None:
            wishes.compress = focus

        recall = recall_from(self.store, session_id, locale)
        own = (todo_write(save, locale), compress_context(compress, locale), recall_context(recall, locale))
        return Registry((*library_tools(self.library, locale), *own))

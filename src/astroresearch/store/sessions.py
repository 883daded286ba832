"""The session store: what is committed here is durable when the call returns, and it is the truth (R7.1, R7.2)."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from sqlalchemy import Connection

from ..context.messages import Message
from . import archive, leases, reading, writing
from .backup import copy_database
from .codec import plain, to_json
from .database import Database, parse_url
from .facts import Facts, facts_of
from .migrations.upgrade import ensure_schema
from .reading import EVERY_AGENT
from .rows import (
    AmbiguousSession,
    AuditRow,
    BadName,
    BadRecord,
    Begun,
    Committed,
    Lease,
    LeaseLost,
    NoSuchMessage,
    NoSuchSession,
    SessionExists,
    SessionInUse,
    SessionRow,
    StoredCompaction,
    StoredEvent,
    StoredMessage,
    StoreError,
    StoreUnavailable,
    Task,
)

__all__ = [
    "EVERY_AGENT",
    "AmbiguousSession",
    "AuditRow",
    "BadName",
    "BadRecord",
    "Begun",
    "Committed",
    "Lease",
    "LeaseLost",
    "NoSuchMessage",
    "NoSuchSession",
    "SessionExists",
    "SessionInUse",
    "SessionRow",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "StoredCompaction",
    "StoredEvent",
    "StoredMessage",
    "Task",
]

LEAD = "lead"
NAME = re.compile(r"[A-Za-z0-9._:-]{1,64}")


def _now() -> datetime:
    return datetime.now(UTC)


def _name(what: str, name: str) -> str:
    if NAME.fullmatch(name) is None:
        raise BadName(what, name)
    return name


class Store:
    """All sessions of one database. Use ``async with await Store.open(url) as store``.

    Any method raises ``StoreUnavailable`` if the database can't be reached, and ``NoSuchSession`` for an unknown id.
    *clock* gives the moments that are stored and that leases expire by.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime] = _now) -> None:
        self.database, self._clock = database, clock

    @classmethod
    async def open(cls, url: str, *, clock: Callable[[], datetime] = _now) -> Self:
        """Open ``sqlite:////path/file.db`` or ``postgresql://…``; makes the folder, brings the tables up to date."""
        database = Database(parse_url(url))
        try:
            await ensure_schema(database)
        except BaseException:
            await database.close()
            raise
        return cls(database, clock)

    async def close(self) -> None:
        await self.database.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # -- sessions -------------------------------------------------------------------------------------------------

    async def create_session(
        self,
        *,
        session_id: str | None = None,
        title: str = "",
        model: str = "",
        locale: str = "en",
        owner: str = "",
        metadata: Mapping[str, object] | None = None,
    ) -> SessionRow:
        """Begin a session; ``SessionExists`` if *session_id* is taken, a random one if None."""
        key, now = _name("session id", session_id or uuid4().hex), self._clock()
        texts = {"title": plain(title), "model": plain(model), "locale": plain(locale), "owner": plain(owner)}
        moments = {"created_at": now, "updated_at": now}
        values = {"session_id": key, "metadata": to_json(metadata or {}, "metadata"), **texts, **moments}
        await self.database.write(partial(writing.create, values=values))
        return await self.session(key)

    async def session(self, session_id: str, *, owner: str | None = None) -> SessionRow:
        """Return a session by its id or a unique beginning of it, of at least 6 characters.

        With *owner*, another's session is as unknown as one that is not there.
        """
        if NAME.fullmatch(session_id) is None:
            raise NoSuchSession(session_id)
        return await self.database.read(partial(reading.session, session_id=session_id, owner=owner))

    async def sessions(self, limit: int = 100, owner: str | None = None) -> list[SessionRow]:
        """Return sessions, the last used first, without their engine states."""
        return await self.database.read(partial(reading.sessions, limit=limit, owner=owner))

    async def latest_session(self, *, owner: str | None = None) -> SessionRow | None:
        found = await self.sessions(1, owner)
        return await self.session(found[0].session_id) if found else None

    async def remove_session(self, session_id: str) -> None:
        """Delete a session with everything in it."""
        await self.database.write(partial(writing.remove, session_id=session_id))

    async def update_session(
        self,
        session_id: str,
        *,
        title: str | None = None,
        model: str | None = None,
        metadata: Mapping[str, object] | None = None,
        engine_state: Mapping[str, object] | None = None,
        fence: int | None = None,
    ) -> None:
        """Change what is given; ``LeaseLost`` if *fence* is no longer the session's."""
        texts = {"title": title, "model": model}
        values: dict[str, object] = {name: plain(text) for name, text in texts.items() if text is not None}
        if metadata is not None:
            values["metadata"] = to_json(metadata, "metadata")
        state = None if engine_state is None else to_json(engine_state, "engine state")
        values["updated_at"] = self._clock()
        await self.database.write(
            partial(writing.change, session_id=session_id, values=values, state=state, fence=fence)
        )

    # -- appending ------------------------------------------------------------------------------------------------

    async def commit(
        self,
        session_id: str,
        turn: int,
        *,
        messages: Sequence[Message] = (),
        events: Sequence[Mapping[str, object]] = (),
        compaction: Mapping[str, object] | None = None,
        tasks: Sequence[Task] | None = None,
        audit: Sequence[AuditRow] = (),
        agent_name: str = LEAD,
        token_counts: Sequence[int | None] | None = None,
        fence: int | None = None,
    ) -> Committed:
        """Append everything in one transaction and return the positions and seqs that were given.

        *tasks* replaces the agent's plan unless None. Raises ``LeaseLost`` if *fence* is no longer the session's,
        ``SessionInUse`` without a fence while another lives on the session, ``BadRecord`` for what is no JSON.
        """
        begun = await self._append(
            session_id,
            turn,
            messages=messages,
            events=events,
            compaction=compaction,
            tasks=tasks,
            audit=audit,
            agent_name=agent_name,
            token_counts=token_counts,
            fence=fence,
        )
        return Committed(begun.positions, begun.seqs)

    async def begin_turn(
        self,
        session_id: str,
        question: Message,
        events: Sequence[Mapping[str, object]] = (),
        *,
        agent_name: str = LEAD,
        fence: int | None = None,
    ) -> Begun:
        """Begin the next turn with the user's message and the first events, in one transaction."""
        return await self._append(
            session_id, None, messages=(question,), events=events, agent_name=agent_name, fence=fence
        )

    async def _append(self, session_id: str, turn: int | None, **content: Any) -> Begun:
        _name("agent name", content["agent_name"])
        commit = writing.Commit(id=uuid4().hex, session_id=session_id, turn=turn, now=self._clock(), **content)
        seen: list[str] = []
        return await self.database.write(lambda connection: writing.append(connection, commit, seen))

    # -- reading --------------------------------------------------------------------------------------------------

    async def history(self, session_id: str, agent_name: str = LEAD) -> list[StoredMessage]:
        """Return the messages of one agent, '*' for all agents, in commit order."""
        return await self.database.read(partial(reading.history, session_id=session_id, agent_name=agent_name))

    async def records(self, session_id: str, agent_name: str = LEAD) -> list[StoredMessage | StoredCompaction]:
        """Return the journal: messages and compactions in commit order."""
        return await self.database.read(partial(reading.records, session_id=session_id, agent_name=agent_name))

    async def message(self, session_id: str, position: int, agent_name: str = LEAD) -> StoredMessage:
        """Return one message; raises ``NoSuchMessage``."""
        work = partial(reading.message, session_id=session_id, position=position, agent_name=agent_name)
        return await self.database.read(work)

    async def originals(self, session_id: str, first: int, last: int, agent_name: str = LEAD) -> list[StoredMessage]:
        """Return the messages at positions *first* to *last*, both included, as far as they are there."""
        work = partial(archive.originals, session_id=session_id, first=first, last=last, agent_name=agent_name)
        return await self.database.read(work)

    async def search(self, session_id: str, query: str, agent_name: str = LEAD, limit: int = 20) -> list[StoredMessage]:
        """Return the first messages that hold every word of *query*, '*' for all agents."""
        work = partial(archive.search, session_id=session_id, query=plain(query), agent_name=agent_name, limit=limit)
        return await self.database.read(work)

    async def events(self, session_id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """Return the events with a seq above *after*."""
        return await self.database.read(partial(reading.events, session_id=session_id, after=after, limit=limit))

    async def turn_count(self, session_id: str) -> int:
        """Return how many turns were begun."""

        def count(connection: Connection) -> int:
            return int(reading.require(connection, session_id).turn_count)

        return await self.database.read(count)

    async def tasks(self, session_id: str, agent_name: str = LEAD) -> list[Task]:
        return await self.database.read(partial(reading.tasks, session_id=session_id, agent_name=agent_name))

    async def audit(self, session_id: str) -> list[AuditRow]:
        return await self.database.read(partial(reading.audit, session_id=session_id))

    # -- leases ---------------------------------------------------------------------------------------------------

    async def acquire_lease(self, session_id: str, holder: str, ttl: float, *, now: datetime | None = None) -> Lease:
        """Become the session's one writer for *ttl* seconds; ``SessionInUse`` while another living holder is."""
        at = now or self._clock()
        work = partial(leases.acquire, session_id=session_id, holder=plain(holder), ttl=ttl, now=at)
        return await self.database.write(work)

    async def renew_lease(self, lease: Lease, ttl: float, *, now: datetime | None = None) -> Lease:
        """Return the lease with a later end; ``LeaseLost`` if another has it by now."""
        return await self.database.write(partial(leases.renew, lease=lease, ttl=ttl, now=now or self._clock()))

    async def release_lease(self, lease: Lease) -> None:
        """Give the lease back; nothing happens if another has it by now."""
        await self.database.write(partial(leases.release, lease=lease))

    # -- care -----------------------------------------------------------------------------------------------------

    async def facts(self) -> Facts:
        """Return what ``doctor`` says of the database; no password is in it."""
        return await self.database.read(partial(facts_of, url=self.database.url))

    async def backup(self, path: Path) -> None:
        """Copy a SQLite database to the new file *path* while it is in use."""
        await asyncio.to_thread(copy_database, self.database.url, path)

"""A store in memory, for thousands of turns: what a session asks of one, without a database."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from astroresearch.context.messages import Message
from astroresearch.store.sessions import (
    Begun,
    Committed,
    Lease,
    SessionRow,
    StoredCompaction,
    StoredEvent,
    StoredMessage,
    Task,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class MemoryStore:
    def __init__(self) -> None:
        self._rows: dict[str, SessionRow] = {}
        self._records: defaultdict[str, list[StoredMessage | StoredCompaction]] = defaultdict(list)
        self._events: defaultdict[str, list[StoredEvent]] = defaultdict(list)
        self._tasks: dict[str, tuple[Task, ...]] = {}

    async def create_session(self, *, title: str, model: str) -> SessionRow:
        key = f"session{len(self._rows)}"
        self._rows[key] = SessionRow(
            session_id=key,
            title=title,
            model=model,
            locale="en",
            owner="",
            turn_count=0,
            created_at=NOW,
            updated_at=NOW,
        )
        return self._rows[key]

    async def session(self, session_id: str) -> SessionRow:
        return self._rows[session_id]

    async def update_session(self, session_id: str, *, engine_state: Mapping[str, object], fence: int | None) -> None:
        self._rows[session_id] = replace(self._rows[session_id], engine_state=engine_state)

    async def turn_count(self, session_id: str) -> int:
        return self._rows[session_id].turn_count

    async def records(self, session_id: str, agent_name: str) -> list[StoredMessage | StoredCompaction]:
        return list(self._records[session_id])

    async def history(self, session_id: str) -> list[StoredMessage]:
        return [record for record in self._records[session_id] if isinstance(record, StoredMessage)]

    async def events(self, session_id: str, after: int = 0) -> list[StoredEvent]:
        return self._events[session_id][after:]

    async def tasks(self, session_id: str) -> tuple[Task, ...]:
        return self._tasks.get(session_id, ())

    async def begin_turn(
        self, session_id: str, question: Message, events: Sequence[Mapping[str, object]], **more: Any
    ) -> Begun:
        row = self._rows[session_id] = replace(self._rows[session_id], turn_count=self._rows[session_id].turn_count + 1)
        done = await self.commit(session_id, row.turn_count, messages=[question], events=events, **more)
        return Begun(row.turn_count, done.positions, done.seqs)

    async def commit(
        self,
        session_id: str,
        turn: int,
        *,
        messages: Sequence[Message] = (),
        events: Sequence[Mapping[str, object]] = (),
        compaction: Mapping[str, object] | None = None,
        tasks: Sequence[Task] | None = None,
        **more: Any,
    ) -> Committed:
        first, seq = len(await self.history(session_id)), len(self._events[session_id])
        for at, message in enumerate(messages):
            self._records[session_id].append(StoredMessage(first + at, turn, "lead", message, None, NOW))
        if compaction is not None:
            self._records[session_id].append(StoredCompaction(compaction, NOW))
        for at, payload in enumerate(events, start=1):
            self._events[session_id].append(StoredEvent(seq + at, turn, payload))
        if tasks is not None:
            self._tasks[session_id] = tuple(tasks)
        return Committed(tuple(range(first, first + len(messages))), tuple(range(seq + 1, seq + 1 + len(events))))

    async def acquire_lease(self, session_id: str, holder: str, ttl: float) -> Lease:
        return Lease(session_id, holder, NOW, 1)

    async def renew_lease(self, lease: Lease, ttl: float) -> Lease:
        return lease

    async def release_lease(self, lease: Lease) -> None: ...

"""What is read of a session, each a function of an open transaction."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select

from .codec import decode, mapping_from
from .rows import (
    AmbiguousSession,
    AuditRow,
    NoSuchMessage,
    NoSuchSession,
    SessionRow,
    StoredCompaction,
    StoredEvent,
    StoredMessage,
    Task,
)
from .tables import (
    agent_audit_log,
    agent_compactions,
    agent_engine_states,
    agent_events,
    agent_messages,
    agent_sessions,
    agent_tasks,
)

PREFIX = 6  # characters of an id that may stand for the whole
EVERY_AGENT = "*"
M = agent_messages.c
MESSAGES = select(M.record_no, M.position, M.turn, M.agent_name, M.raw_json, M.token_count, M.created_at)


def _session_row(row: Any, state: str | None = None) -> SessionRow:
    return SessionRow(
        session_id=row.session_id,
        title=row.title,
        model=row.model,
        locale=row.locale,
        owner=row.owner,
        turn_count=row.turn_count,
        created_at=row.created_at,
        updated_at=row.updated_at,
        metadata=mapping_from(row._mapping["metadata"], "metadata"),
        engine_state=None if state is None else mapping_from(state, "engine state"),
    )


def _owned(query: Select[Any], owner: str | None) -> Select[Any]:
    return query if owner is None else query.where(agent_sessions.c.owner == owner)


def session(connection: Connection, session_id: str, owner: str | None) -> SessionRow:
    """Return the session with this id, or the only one whose id begins so; another owner's is not there."""
    ids = agent_sessions.c.session_id
    mine = _owned(select(agent_sessions), owner)
    found: Sequence[Any] = connection.execute(mine.where(ids == session_id)).all()
    if not found and len(session_id) >= PREFIX:
        begins = func.substr(ids, 1, len(session_id)) == session_id
        found = connection.execute(mine.where(begins).limit(2)).all()
    if len(found) != 1:
        raise AmbiguousSession(session_id) if found else NoSuchSession(session_id)
    states = agent_engine_states.c
    state = connection.execute(select(states.state).where(states.session_id == found[0].session_id)).scalar()
    return _session_row(found[0], state)


def sessions(connection: Connection, limit: int, owner: str | None) -> list[SessionRow]:
    newest = (agent_sessions.c.updated_at.desc(), agent_sessions.c.session_id)
    rows = connection.execute(_owned(select(agent_sessions), owner).order_by(*newest).limit(limit))
    return [_session_row(row) for row in rows]


def require(connection: Connection, session_id: str) -> Any:
    """Return the bare row of a session that must be there."""
    row = connection.execute(select(agent_sessions).where(agent_sessions.c.session_id == session_id)).one_or_none()
    if row is None:
        raise NoSuchSession(session_id)
    return row


def messages_of(session_id: str, agent_name: str) -> Select[Any]:
    """Return the query for the messages of one agent, '*' for all, in commit order."""
    query = MESSAGES.where(M.session_id == session_id).order_by(M.record_no)
    return query if agent_name == EVERY_AGENT else query.where(M.agent_name == agent_name)


def stored(rows: Sequence[Any]) -> list[StoredMessage]:
    return [StoredMessage(p, turn, agent, decode(raw), n, at) for _, p, turn, agent, raw, n, at in rows]


def history(connection: Connection, session_id: str, agent_name: str) -> list[StoredMessage]:
    rows = connection.execute(messages_of(session_id, agent_name)).all()
    if not rows:
        require(connection, session_id)
    return stored(rows)


def records(connection: Connection, session_id: str, agent_name: str) -> list[StoredMessage | StoredCompaction]:
    """Return the journal: messages and compactions in the order in which they were committed."""
    table = agent_compactions.c
    query = select(table.record_no, table.record, table.created_at).where(table.session_id == session_id)
    query = query if agent_name == EVERY_AGENT else query.where(table.agent_name == agent_name)
    folded = connection.execute(query).all()
    rows = connection.execute(messages_of(session_id, agent_name)).all()
    if not rows:
        require(connection, session_id)
    numbered: list[tuple[int, StoredMessage | StoredCompaction]]
    numbered = [(row[0], message) for row, message in zip(rows, stored(rows), strict=True)]
    numbered += [(n, StoredCompaction(mapping_from(raw, "compaction"), at)) for n, raw, at in folded]
    return [record for _, record in sorted(numbered, key=lambda entry: entry[0])]


def message(connection: Connection, session_id: str, position: int, agent_name: str) -> StoredMessage:
    query = MESSAGES.where(M.session_id == session_id, M.agent_name == agent_name, M.position == position)
    rows = connection.execute(query).all()
    if not rows:
        require(connection, session_id)
        raise NoSuchMessage(session_id, position, agent_name)
    return stored(rows)[0]


def events(connection: Connection, session_id: str, after: int, limit: int | None) -> list[StoredEvent]:
    table = agent_events.c
    query = select(table.seq, table.turn, table.payload).where(table.session_id == session_id, table.seq > after)
    rows = connection.execute(query.order_by(table.seq).limit(limit)).all()
    if not rows:
        require(connection, session_id)
    return [StoredEvent(seq, turn, mapping_from(payload, "event")) for seq, turn, payload in rows]


def tasks(connection: Connection, session_id: str, agent_name: str) -> list[Task]:
    table = agent_tasks.c
    query = select(agent_tasks).where(table.session_id == session_id, table.agent_name == agent_name)
    rows = connection.execute(query.order_by(table.place)).all()
    if not rows:
        require(connection, session_id)
    return [Task(r.task_id, r.content, r.status, tuple(json.loads(r.blocked_by)), r.owner) for r in rows]


def audit(connection: Connection, session_id: str) -> list[AuditRow]:
    table = agent_audit_log.c
    rows = connection.execute(select(agent_audit_log).where(table.session_id == session_id).order_by(table.number))
    return [
        AuditRow(
            session_id=r.session_id,
            step=r.step,
            tool_name=r.tool_name,
            call_id=r.call_id,
            agent_name=r.agent_name,
            status=r.status,
            elapsed_ms=r.elapsed_ms,
            output_preview=r.output_preview,
            created_at=r.created_at,
        )
        for r in rows
    ]

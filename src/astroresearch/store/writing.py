"""What changes a session, each a function of an open transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ..context.messages import Message
from .codec import bounded, encode, plain, to_json
from .leases import check_fence, locked
from .rows import AuditRow, Begun, NoSuchSession, SessionExists, StoreUnavailable, Task
from .tables import (
    agent_audit_log,
    agent_compactions,
    agent_engine_states,
    agent_events,
    agent_messages,
    agent_sessions,
    agent_tasks,
)

LAST_POSITION = select(func.max(agent_messages.c.position)).where(
    agent_messages.c.session_id == bindparam("session_id"), agent_messages.c.agent_name == bindparam("agent_name")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """All that one transaction appends. *turn* None begins the next turn. *id* makes a second try harmless."""

    id: str
    session_id: str
    agent_name: str
    turn: int | None
    now: datetime
    messages: Sequence[Message] = ()
    events: Sequence[Mapping[str, object]] = ()
    compaction: Mapping[str, object] | None = None
    tasks: Sequence[Task] | None = None
    audit: Sequence[AuditRow] = ()
    token_counts: Sequence[int | None] | None = None
    fence: int | None = None


def append(connection: Connection, commit: Commit, seen: list[str]) -> Begun:
    """Write *commit* and return the numbers that it was given.

    *seen* holds, over all tries, the last commit that each one found: a connection that breaks while it commits leaves
    open whether it did.
    """
    row = locked(connection, commit.session_id)
    first = _next_position(connection, commit)
    if row.last_commit == commit.id:
        return _numbers(commit, row.turn_count, first - len(commit.messages), row.event_count - len(commit.events))
    if seen and row.last_commit != seen[-1]:
        raise StoreUnavailable("", "store.unknown_outcome")
    seen.append(row.last_commit)
    check_fence(row, commit.fence, commit.now)
    turn = row.turn_count + 1 if commit.turn is None else commit.turn
    _write_messages(connection, commit, turn, row, first)
    _write_compaction(connection, commit, turn, row.record_count + len(commit.messages))
    _write_events(connection, commit, turn, row.event_count)
    _write_tasks(connection, commit)
    _write_audit(connection, commit, row.audit_count)
    _count(connection, commit, turn, row)
    return _numbers(commit, turn, first, row.event_count)


def _numbers(commit: Commit, turn: int, first: int, seq: int) -> Begun:
    positions = range(first, first + len(commit.messages))
    return Begun(turn, tuple(positions), tuple(range(seq + 1, seq + 1 + len(commit.events))))


def _next_position(connection: Connection, commit: Commit) -> int:
    if not commit.messages:
        return 0
    of = {"session_id": commit.session_id, "agent_name": commit.agent_name}
    last: int | None = connection.execute(LAST_POSITION, of).scalar()
    return 0 if last is None else last + 1


def _write_messages(connection: Connection, commit: Commit, turn: int, row: Any, first: int) -> None:
    counts = commit.token_counts or [None] * len(commit.messages)
    rows = [
        {
            "session_id": commit.session_id,
            "record_no": row.record_count + at,
            "agent_name": commit.agent_name,
            "position": first + at,
            "turn": turn,
            "token_count": count,
            "created_at": commit.now,
            **_columns(bounded(message, row.locale)),
        }
        for at, (message, count) in enumerate(zip(commit.messages, counts, strict=True))
    ]
    if rows:
        connection.execute(insert(agent_messages), rows)


def _columns(message: Message) -> dict[str, object]:
    """Return the document's columns: all for people and for search, but ``raw_json``, which is the message."""
    result = message.result
    calls = [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in message.calls]
    about = {"origin": message.origin} | ({"status": result.status} if result else {})
    return {
        "role": message.role,
        "content": plain(message.text),
        "thought": plain(message.thought),
        "tool_calls": to_json(calls) if calls else None,
        "tool_call_id": plain(result.call_id) if result else None,
        "metadata": to_json(about),
        "raw_json": encode(message),
    }


def _write_compaction(connection: Connection, commit: Commit, turn: int, record_no: int) -> None:
    if commit.compaction is None:
        return
    row = {
        "session_id": commit.session_id,
        "record_no": record_no,
        "agent_name": commit.agent_name,
        "turn": turn,
        "record": to_json(commit.compaction, "compaction"),
        "created_at": commit.now,
    }
    connection.execute(insert(agent_compactions), row)


def _write_events(connection: Connection, commit: Commit, turn: int, last: int) -> None:
    rows = [
        {
            "session_id": commit.session_id,
            "seq": seq,
            "turn": turn,
            "type": plain(str(payload["type"])),
            "payload": to_json(payload, "event"),
            "created_at": commit.now,
        }
        for seq, payload in enumerate(commit.events, last + 1)
    ]
    if rows:
        connection.execute(insert(agent_events), rows)


def _write_tasks(connection: Connection, commit: Commit) -> None:
    if commit.tasks is None:
        return
    table = agent_tasks.c
    mine = (table.session_id == commit.session_id) & (table.agent_name == commit.agent_name)
    connection.execute(delete(agent_tasks).where(mine))
    rows = [
        {
            "session_id": commit.session_id,
            "agent_name": commit.agent_name,
            "place": place,
            "task_id": plain(task.task_id),
            "content": plain(task.content),
            "status": plain(task.status),
            "blocked_by": to_json(task.blocked_by),
            "owner": plain(task.owner),
        }
        for place, task in enumerate(commit.tasks)
    ]
    if rows:
        connection.execute(insert(agent_tasks), rows)


def _write_audit(connection: Connection, commit: Commit, last: int) -> None:
    rows = [
        {
            "session_id": commit.session_id,
            "number": number,
            "step": row.step,
            "tool_name": plain(row.tool_name),
            "call_id": plain(row.call_id),
            "agent_name": row.agent_name,
            "status": plain(row.status),
            "elapsed_ms": row.elapsed_ms,
            "output_preview": plain(row.output_preview),
            "created_at": commit.now,
        }
        for number, row in enumerate(commit.audit, last + 1)
    ]
    if rows:
        connection.execute(insert(agent_audit_log), rows)


def _count(connection: Connection, commit: Commit, turn: int, row: Any) -> None:
    counts = {
        "turn_count": max(row.turn_count, turn),
        "record_count": row.record_count + len(commit.messages) + (commit.compaction is not None),
        "event_count": row.event_count + len(commit.events),
        "audit_count": row.audit_count + len(commit.audit),
        "last_commit": commit.id,
        "updated_at": commit.now,
    }
    mine = agent_sessions.c.session_id == commit.session_id
    connection.execute(update(agent_sessions).where(mine).values(counts))


def create(connection: Connection, values: Mapping[str, object]) -> None:
    """Write a new session; ``SessionExists`` if its id is taken."""
    zeros = dict.fromkeys(("turn_count", "record_count", "event_count", "audit_count", "lease_fence"), 0)
    try:
        connection.execute(insert(agent_sessions), {"last_commit": "", **zeros, **values})
    except IntegrityError:
        raise SessionExists(str(values["session_id"])) from None


def change(
    connection: Connection, session_id: str, values: Mapping[str, object], state: str | None, fence: int | None
) -> None:
    """Change fields of a session, and its engine's state if *state* is given; *values* holds ``updated_at``."""
    row = locked(connection, session_id)
    if fence is not None:
        check_fence(row, fence, row.updated_at)
    connection.execute(update(agent_sessions).where(agent_sessions.c.session_id == session_id).values(values))
    if state is not None:
        connection.execute(delete(agent_engine_states).where(agent_engine_states.c.session_id == session_id))
        connection.execute(insert(agent_engine_states), {"session_id": session_id, "state": state})


def remove(connection: Connection, session_id: str) -> None:
    """Delete a session and all that belongs to it."""
    gone = connection.execute(delete(agent_sessions).where(agent_sessions.c.session_id == session_id))
    if gone.rowcount == 0:
        raise NoSuchSession(session_id)

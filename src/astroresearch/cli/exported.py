"""``sessions export``: a whole session as the trajectory that ``replay`` reads (docs/trajectory.md)."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from pydantic import SecretStr

from ..agent.wiring import Agent
from ..config import Settings
from ..context.journal import message_to_json
from ..replay.trajectory import compaction_record, event_record, jsonl, message_record, session_record
from ..store.sessions import StoredCompaction, StoredMessage
from .output import tell
from .turns import opened

Record = Mapping[str, Any]


async def export(session_id: str) -> None:
    """Print every message, compaction and event, one JSON object a line; what looks like a credential is redacted."""
    async with opened() as agent:
        records = [record async for record in _records(agent, session_id)]
        for line in jsonl(records, secrets_of(agent.settings)):
            tell(line.rstrip("\n"))


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """Return the values that must stand in no file: the keys and tokens that are set."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    return tuple(value.get_secret_value() for value in values if isinstance(value, SecretStr))


async def _records(agent: Agent, session_id: str) -> AsyncIterator[Record]:
    row = await agent.store.session(session_id)
    tools = (await agent.look(row.session_id)).ports.schemas
    tasks = [
        {"id": task.task_id, "content": task.content, "status": task.status, "blocked_by": list(task.blocked_by)}
        for task in await agent.store.tasks(row.session_id)
    ]
    about = {"title": row.title, "model": row.model, "locale": row.locale, "turns": row.turn_count, "tasks": tasks}
    yield session_record(row.session_id, tools=list(tools), created_at=row.created_at.isoformat(), **about)
    names = {entry.agent_name for entry in await agent.store.history(row.session_id, "*")}
    for name in sorted(names, key=lambda name: (name != "lead", name)):
        for entry in await agent.store.records(row.session_id, name):
            yield _record(name, entry)
    for event in await agent.store.events(row.session_id):
        yield event_record(event.seq, event.payload, turn=event.turn)


def _record(agent_name: str, entry: StoredMessage | StoredCompaction) -> Record:
    at = entry.created_at.isoformat()
    if isinstance(entry, StoredCompaction):
        return compaction_record(agent_name, entry.record, created_at=at)
    kept = message_to_json(entry.message)
    message = kept.pop("message")
    return message_record(entry.position, agent_name, message, turn=entry.turn, created_at=at, **kept)

"""What the ``sessions`` commands do with the store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from ..context.journal import message_to_json
from ..context.references import render_original
from ..store.sessions import SessionRow, Store
from .given import settings_for
from .output import as_json_text, hint, tell
from .words import t


@asynccontextmanager
async def opened() -> AsyncIterator[Store]:
    settings = settings_for()
    settings.home_folder.mkdir(parents=True, exist_ok=True)
    async with await Store.open(settings.database) as store:
        yield store


def _head(row: SessionRow) -> dict[str, Any]:
    return {
        "id": row.session_id,
        "title": row.title,
        "model": row.model,
        "locale": row.locale,
        "turns": row.turn_count,
        "updated_at": row.updated_at.isoformat(),
    }


async def list_sessions(limit: int, as_json: bool) -> None:
    async with opened() as store:
        rows = await store.sessions(limit)
    if as_json:
        tell(as_json_text([_head(row) for row in rows]))
        return
    if not rows:
        hint(t("no_sessions"))
    for row in rows:
        when = row.updated_at.astimezone().strftime("%Y-%m-%d %H:%M")
        tell(t("session_row", id=row.session_id, when=when, turns=row.turn_count, model=row.model, title=row.title))


async def show(session_id: str) -> None:
    """Print the transcript, every message under its reference."""
    async with opened() as store:
        row = await store.session(session_id)
        tell(t("session_head", id=row.session_id, title=row.title, model=row.model, turns=row.turn_count))
        for entry in await store.history(row.session_id):
            tell("\n" + render_original(entry.position, entry.message))


async def export(session_id: str) -> None:
    """Print everything that is stored of a session as one JSON document."""
    async with opened() as store:
        row = await store.session(session_id)
        document = {
            **_head(row),
            "messages": [
                {"ref": f"m{e.position}", "turn": e.turn, "agent": e.agent_name, **message_to_json(e.message)}
                for e in await store.history(row.session_id, "*")
            ],
            "tasks": await _tasks(store, row.session_id),
            "events": [{"seq": e.seq, "turn": e.turn, **e.payload} for e in await store.events(row.session_id)],
        }
    tell(as_json_text(document))


async def _tasks(store: Store, session_id: str) -> list[dict[str, Any]]:
    return [
        {"id": task.task_id, "content": task.content, "status": task.status, "blocked_by": list(task.blocked_by)}
        for task in await store.tasks(session_id)
    ]


async def remove(session_id: str) -> None:
    async with opened() as store:
        row = await store.session(session_id)
        await store.remove_session(row.session_id)
    hint(t("session_removed", id=row.session_id))

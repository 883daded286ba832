"""What the ``sessions`` commands do with the store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

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


async def remove(session_id: str) -> None:
    async with opened() as store:
        row = await store.session(session_id)
        await store.remove_session(row.session_id)
    hint(t("session_removed", id=row.session_id))

"""What the commands on a session's window do, for the command line and the chat."""

from collections.abc import Iterator
from dataclasses import asdict

from ..agent.breakdown import Breakdown, breakdown
from ..agent.events import Compacted
from ..agent.journal import Published
from ..agent.session import Session, recall_original
from ..context.references import PAGE_CHARS
from .output import as_json_text, hint, tell
from .screen import compaction_line
from .stored import opened as opened_store
from .turns import on_interrupt, opened
from .words import language, t

BAR = 30  # characters


async def show_context(session_id: str, as_json: bool) -> None:
    async with opened() as agent:
        found = breakdown((await agent.look(session_id)).ports)
    if as_json:
        tell(as_json_text({**asdict(found), "used": found.used, "free": found.free}))
        return
    for line in context_lines(found):
        tell(line)


def context_lines(found: Breakdown) -> Iterator[str]:
    """Yield the breakdown as a table with bars."""
    rows = {**found.parts, "reserve": found.reserve, "free": found.free}
    width = max(_width(t(f"part_{name}")) for name in rows)
    for name, tokens in rows.items():
        label = t(f"part_{name}")
        share = tokens / found.window
        bar = "█" * round(share * BAR)
        yield f"{label}{' ' * (width - _width(label))} {tokens:>11,} {share:>6.1%} {bar}".rstrip()
    yield t("context_total", used=found.used, window=found.window, messages=found.messages)
    if found.references:
        yield t("context_references", references=", ".join(found.references))


def _width(text: str) -> int:
    """Return the columns that *text* takes: a Chinese character takes two."""
    return sum(2 if "\u2e80" <= c <= "\uffef" else 1 for c in text)


async def compact_now(session_id: str, focus: str) -> int:
    async with opened() as agent:
        session = await agent.resume(session_id)
        return await compact_and_tell(session, focus)


async def compact_and_tell(session: Session, focus: str) -> int:
    """Compact a session by hand and say what changed; return the exit code."""
    lines: list[str] = []

    def listen(published: Published) -> None:
        if isinstance(published.event, Compacted):
            lines.append(compaction_line(published.event, language()))

    session.journal.listeners.append(listen)
    try:
        with on_interrupt(session.cancel):
            changed = await session.compact(focus)
    finally:
        session.journal.listeners.remove(listen)
    if changed is None:
        hint(t("cancelled"))
        return 130
    for line in lines or [t("nothing_to_compact")]:
        tell(line)
    return 0


async def recall_now(session_id: str, reference: str, query: str) -> None:
    """Print an original whole, page after page."""
    async with opened_store() as store:
        row = await store.session(session_id)
        offset = 0
        while True:
            text = await recall_original(store, row.session_id, reference, query, offset, language())
            tell(text)
            offset += PAGE_CHARS
            if query or len(text) <= PAGE_CHARS:
                return

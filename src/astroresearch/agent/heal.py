"""What a process that died left open is closed when its session is taken up again, once (security.md P0 1)."""

from collections.abc import Sequence

from ..locales import Locale, say
from ..store.sessions import StoredEvent
from .events import Failed, Finished
from .finalize import close_calls, marked
from .journal import Journal


async def heal(journal: Journal, locale: Locale, seen: int) -> bool:
    """Give open calls an "interrupted" result, keep text that was shown, and end the turn; return whether it was open.

    *seen*: number of an event that a whole turn ended with, or 0. All is one commit: a crash in here changes nothing.
    """
    events = since_question(await journal.store.events(journal.session_id, after=seen))
    if not events or any(event.payload["type"] == "done" for event in events):
        return False
    results, returned = close_calls(journal.open, "interrupted", locale, journal.position)
    shown = text_shown(events)
    failed = Failed("Interrupted", say(locale, "agent.crashed"), say(locale, "agent.crashed_advice"))
    closing = (*returned, failed, Finished("failed", shown))
    await journal.append(*results, marked(shown, "failed", locale), events=closing)
    return True


def since_question(events: Sequence[StoredEvent]) -> Sequence[StoredEvent]:
    """Return the events of the last turn among *events*; none if no turn begins there."""
    begins = [at for at, event in enumerate(events) if event.payload["type"] == "session"]
    return events[begins[-1] :] if begins else ()


def text_shown(events: Sequence[StoredEvent]) -> str:
    """Return what the user saw of a reply that was never committed: the last attempt's text after the last call."""
    shown, attempt = "", None
    for event in events:
        kind = event.payload["type"]
        if kind in ("tool_call", "tool_result"):
            shown = ""
        elif kind == "text_delta":
            if event.payload.get("attempt") != attempt:
                shown, attempt = "", event.payload.get("attempt")
            shown += str(event.payload["text"])
    return shown

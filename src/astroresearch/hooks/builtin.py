"""The three hooks that are always there: audit, permission, metrics."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ..locales import Locale, say
from .events import (
    EVENTS,
    Event,
    OnSessionStart,
    OnSessionStop,
    OnStepComplete,
    Override,
    PermissionDenied,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    ToolEvent,
    UserPromptSubmit,
)
from .registry import Hook

FIRST, LAST = -1_000_000, 1_000_000  # before and after every hook of a user
AUDITED = (
    OnSessionStart,
    UserPromptSubmit,
    PostToolUse,
    PostToolUseFailure,
    PermissionRequest,
    PermissionDenied,
    OnSessionStop,
)
Record = Callable[[Mapping[str, object]], None]


def audit(record: Record) -> tuple[Hook, ...]:
    """Return hooks that hand *record* what happened: who, what, how it ended, but no content, so no secret either."""

    async def note(event: Event) -> None:
        record(entry_of(event))

    return tuple(Hook(name="audit", event=event, run=note, order=LAST) for event in AUDITED)


def entry_of(event: Event) -> Mapping[str, object]:
    """Return the audit entry of *event*: texts by their length and digest, by which they can be compared."""
    entry: dict[str, object] = {"event": event.name, "session": event.session_id, "agent": event.agent_name}
    if isinstance(event, ToolEvent):
        written = json.dumps(event.arguments, ensure_ascii=False, sort_keys=True, default=str)
        entry |= {"tool": event.tool, "call": event.call_id, **_measured("arguments", written)}
    match event:
        case UserPromptSubmit(text=text):
            entry |= _measured("text", text)
        case PostToolUse(output=output):
            entry |= {"status": "ok", **_measured("output", output)}
        case PostToolUseFailure(output=output, status=status):
            entry |= {"status": status, **_measured("output", output)}
        case PermissionDenied(reason=reason):
            entry |= {"reason": reason}
        case OnSessionStart(model=model, resumed=resumed):
            entry |= {"model": model, "resumed": resumed}
        case OnSessionStop(turns=turns, reason=reason):
            entry |= {"turns": turns, "reason": reason}
    return entry


def _measured(name: str, text: str) -> dict[str, object]:
    hashed = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return {f"{name}_chars": len(text), f"{name}_sha256": hashed}


def permission(can_ask: Callable[[], bool], locale: Locale) -> Hook:
    """Return the hook that denies what nobody is there to answer, unless an earlier hook has decided."""

    async def decide(event: PermissionRequest) -> Override | None:
        if event.decision != "ask" or can_ask():
            return None
        return Override("deny", say(locale, "hooks.nobody_to_ask"))

    return Hook(name="permission", event=PermissionRequest, run=decide, order=LAST - 1)


@dataclass(slots=True)
class Metrics:
    """Counts since the process began. *events*: by event, tool and status; *tokens*: of the last view, by session."""

    events: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    tokens: dict[str, int] = field(default_factory=dict)

    async def note(self, event: Event) -> None:
        tool = event.tool if isinstance(event, ToolEvent) else ""
        self.events[event.name, tool, getattr(event, "status", "")] += 1
        if isinstance(event, OnStepComplete):
            self.tokens[event.session_id] = event.tokens
        if isinstance(event, OnSessionStop):
            self.tokens.pop(event.session_id, None)

    def lines(self) -> Iterator[str]:
        """Yield the counts in the text format that Prometheus reads."""
        yield "# TYPE astroresearch_hook_events_total counter"
        for (event, tool, status), count in sorted(self.events.items()):
            yield f'astroresearch_hook_events_total{{event="{event}",tool="{_label(tool)}",status="{status}"}} {count}'
        yield "# TYPE astroresearch_view_tokens gauge"
        yield f"astroresearch_view_tokens {sum(self.tokens.values())}"


def _label(text: str) -> str:
    """Escape a label's value: a model may invent any name for a tool."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def metrics(counts: Metrics) -> tuple[Hook, ...]:
    return tuple(Hook(name="metrics", event=event, run=counts.note, order=LAST) for event in EVENTS.values())

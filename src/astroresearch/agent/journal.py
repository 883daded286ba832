"""The one way into a session: first into the store, then into the view, then out to whoever listens (R7.2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..context.messages import Message, ToolCall, ToolResult
from ..context.window import Window
from ..locales import Locale
from ..store.sessions import AuditRow, Store, StoredCompaction, Task
from ..tools.base import Citation
from ..tools.cut_output import shown
from .citations import Key, citations_in, quoted, without_citations
from .claim import Claim
from .events import Event


@dataclass(frozen=True, slots=True)
class Published:
    """An event as it stands in the store; ``json`` is the public form (interface.md "Events")."""

    seq: int
    turn: int
    event: Event

    @property
    def json(self) -> dict[str, object]:
        return {"seq": self.seq, **self.event.payload()}


Listener = Callable[[Published], None]


class Journal:
    """Appends for one agent of one session. *limit*: characters of a tool result that the model is shown; *told*: what
    of an event the session's clients see, None for nothing."""

    def __init__(
        self,
        store: Store,
        session_id: str,
        window: Window,
        *,
        limit: int,
        locale: Locale,
        agent_name: str = "lead",
        told: Callable[[Event], Event | None] = lambda event: event,
    ) -> None:
        self.store, self.session_id, self.window, self.agent_name = store, session_id, window, agent_name
        self.listeners: list[Listener] = []
        self.claim: Claim | None = None  # without one the session is only looked at
        self.turn = 0
        self.position = 0  # of the next message
        self.seq = 0  # of the last event
        self.open: tuple[ToolCall, ...] = ()  # calls that have no result yet
        self._limit, self._locale, self._told = limit, locale, told

    @property
    def fence(self) -> int | None:
        return self.claim.fence if self.claim else None

    async def load(self) -> dict[Key, Citation]:
        """Restore the view by folding what was committed: nothing is summarised a second time (R1.4).

        Return the papers that its results quote.
        """
        self.turn = await self.store.turn_count(self.session_id)
        known: dict[Key, Citation] = {}
        for entry in await self.store.records(self.session_id, self.agent_name):
            if isinstance(entry, StoredCompaction):
                self.window.apply(entry.record)
            else:
                self._view(entry.message)
                known |= quoted(citations_in(entry.message))
        return known

    async def begin(self, question: Message, event: Event) -> None:
        """Begin the next turn with the user's message."""
        payloads = [event.payload()]
        begun = await self.store.begin_turn(
            self.session_id, question, payloads, agent_name=self.agent_name, fence=self.fence
        )
        self.turn = begun.turn
        self._view(question)
        self._publish(begun.seqs, [event])

    async def append(
        self,
        *messages: Message,
        events: Sequence[Event] = (),
        tasks: Sequence[Task] | None = None,
        audit: Sequence[AuditRow] = (),
    ) -> None:
        await self._commit(messages, events, tasks=tasks, audit=audit)
        for message in messages:
            self._view(message)

    async def fold(self, record: Mapping[str, Any], event: Event) -> None:
        """Commit a compaction, then swap the view (R3.12)."""
        await self._commit((), [event], compaction=record)
        self.window.apply(record)

    async def _commit(self, messages: Sequence[Message], events: Sequence[Event], **more: Any) -> None:
        events = [told for event in events if (told := self._told(event)) is not None]
        payloads = [event.payload() for event in events]
        committed = await self.store.commit(
            self.session_id,
            self.turn,
            messages=messages,
            events=payloads,
            agent_name=self.agent_name,
            fence=self.fence,
            **more,
        )
        self._publish(committed.seqs, events)

    def _view(self, message: Message) -> None:
        position, self.position = self.position, self.position + 1
        self.window.append(self._cut(without_citations(message), position))
        self._note_open(message)

    def _note_open(self, message: Message) -> None:
        if result := message.result:
            at = next((k for k, call in enumerate(self.open) if call.id == result.call_id), len(self.open))
            self.open = self.open[:at] + self.open[at + 1 :]
        elif message.calls:
            self.open = message.calls

    def _cut(self, message: Message, position: int) -> Message:
        """The store keeps a result whole; the view has what fits, the same on every load."""
        result = message.result
        if result is None or len(result.text) <= self._limit:
            return message
        text = shown(result.text, self._limit, f"m{position}", self._locale, error=result.status == "error")
        parts = tuple(replace(p, text=text) if isinstance(p, ToolResult) else p for p in message.parts)
        return replace(message, parts=parts)

    def _publish(self, seqs: Sequence[int], events: Sequence[Event]) -> None:
        for seq, event in zip(seqs, events, strict=True):
            self.seq = seq
            for listener in tuple(self.listeners):
                listener(Published(seq, self.turn, event))

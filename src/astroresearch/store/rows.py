"""What the store takes and gives, and its errors. Nothing here loads the database library."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from ..context.messages import Message
from ..locales import Locale, say


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session. *engine_state* is read by ``Store.session`` alone: lists leave it out, for it may be long."""

    session_id: str
    title: str
    model: str
    locale: str
    owner: str
    turn_count: int
    created_at: datetime
    updated_at: datetime
    metadata: Mapping[str, object] = field(default_factory=dict)
    engine_state: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """*position* n is reference "mn" within its session and agent; *token_count* as the writer counted, if it did."""

    position: int
    turn: int
    agent_name: str
    message: Message
    token_count: int | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StoredCompaction:
    record: Mapping[str, object]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """*seq* is dense within the session and starts at 1."""

    seq: int
    turn: int
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Task:
    task_id: str
    content: str
    status: str = "pending"
    blocked_by: tuple[str, ...] = ()
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One tool call. *created_at* is given by the store."""

    session_id: str
    step: int
    tool_name: str
    call_id: str
    status: str
    elapsed_ms: int
    output_preview: str
    agent_name: str = "lead"
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    positions: tuple[int, ...]
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    turn: int
    positions: tuple[int, ...]
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to a session until *expires*; *fence* rises with every holder."""

    session_id: str
    holder: str
    expires: datetime
    fence: int


class StoreError(Exception):
    """An error that a person can act on, in one line; ``args[0]`` is what it is about."""

    key: ClassVar[str]

    def __init__(self, subject: str, **values: object) -> None:
        super().__init__(subject)
        self.values = values

    def said(self, locale: Locale) -> str:
        return say(locale, f"store.{self.key}", **self.values)

    def __str__(self) -> str:
        return self.said("en")


class NoSuchSession(StoreError, LookupError):
    key = "no_session"

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id, session_id=session_id)


class AmbiguousSession(NoSuchSession):
    key = "ambiguous_session"


class SessionExists(StoreError):
    key = "session_exists"

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id, session_id=session_id)


class NoSuchMessage(StoreError, LookupError):
    key = "no_message"

    def __init__(self, session_id: str, position: int, agent_name: str) -> None:
        super().__init__(f"m{position}", session_id=session_id, position=position, agent_name=agent_name)


class SessionInUse(StoreError):
    """Another living *holder* has the session until *expires*."""

    key = "in_use"

    def __init__(self, session_id: str, holder: str, expires: datetime) -> None:
        until = expires.isoformat(timespec="seconds")
        super().__init__(session_id, session_id=session_id, holder=holder, expires=until)
        self.holder, self.expires = holder, expires


class LeaseLost(StoreError):
    """The lease was taken over or given back; nothing was written."""

    key = "lease_lost"

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id, session_id=session_id)


class BadName(StoreError, ValueError):
    key = "bad_name"

    def __init__(self, what: str, name: str) -> None:
        super().__init__(name, what=what, name=name[:80])


class BadRecord(StoreError, ValueError):
    """A value that is not JSON-able, or a stored text that is no message."""

    key = "bad_record"

    def __init__(self, what: str, why: str) -> None:
        super().__init__(what, what=what, why=why[:200])


class StoreUnavailable(StoreError):
    """The database can't be reached, opened or trusted. *why* is a text of ``locales``, or the driver's own line."""

    key = "unavailable"

    def __init__(self, url: str, why: str, /, **details: object) -> None:
        super().__init__(url, url=url)
        self.why, self.details = why, details

    def said(self, locale: Locale) -> str:
        why = say(locale, self.why, **self.details) if self.why.startswith("store.") else self.why
        return say(locale, "store.unavailable", url=self.values["url"], why=why) if self.values["url"] else why

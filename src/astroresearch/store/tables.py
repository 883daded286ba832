"""The tables (S7.1). Numbers within a session are given under the lock of its row, so they are dense and in order.

JSON is kept as text: a binary JSON column would reorder keys, and PostgreSQL's refuses NUL (see ``codec``).
"""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMES)


class Utc(TypeDecorator[datetime]):
    """A moment with its zone, always UTC: SQLite has no zones and PostgreSQL answers in the session's."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _session() -> Column[str]:
    owner = ForeignKey("agent_sessions.session_id", ondelete="CASCADE")
    return Column("session_id", String(64), owner, nullable=False)


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _moment(name: str) -> Column[datetime]:
    return Column(name, Utc, nullable=False)


agent_sessions = Table(
    "agent_sessions",
    metadata,
    Column("session_id", String(64), primary_key=True),
    _text("title"),
    _text("model"),
    _text("locale"),
    _text("owner"),
    _number("turn_count"),
    _number("record_count"),  # messages and compactions together: the order of the journal
    _number("event_count"),
    _number("audit_count"),
    _text("last_commit"),  # tells a commit that is tried again whether its first try went through
    _text("metadata"),
    _moment("created_at"),
    _moment("updated_at"),
    Column("lease_holder", Text),
    Column("lease_expires", Utc),
    Column("lease_fence", BigInteger, nullable=False),
)

# Apart from its session: that row is rewritten by each commit, and this may be long.
agent_engine_states = Table(
    "agent_engine_states", metadata, _session(), _text("state"), PrimaryKeyConstraint("session_id")
)

agent_messages = Table(
    "agent_messages",
    metadata,
    _session(),
    _number("record_no"),
    Column("agent_name", String(64), nullable=False),
    _number("position"),
    _number("turn"),
    _text("role"),
    _text("content"),
    _text("thought"),
    Column("tool_calls", Text),
    Column("tool_call_id", Text),
    Column("token_count", Integer),
    _text("metadata"),
    _text("raw_json"),
    _moment("created_at"),
    PrimaryKeyConstraint("session_id", "record_no"),
    UniqueConstraint("session_id", "agent_name", "position"),
)

agent_compactions = Table(
    "agent_compactions",
    metadata,
    _session(),
    _number("record_no"),
    Column("agent_name", String(64), nullable=False),
    _number("turn"),
    _text("record"),
    _moment("created_at"),
    PrimaryKeyConstraint("session_id", "record_no"),
)

agent_events = Table(
    "agent_events",
    metadata,
    _session(),
    _number("seq"),
    _number("turn"),
    _text("type"),
    _text("payload"),
    _moment("created_at"),
    PrimaryKeyConstraint("session_id", "seq"),
)

agent_tasks = Table(
    "agent_tasks",
    metadata,
    _session(),
    Column("agent_name", String(64), nullable=False),
    _number("place"),
    _text("task_id"),
    _text("content"),
    _text("status"),
    _text("blocked_by"),
    _text("owner"),
    PrimaryKeyConstraint("session_id", "agent_name", "place"),
)

agent_audit_log = Table(
    "agent_audit_log",
    metadata,
    _session(),
    _number("number"),
    _number("step"),
    _text("tool_name"),
    _text("call_id"),
    Column("agent_name", String(64), nullable=False),
    _text("status"),
    _number("elapsed_ms"),
    _text("output_preview"),
    _moment("created_at"),
    PrimaryKeyConstraint("session_id", "number"),
)

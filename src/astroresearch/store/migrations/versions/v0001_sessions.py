"""The first tables: sessions with leases, messages, compactions, events, tasks, the audit log."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TEXT, NUMBER, NAME, MOMENT = sa.Text(), sa.Integer(), sa.String(64), sa.DateTime(timezone=True)


def _need(name: str, kind: sa.types.TypeEngine[Any]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _part(table: str, keys: tuple[str, ...], *columns: sa.schema.SchemaItem) -> None:
    """Create a table whose rows belong to a session and go with it."""
    owner = sa.ForeignKeyConstraint(
        ["session_id"],
        ["agent_sessions.session_id"],
        name=op.f(f"fk_{table}_session_id_agent_sessions"),
        ondelete="CASCADE",
    )
    key = sa.PrimaryKeyConstraint("session_id", *keys, name=op.f(f"pk_{table}"))
    op.create_table(table, _need("session_id", NAME), *columns, owner, key)


def upgrade() -> None:
    _sessions()
    _part("agent_engine_states", (), _need("state", TEXT))
    _messages()
    _part(
        "agent_compactions",
        ("record_no",),
        _need("record_no", NUMBER),
        _need("agent_name", NAME),
        _need("turn", NUMBER),
        _need("record", TEXT),
        _need("created_at", MOMENT),
    )
    _part(
        "agent_events",
        ("seq",),
        _need("seq", NUMBER),
        _need("turn", NUMBER),
        _need("type", TEXT),
        _need("payload", TEXT),
        _need("created_at", MOMENT),
    )
    _plans_and_audit()


def _sessions() -> None:
    texts = [_need(name, TEXT) for name in ("title", "model", "locale", "owner")]
    counts = [_need(name, NUMBER) for name in ("turn_count", "record_count", "event_count", "audit_count")]
    op.create_table(
        "agent_sessions",
        _need("session_id", NAME),
        *texts,
        *counts,
        _need("last_commit", TEXT),
        _need("metadata", TEXT),
        _need("created_at", MOMENT),
        _need("updated_at", MOMENT),
        sa.Column("lease_holder", TEXT),
        sa.Column("lease_expires", MOMENT),
        _need("lease_fence", sa.BigInteger()),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_agent_sessions")),
    )


def _messages() -> None:
    _part(
        "agent_messages",
        ("record_no",),
        _need("record_no", NUMBER),
        _need("agent_name", NAME),
        _need("position", NUMBER),
        _need("turn", NUMBER),
        _need("role", TEXT),
        _need("content", TEXT),
        _need("thought", TEXT),
        sa.Column("tool_calls", TEXT),
        sa.Column("tool_call_id", TEXT),
        sa.Column("token_count", NUMBER),
        _need("metadata", TEXT),
        _need("raw_json", TEXT),
        _need("created_at", MOMENT),
        sa.UniqueConstraint(
            "session_id", "agent_name", "position", name=op.f("uq_agent_messages_session_id_agent_name_position")
        ),
    )


def _plans_and_audit() -> None:
    texts = [_need(name, TEXT) for name in ("task_id", "content", "status", "blocked_by", "owner")]
    _part("agent_tasks", ("agent_name", "place"), _need("agent_name", NAME), _need("place", NUMBER), *texts)
    _part(
        "agent_audit_log",
        ("number",),
        _need("number", NUMBER),
        _need("step", NUMBER),
        _need("tool_name", TEXT),
        _need("call_id", TEXT),
        _need("agent_name", NAME),
        _need("status", TEXT),
        _need("elapsed_ms", NUMBER),
        _need("output_preview", TEXT),
        _need("created_at", MOMENT),
    )


def downgrade() -> None:
    for part in ("audit_log", "tasks", "events", "compactions", "messages", "engine_states", "sessions"):
        op.drop_table(f"agent_{part}")

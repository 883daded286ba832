"""Recall: the originals behind a compacted view, of any agent of a session (R3.10)."""

from sqlalchemy import Connection, func, or_

from .reading import M, messages_of, require, stored
from .rows import StoredMessage


def originals(connection: Connection, session_id: str, first: int, last: int, agent_name: str) -> list[StoredMessage]:
    """Return the messages at positions *first* to *last*, both included; those that are not there are left out."""
    require(connection, session_id)
    within = messages_of(session_id, agent_name).where(M.position.between(first, last))
    return stored(connection.execute(within).all())


def search(connection: Connection, session_id: str, query: str, agent_name: str, limit: int) -> list[StoredMessage]:
    """Return the first *limit* messages that hold each word of *query* in their text or in a call's arguments.

    Upper and lower case are the same for ASCII letters on SQLite, for all letters on PostgreSQL.
    """
    require(connection, session_id)
    wanted = messages_of(session_id, agent_name).limit(limit)
    for word in query.split():
        columns = (M.content, func.coalesce(M.tool_calls, ""))
        wanted = wanted.where(or_(*[column.icontains(word, autoescape=True) for column in columns]))
    return stored(connection.execute(wanted).all())

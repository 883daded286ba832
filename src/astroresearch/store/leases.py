"""One writer a session: a lease with a fencing token, kept in the session's own row.

The clock only decides when a holder counts as dead. What keeps two writers apart is the token: it rises with every
holder and is compared inside each commit, so a clock that jumps can cost a holder its lease, never a session its order.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from .rows import Lease, LeaseLost, NoSuchSession, SessionInUse
from .tables import agent_sessions

LOCKED = select(agent_sessions).where(agent_sessions.c.session_id == bindparam("session_id")).with_for_update()


def locked(connection: Connection, session_id: str) -> Any:
    """Return the session's row, held until the transaction ends; raises ``NoSuchSession``."""
    row = connection.execute(LOCKED, {"session_id": session_id}).one_or_none()
    if row is None:
        raise NoSuchSession(session_id)
    return row


def check_fence(row: Any, fence: int | None, now: datetime) -> None:
    """Let a writer pass who has the lease, or who has none while nobody living has it."""
    if fence is None:
        _refuse_if_held(row, "", now)
    elif row.lease_fence != fence or row.lease_holder is None:
        raise LeaseLost(row.session_id)


def _refuse_if_held(row: Any, holder: str, now: datetime) -> None:
    if row.lease_holder not in (None, holder) and row.lease_expires > now:
        raise SessionInUse(row.session_id, row.lease_holder, row.lease_expires)


def acquire(connection: Connection, session_id: str, holder: str, ttl: float, now: datetime) -> Lease:
    row = locked(connection, session_id)
    _refuse_if_held(row, holder, now)
    return _grant(connection, Lease(session_id, holder, now + timedelta(seconds=ttl), row.lease_fence + 1))


def renew(connection: Connection, lease: Lease, ttl: float, now: datetime) -> Lease:
    """A lease that has expired is still good as long as nobody took it."""
    check_fence(locked(connection, lease.session_id), lease.fence, now)
    return _grant(connection, Lease(lease.session_id, lease.holder, now + timedelta(seconds=ttl), lease.fence))


def release(connection: Connection, lease: Lease) -> None:
    """Give the lease back; one that was taken over is left to its new holder."""
    mine = (agent_sessions.c.session_id == lease.session_id) & (agent_sessions.c.lease_fence == lease.fence)
    connection.execute(update(agent_sessions).where(mine).values(lease_holder=None, lease_expires=None))


def _grant(connection: Connection, lease: Lease) -> Lease:
    mine = agent_sessions.c.session_id == lease.session_id
    held = {"lease_holder": lease.holder, "lease_expires": lease.expires, "lease_fence": lease.fence}
    connection.execute(update(agent_sessions).where(mine).values(held))
    return lease

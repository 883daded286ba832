"""The right to write to a session, held by one process at a time and kept alive while it works (security.md P0 2)."""

import asyncio
import os
import socket
from contextlib import suppress

from ..store.sessions import Lease, SessionInUse, Store, StoreError

TTL = 30.0  # seconds after which a holder that is not heard of counts as dead


def holder_name() -> str:
    """Return this process's name: a later claim of the same process replaces an earlier one."""
    return f"{socket.gethostname()}:{os.getpid()}"


class Claim:
    """A lease that renews itself until ``release``."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self._store, self._lease = store, lease
        self._keeping = asyncio.create_task(self._keep(), name=f"lease of {lease.session_id}")

    @classmethod
    async def take(cls, store: Store, session_id: str) -> "Claim":
        """Claim a session; raises ``SessionInUse`` while another process that lives has it.

        A holder on this machine whose process is gone is not waited for.
        """
        try:
            lease = await store.acquire_lease(session_id, holder_name(), TTL)
        except SessionInUse as held:
            if not is_dead(held.holder):
                raise
            await store.release_lease(await store.acquire_lease(session_id, held.holder, TTL))
            lease = await store.acquire_lease(session_id, holder_name(), TTL)
        return cls(store, lease)

    @property
    def fence(self) -> int:
        return self._lease.fence

    async def _keep(self) -> None:
        """Renew in time. A database that can't be reached is tried again; a commit tells who lost the lease."""
        while True:
            await asyncio.sleep(TTL / 3)
            with suppress(StoreError):
                self._lease = await self._store.renew_lease(self._lease, TTL)

    async def release(self) -> None:
        self._keeping.cancel()
        with suppress(asyncio.CancelledError):
            await self._keeping
        with suppress(StoreError):
            await self._store.release_lease(self._lease)


def is_dead(holder: str) -> bool:
    """Return whether *holder* is a process of this machine that is gone for sure."""
    host, _, pid = holder.rpartition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False

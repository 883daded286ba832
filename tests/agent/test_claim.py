"""One writer a session: who else has it, and what becomes of a holder that died."""

import os
import socket
import subprocess
import sys

import pytest

from astroresearch.agent.claim import holder_name
from astroresearch.context.messages import assistant
from astroresearch.store.sessions import LeaseLost, SessionInUse, Store

from .harness import run, session_with


async def test_a_session_that_another_machine_writes_to_is_in_use(store: Store) -> None:
    row = await store.create_session(title="shared")
    await store.acquire_lease(row.session_id, "another-machine:17", 30)
    with pytest.raises(SessionInUse, match="another-machine:17"):
        await session_with(store, [assistant("No.")], session_id=row.session_id)
    await session_with(store, None, session_id=row.session_id)  # it can be looked at


async def test_a_living_process_of_this_machine_is_waited_for(store: Store) -> None:
    row = await store.create_session(title="shared")
    await store.acquire_lease(row.session_id, f"{socket.gethostname()}:{os.getppid()}", 30)
    with pytest.raises(SessionInUse):
        await session_with(store, [assistant("No.")], session_id=row.session_id)


@pytest.fixture(scope="module")
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


async def test_a_dead_process_of_this_machine_is_not(store: Store, gone: int) -> None:
    row = await store.create_session(title="left")
    await store.acquire_lease(row.session_id, f"{socket.gethostname()}:{gone}", 30)
    session = await session_with(store, [assistant("Taken over.")], session_id=row.session_id)
    assert (await run(session, "Go on"))[-1].event.payload()["answer"] == "Taken over."


async def test_what_lost_the_session_writes_nothing_more(store: Store) -> None:
    session = await session_with(store, [assistant("Too late.")])
    await store.acquire_lease(session.id, holder_name(), 30)
    running = session.send("Anything")
    with pytest.raises(LeaseLost):
        await running.finished()
    assert await store.events(session.id) == []


async def test_a_closed_session_is_free(store: Store) -> None:
    session = await session_with(store, [assistant("Done.")])
    await session.close()
    await store.acquire_lease(session.id, "another-machine:17", 30)

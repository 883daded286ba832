"""Many writers, broken connections, cancelled callers and kill -9: dense numbers, nothing lost, nothing twice."""

import asyncio
import random
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from astroresearch.context.messages import user
from astroresearch.store.sessions import Store, StoreUnavailable
from astroresearch.store.writing import Commit, append

CLIENTS, COMMITS = 20, 25
WRITER = """
import asyncio, sys
from astroresearch.context.messages import user
from astroresearch.store.sessions import Store

async def main(url, key):
    async with await Store.open(url) as store:
        for n in range(10_000):
            done = await store.commit(key, 1, messages=[user(f"m{n}")], events=[{"type": "a"}, {"type": "b"}])
            print(done.positions[0], done.seqs[-1], flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@asynccontextmanager
async def stores(url: str, count: int) -> AsyncIterator[list[Store]]:
    opened = [await Store.open(url) for _ in range(count)]
    try:
        yield opened
    finally:
        for store in opened:
            await store.close()


async def test_many_clients_on_one_session_get_dense_numbers(url: str) -> None:
    """Half of the clients share a store, the others have one each: they queue in here and at the database."""

    async def client(store: Store, key: str, name: int) -> list[tuple[int, int]]:
        given = []
        for n in range(COMMITS):
            done = await store.commit(key, 1, messages=[user(f"{name}:{n}")], events=[{"type": "x", "by": name}])
            given.append((done.positions[0], done.seqs[0]))
        return given

    async with stores(url, CLIENTS // 2 + 1) as opened:
        key = (await opened[0].create_session()).session_id
        given = await asyncio.gather(*[client(opened[max(0, n - CLIENTS // 2 + 1)], key, n) for n in range(CLIENTS)])
        history, events = await opened[0].history(key), await opened[0].events(key)
    assert sorted(p for numbers in given for p, _ in numbers) == list(range(CLIENTS * COMMITS))
    assert [entry.position for entry in history] == list(range(CLIENTS * COMMITS))
    assert [event.seq for event in events] == list(range(1, CLIENTS * COMMITS + 1))
    for name, numbers in enumerate(given):
        mine = [entry.position for entry in history if entry.message.text.startswith(f"{name}:")]
        assert mine == [position for position, _ in numbers]
        assert [event.seq for event in events if event.payload["by"] == name] == [seq for _, seq in numbers]


async def test_a_cancelled_commit_happened_whole_or_not_at_all(store: Store) -> None:
    key = (await store.create_session()).session_id
    dice = random.Random(7)
    for n in range(60):
        task = asyncio.create_task(store.commit(key, 1, messages=[user(str(n))], events=[{"type": "x", "n": n}]))
        for _ in range(dice.randrange(40)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled() or task.exception() is None
        reading = asyncio.create_task(store.history(key))
        for _ in range(dice.randrange(20)):
            await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait({reading})
        assert reading.cancelled() or reading.exception() is None
    await store.commit(key, 1, messages=[user("last")], events=[{"type": "x", "n": "last"}])
    history, events = await store.history(key), await store.events(key)
    assert [entry.position for entry in history] == list(range(len(history)))
    assert [entry.message.text for entry in history] == [str(event.payload["n"]) for event in events]
    assert history[-1].message.text == "last"


async def test_what_a_killed_process_had_said_is_there(url: str) -> None:
    async with await Store.open(url) as store:
        key = (await store.create_session()).session_id
        said: list[tuple[int, int]] = []
        for lines in (1, 4, 9):
            child = await create_subprocess_exec(sys.executable, "-c", WRITER, url, key, stdout=PIPE)
            assert child.stdout is not None
            for _ in range(lines):
                said.append(tuple(map(int, (await child.stdout.readline()).split())))  # type: ignore[arg-type]
            child.kill()
            rest = (await child.communicate())[0].decode()
            said += [tuple(map(int, line.split())) for line in rest.splitlines(keepends=True) if line.endswith("\n")]  # type: ignore[misc]
            history, events = await store.history(key), await store.events(key)
            assert [entry.position for entry in history] == list(range(len(history)))
            assert [event.seq for event in events] == list(range(1, 2 * len(history) + 1))  # no commit in halves
            assert {position for position, _ in said} <= set(range(len(history)))
            assert len(history) - len(said) in range(4)  # per kill at most one was committed and not yet said


async def test_broken_connections_lose_and_double_nothing(shared_database: str) -> None:
    async with await Store.open(shared_database) as store:
        key = (await store.create_session()).session_id
        busy = asyncio.Event()

        async def write() -> list[int]:
            given = []
            for n in range(150):
                done = await store.commit(key, 1, messages=[user(str(n))], events=[{"type": "x"}])
                given += done.positions
                busy.set()
            return given

        writing = asyncio.create_task(write())
        broken = 0
        async with await psycopg.AsyncConnection.connect(shared_database, autocommit=True) as killer:
            while not writing.done():
                await busy.wait()
                busy.clear()
                ended = await killer.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                broken += len(await ended.fetchall())
                for _ in range(5):
                    if not writing.done():
                        await asyncio.wait({writing, asyncio.ensure_future(busy.wait())}, return_when="FIRST_COMPLETED")
                        busy.clear()
        given = await writing
        history = await store.history(key)
    assert broken >= 10
    assert given == list(range(150))
    assert [entry.message.text for entry in history] == [str(n) for n in range(150)]


async def test_a_commit_tried_again_after_a_lost_answer_is_not_doubled(store: Store) -> None:
    key = (await store.create_session()).session_id
    await store.begin_turn(key, user("q"), [{"type": "session"}])
    moment = (await store.session(key)).updated_at
    commit = Commit(
        id="1" * 32,
        session_id=key,
        agent_name="lead",
        turn=1,
        now=moment,
        messages=[user("a"), user("b")],
        events=[{"type": "x"}],
    )
    seen: list[str] = []
    first = await store.database.write(lambda connection: append(connection, commit, seen))
    again = await store.database.write(lambda connection: append(connection, commit, seen))
    assert (first.positions, first.seqs) == (again.positions, again.seqs) == ((1, 2), (2,))
    assert len(await store.history(key)) == 3

    await store.commit(key, 1, messages=[user("another writer's")])
    with pytest.raises(StoreUnavailable, match="another process has written since"):
        await store.database.write(lambda connection: append(connection, commit, seen))
    assert len(await store.history(key)) == 4

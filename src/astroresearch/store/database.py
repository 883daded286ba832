"""One database, SQLite or PostgreSQL: how it is opened, and what a transaction on it guarantees."""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from .rows import StoreUnavailable

T = TypeVar("T")
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
BUSY_MS = 30_000  # how long a writer waits for another one
DELAYS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)  # seconds between the tries of a transaction whose connection broke
PASSING = frozenset({"40001", "40P01", "57P01", "57P02", "57P03"})  # PostgreSQL: serialisation, deadlock, restart
SESSION = "SELECT set_config('synchronous_commit', 'on', false), set_config('lock_timeout', '30s', false)"


def parse_url(text: str) -> URL:
    """Return the URL with our driver; ``StoreUnavailable``, without the text, if it is none that we serve."""
    try:
        url = make_url(text)
        scheme = url.drivername.partition("+")[0]
        url = url.set(drivername=DRIVERS[scheme])
    except (ArgumentError, KeyError, ValueError):
        raise StoreUnavailable("", "store.bad_url") from None
    if scheme != "sqlite":
        return url
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise StoreUnavailable("", "store.in_memory")
    return url.set(database=str(Path(url.database).expanduser().absolute()), query={})


def redacted(url: URL) -> str:
    """Return *url* for people: no password, and no parameters, which may hold one too."""
    return url.set(drivername=url.get_backend_name(), query={}).render_as_string(hide_password=True)


def unavailable(error: BaseException, url: URL) -> StoreUnavailable:
    """Return the driver's own words in one line, without the password wherever it may stand."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    said = " ".join((str(cause) or type(cause).__name__).split())[:300]
    secrets = [str(url.password)] if url.password else []
    secrets += [str(value) for name, value in url.query.items() if "pass" in name]
    for secret in secrets:
        said = said.replace(secret, "***")
    return StoreUnavailable(redacted(url), said)


def journal_mode_for(version: tuple[int, ...]) -> str:
    """Return the safe journal mode of a SQLite version: WAL where its reset race is fixed (https://sqlite.org/wal.html).

    Else a rollback journal that is truncated: with ``synchronous=FULL`` the truncation is synced as well, while a
    deleted journal can come back after a power failure and undo the last commit.
    """
    fixed = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    return "wal" if fixed else "truncate"


def pragmas(*, foreign_keys: bool = True) -> dict[str, tuple[str, object]]:
    """Return what every SQLite connection must have: name -> (value to set, value to read back)."""
    mode = journal_mode_for(sqlite3.sqlite_version_info)
    return {
        "busy_timeout": (str(BUSY_MS), BUSY_MS),
        "journal_mode": (mode, mode),
        "synchronous": ("FULL", 2),
        "foreign_keys": ("ON" if foreign_keys else "OFF", int(foreign_keys)),
    }


def create_engine(url: URL, *, foreign_keys: bool = True) -> AsyncEngine:
    """Return an engine on *url*; parameters stay out of its errors, since they are people's texts."""
    if url.get_backend_name() == "postgresql":
        arguments = {"connect_timeout": 10}
        engine = create_async_engine(url, hide_parameters=True, pool_size=10, connect_args=arguments)
        event.listen(engine.sync_engine, "connect", _prepare_postgresql)
        return engine
    arguments = {"isolation_level": None}  # type: ignore[dict-item]  # BEGIN is said by us, see _begin
    engine = create_async_engine(url, hide_parameters=True, pool_size=5, connect_args=arguments)

    def prepare(connection: Any, record: object) -> None:
        _prepare_sqlite(connection, url, foreign_keys)

    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _prepare_postgresql(connection: Any, record: object) -> None:
    """A commit is durable when it returns, whatever the server's default is."""
    cursor = connection.cursor()
    cursor.execute(SESSION)
    cursor.close()
    connection.commit()


def _prepare_sqlite(connection: Any, url: URL, foreign_keys: bool) -> None:
    try:
        cursor = connection.cursor()
        for name, (value, wanted) in pragmas(foreign_keys=foreign_keys).items():
            cursor.execute(f"PRAGMA {name}={value}")
            cursor.execute(f"PRAGMA {name}")
            found = cursor.fetchone()[0]
            if found != wanted:
                raise StoreUnavailable(redacted(url), "store.pragma", name=name, found=found, wanted=wanted)
        cursor.close()
    except BaseException:
        connection.close()  # the pool forgets a connection that fails here, and its thread would live on
        raise


def _begin(connection: Connection) -> None:
    """A writer takes its lock at once: one that began as a reader could not wait for it without a deadlock."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


class Database:
    """Transactions on one engine. Work is a plain function of a connection: it may be run again from the start."""

    def __init__(
        self, url: URL, *, engine: AsyncEngine | None = None, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            _create_file(url)
        self.engine = engine or create_engine(url)
        # A reader of several tables sees one moment; SQLite's transactions are like that anyway.
        snapshot: dict[str, Any] = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._reader = self.engine.execution_options(**snapshot)
        self._writer = self.engine.execution_options(writes=True)
        # SQLite has one writer at a time; in here they queue up in order instead of polling for the file's lock.
        self._turn: AbstractAsyncContextManager[Any] = asyncio.Lock() if self.is_sqlite else nullcontext()
        self._pause = pause
        self._running: set[asyncio.Task[Any]] = set()

    async def read(self, work: Callable[[Connection], T], delays: tuple[float, ...] = DELAYS) -> T:
        """Return what *work* reads, all of one moment."""
        return await self._settled(self._whole(self._reader, work, delays))

    async def write(self, work: Callable[[Connection], T], delays: tuple[float, ...] = DELAYS) -> T:
        """Return what *work* returns once its transaction is durable."""

        async def in_turn() -> T:
            async with self._turn:
                return await self._whole(self._writer, work, delays)

        return await self._settled(in_turn())

    async def _settled(self, transaction: Coroutine[Any, Any, T]) -> T:
        """Let a transaction come to its end even if the caller is cancelled, who waits for that.

        So it happens whole or not at all, and no connection is left with a lock that the next writer would wait for.
        """
        task = asyncio.create_task(transaction)
        self._running.add(task)
        task.add_done_callback(self._ended)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait({task})
            raise

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits gets it; a caller that was cancelled twice does not

    async def close(self) -> None:
        if self._running:
            await asyncio.wait(self._running)
        await self.engine.dispose()

    async def _whole(self, engine: AsyncEngine, work: Callable[[Connection], T], delays: tuple[float, ...]) -> T:
        for delay in (*delays, None):
            try:
                async with engine.begin() as connection:
                    return await connection.run_sync(work)
            except (DBAPIError, PoolTimeout, sqlite3.Error, OSError) as error:
                if isinstance(error, IntegrityError | ProgrammingError):
                    raise
                if delay is None or not self._passes(error):
                    raise unavailable(error, self.url) from error
                await self._pause(delay)
        raise AssertionError("the last try returns or raises")

    def _passes(self, error: BaseException) -> bool:
        """Whether trying the whole transaction again may help: a server restarts, a file's lock is waited for."""
        if self.is_sqlite or not isinstance(error, DBAPIError):
            return False
        state = getattr(error.orig, "sqlstate", None)
        return error.connection_invalidated or state is None or state in PASSING


def _create_file(url: URL) -> None:
    """Sessions are private: only their owner may read the file, and its journal, which takes the file's mode."""
    path = Path(str(url.database))
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreUnavailable(redacted(url), error.strerror or str(error)) from error

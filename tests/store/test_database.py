"""How a database is opened, what is said when that fails, what doctor tells, and the copy of it."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from astroresearch.context.messages import user
from astroresearch.store.database import journal_mode_for, parse_url, redacted
from astroresearch.store.facts import filesystem_of, sqlite_notes
from astroresearch.store.sessions import Store, StoreUnavailable

from ..postgres import Postgres

SAFE = journal_mode_for(sqlite3.sqlite_version_info)


def listed(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ((3, 6, 23), "truncate"),
        ((3, 7, 0), "truncate"),
        ((3, 40, 1), "truncate"),
        ((3, 44, 5), "truncate"),
        ((3, 44, 6), "wal"),
        ((3, 45, 0), "truncate"),
        ((3, 50, 6), "truncate"),
        ((3, 50, 7), "wal"),
        ((3, 51, 0), "truncate"),
        ((3, 51, 2), "truncate"),
        ((3, 51, 3), "wal"),
        ((3, 52, 0), "wal"),
    ],
)
def test_wal_is_used_only_where_its_reset_race_is_fixed(version: tuple[int, ...], mode: str) -> None:
    assert journal_mode_for(version) == mode


@pytest.mark.parametrize(
    ("url", "driver", "database"),
    [
        ("sqlite:////a/b.db", "sqlite+aiosqlite", "/a/b.db"),
        ("sqlite+aiosqlite:////a/b.db?timeout=1", "sqlite+aiosqlite", "/a/b.db"),
        ("sqlite:///~/b.db", "sqlite+aiosqlite", str(Path.home() / "b.db")),
        ("sqlite:///b.db", "sqlite+aiosqlite", str(Path.cwd() / "b.db")),
        ("postgresql://u:p@h/d", "postgresql+psycopg", "d"),
        ("postgresql+asyncpg://u:p@h/d", "postgresql+psycopg", "d"),
        ("postgres://u:p@h/d", "postgresql+psycopg", "d"),
    ],
)
def test_every_usual_form_of_a_url_gets_our_driver(url: str, driver: str, database: str) -> None:
    parsed = parse_url(url)
    assert (parsed.drivername, parsed.database) == (driver, database)


@pytest.mark.parametrize("url", ["", "sessions.db", "mysql://u:secret@h/d", "postgresql://u:secret@h:port/d", "://"])
async def test_other_urls_are_refused_without_being_shown(url: str) -> None:
    with pytest.raises(StoreUnavailable, match="no usable database URL") as caught:
        await Store.open(url)
    assert "secret" not in repr(caught.value) + str(caught.value)
    assert "数据库地址不可用" in caught.value.said("zh")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///file::memory:?uri=true"])
async def test_nothing_is_kept_in_memory(url: str) -> None:
    with pytest.raises(StoreUnavailable, match="would forget every session"):
        await Store.open(url)


async def test_a_folder_that_cant_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable) as caught:
        await Store.open(f"sqlite:///{tmp_path}/file/sub/s.db")
    assert str(caught.value) == f"database sqlite:///{tmp_path}/file/sub/s.db: Not a directory"


async def test_a_file_that_is_no_database_is_one_line_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    file.write_text("my thesis, chapter one\n" * 100)
    with pytest.raises(StoreUnavailable) as caught:
        await Store.open(f"sqlite:///{file}")
    assert str(caught.value) == f"database sqlite:///{file}: file is not a database"
    assert file.read_text().startswith("my thesis")


@pytest.mark.parametrize(
    "url",
    ["postgresql://ann:s3cr3t-pw@127.0.0.1:1/d", "postgresql://127.0.0.1:1/d?user=ann&password=s3cr3t-pw"],
)
async def test_a_server_that_is_not_there_is_one_line_without_the_password(url: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1") as caught:
        await Store.open(url)
    said = str(caught.value) + repr(caught.value) + caught.value.said("zh")
    assert "s3cr3t-pw" not in said
    assert "\n" not in said
    assert "s3cr3t-pw" not in redacted(parse_url(url))


async def test_an_unknown_database_of_a_server_is_one_line(server: Postgres) -> None:
    url = server.database("known").replace("/known", "/unknown")
    with pytest.raises(StoreUnavailable, match='"unknown" does not exist'):
        await Store.open(url)


async def test_every_connection_is_durable_and_checks_references(tmp_path: Path) -> None:
    async with await Store.open(f"sqlite:///{tmp_path}/new/folder/s.db") as store:

        def settings(connection: Connection) -> list[object]:
            names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
            return [connection.execute(text(f"PRAGMA {name}")).scalar() for name in names]

        found = await asyncio.gather(*[store.database.read(settings) for _ in range(12)])
    assert found == [[SAFE, 2, 30_000, 1]] * 12


async def test_sessions_are_for_their_owners_eyes(tmp_path: Path) -> None:
    file = tmp_path / "new" / "s.db"
    async with await Store.open(f"sqlite:///{file}"):
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700


async def test_doctor_tells_what_the_database_is_like(store: Store, backend: str) -> None:
    facts = await store.facts()
    assert facts.backend == backend
    assert facts.url.startswith(f"{backend}://")
    assert facts.schema == "0001"
    if backend == "sqlite":
        assert facts.version == sqlite3.sqlite_version
        expected = {"journal_mode": SAFE, "synchronous": "2", "busy_timeout": "30000", "foreign_keys": "1"}
        assert facts.settings == expected
        assert [note.key for note in facts.notes if "wal" in note.key] == ["store.note_wal_reset"] * (SAFE != "wal")
    else:
        assert facts.settings["synchronous_commit"] == "on"
        assert facts.settings["lock_timeout"] == "30s"


def test_doctor_warns_of_what_is_not_safe() -> None:
    assert sqlite_notes((3, 51, 3), (3, 13), "ext4") == ()
    said = [note.said("en") for note in sqlite_notes((3, 40, 1), (3, 12), "nfs4")]
    assert said == [
        "SQLite 3.40.1 can lose commits in WAL mode (fixed in 3.51.3), so a rollback journal is used",
        "the database file is on a network filesystem (nfs4): SQLite is not safe there",
        "SQLite 3.40.1 is too old for the background queue on Python 3.12 and later (3.42 is needed)",
    ]
    assert all("SQLite" in note.said("zh") for note in sqlite_notes((3, 40, 1), (3, 12), "nfs4"))


def test_a_file_is_on_the_nearest_mount_above_it() -> None:
    mounts = "/dev/a / ext4 rw 0 0\nhost:/x /home nfs4 rw 0 0\n/dev/b /home/a\\040b xfs rw 0 0\nbroken\n"
    assert filesystem_of(Path("/home/ann/s.db"), mounts) == "nfs4"
    assert filesystem_of(Path("/home/a b/s.db"), mounts) == "xfs"
    assert filesystem_of(Path("/homely/s.db"), mounts) == "ext4"
    assert filesystem_of(Path("/x"), "") == ""


async def test_a_copy_made_during_writing_is_a_whole_database(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with await Store.open(f"sqlite:///{tmp_path}/s.db") as store:
        key = (await store.create_session(title="kept")).session_id

        async def write() -> None:
            for n in range(40):
                await store.commit(key, 1, messages=[user(str(n))], events=[{"type": "x"}])

        await store.commit(key, 1, messages=[user("before")], events=[{"type": "x"}])
        writing = asyncio.create_task(write())
        await store.backup(copy)
        await writing
    async with await Store.open(f"sqlite:///{copy}") as restored:
        history, events = await restored.history(key), await restored.events(key)
        assert history[0].message.text == "before"
        assert [entry.position for entry in history] == list(range(len(history)))
        assert len(events) == len(history)
        await restored.commit(key, 1, messages=[user("goes on")])
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [name for name in listed(tmp_path) if "partial" in name] == []


async def test_a_copy_is_never_written_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")
    async with await Store.open(f"sqlite:///{tmp_path}/s.db") as store:
        with pytest.raises(StoreUnavailable, match="is there already"):
            await store.backup(tmp_path / "copy.db")
        with pytest.raises(StoreUnavailable, match="No such file"):
            await store.backup(tmp_path / "no" / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"


async def test_a_server_is_not_copied_here(shared_database: str, tmp_path: Path) -> None:
    async with await Store.open(shared_database) as store:
        with pytest.raises(StoreUnavailable, match="use pg_dump"):
            await store.backup(tmp_path / "copy.db")
    assert listed(tmp_path) == []


async def test_a_full_disk_is_a_typed_error_and_reading_goes_on(tmp_path: Path) -> None:
    """A full disk, as SQLite sees it: the file may not grow any more."""
    async with await Store.open(f"sqlite:///{tmp_path}/s.db") as store:
        key = (await store.create_session()).session_id
        await store.commit(key, 1, messages=[user("kept")])

        def limit(connection: Connection) -> None:
            pages = connection.execute(text("PRAGMA page_count")).scalar()
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))

        await store.database.write(limit)
        with pytest.raises(StoreUnavailable, match="database or disk is full"):
            await store.commit(key, 1, messages=[user("x" * 100_000)], events=[{"type": "x"}])
        assert [entry.message.text for entry in await store.history(key)] == ["kept"]
        assert await store.events(key) == []

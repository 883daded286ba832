"""From nothing to the newest tables, once, whoever else starts at the same time."""

import asyncio
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from astroresearch.context.messages import user
from astroresearch.store import migrations
from astroresearch.store.migrations.upgrade import HEAD
from astroresearch.store.sessions import Store, StoreUnavailable
from astroresearch.store.tables import metadata

OPEN = """
import asyncio, sys
from astroresearch.store.sessions import Store

async def main(url):
    async with await Store.open(url) as store:
        print((await store.create_session()).session_id)
    print("alembic" in sys.modules)

asyncio.run(main(sys.argv[1]))
"""


async def opened_by_another_process(url: str) -> list[str]:
    child = await create_subprocess_exec(sys.executable, "-c", OPEN, url, stdout=PIPE)
    said = (await child.communicate())[0].decode().split()
    assert child.returncode == 0
    return said


def differences(connection: Connection) -> list[Any]:
    def ours(item: object, name: str | None, kind: str, reflected: bool, compared: object) -> bool:
        return kind != "table" or name in metadata.tables

    context = MigrationContext.configure(connection, opts={"compare_type": True, "include_object": ours})
    found: list[Any] = compare_metadata(context, metadata)
    return found


def test_the_constant_is_the_last_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


async def test_migrations_make_the_tables_that_the_code_uses(fresh_url: str) -> None:
    async with await Store.open(fresh_url) as store:
        assert await store.database.read(differences) == []


async def test_opening_again_changes_nothing_and_loads_no_migration_engine(fresh_url: str) -> None:
    async with await Store.open(fresh_url) as store:
        key = (await store.create_session()).session_id
        await store.begin_turn(key, user("q"))
    _, alembic = await opened_by_another_process(fresh_url)
    assert alembic == "False"
    async with await Store.open(fresh_url) as store:
        assert [entry.message.text for entry in await store.history(key)] == ["q"]


async def test_processes_that_start_at_once_migrate_once(fresh_url: str) -> None:
    said = await asyncio.gather(*[opened_by_another_process(fresh_url) for _ in range(3)])
    async with await Store.open(fresh_url) as store:
        for key, _ in said:
            assert (await store.session(key)).session_id == key


async def test_tasks_that_start_at_once_migrate_once(fresh_url: str) -> None:
    for store in await asyncio.gather(*[Store.open(fresh_url) for _ in range(5)]):
        await store.create_session()
        await store.close()


async def test_tables_of_others_are_left_alone(fresh_url: str) -> None:
    async with await Store.open(fresh_url) as store:

        def regress(connection: Connection) -> None:
            connection.execute(text("CREATE TABLE workflow_queue (id INTEGER)"))
            connection.execute(text("DROP TABLE alembic_version"))
            metadata.drop_all(connection)

        await store.database.write(regress)
    async with await Store.open(fresh_url) as store:
        names = await store.database.read(lambda connection: set(inspect(connection).get_table_names()))
    assert names == {*metadata.tables, "alembic_version", "workflow_queue"}


async def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(fresh_url: str) -> None:
    async with await Store.open(fresh_url) as store:
        newer = text("UPDATE alembic_version SET version_num = '9999'")
        await store.database.write(lambda connection: connection.execute(newer) and None)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="schema 9999 is unknown here: it was written by a newer version"):
            await Store.open(fresh_url)


async def test_a_migration_that_fails_leaves_nothing_behind(fresh_url: str) -> None:
    """A table of somebody else's with our last table's name stops it after all the others were made."""
    async with await Store.open(fresh_url) as store:

        def regress(connection: Connection) -> None:
            connection.execute(text("DROP TABLE alembic_version"))
            metadata.drop_all(connection)
            connection.execute(text("CREATE TABLE agent_audit_log (id INTEGER)"))

        await store.database.write(regress)
        with pytest.raises(StoreUnavailable, match="agent_audit_log"):
            await Store.open(fresh_url)
        names = await store.database.read(lambda connection: inspect(connection).get_table_names())
    assert names == ["agent_audit_log"]

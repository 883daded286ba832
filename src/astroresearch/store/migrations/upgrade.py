"""Bring a database up to date. What loads alembic is only touched when there is something to do."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from ..database import Database, create_engine, redacted, unavailable
from ..rows import StoreUnavailable

HEAD = "0001"  # the last of versions/; a test holds the two together
LOCK = 7_210_503_284  # PostgreSQL's advisory lock of whoever migrates


async def ensure_schema(database: Database) -> None:
    """Create or migrate the tables, safely if several processes start at once; ``StoreUnavailable`` if that can't be.

    One transaction under the database's write lock: a kill in the middle leaves the schema as it was.
    """
    if await database.read(_version, delays=()) == HEAD:
        return
    migrating = Database(database.url, engine=create_engine(database.url, foreign_keys=False))
    try:
        await migrating.write(_migrate, delays=())
    except StoreUnavailable as error:
        raise StoreUnavailable(redacted(database.url), error.why, **error.details) from error
    except DBAPIError as error:
        raise unavailable(error, database.url) from error
    finally:
        await migrating.close()


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        found = _version(connection)
        raise StoreUnavailable("", "store.newer_schema", found=found) from error
    if connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise StoreUnavailable("", "store.broken_references")

"""A copy of a SQLite database while it is in use, whole or not there."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import URL

from .database import BUSY_MS, redacted
from .rows import StoreUnavailable


def copy_database(url: URL, target: Path) -> None:
    """Copy the database to *target*, which must not exist; ``StoreUnavailable`` if that can't be done.

    The copy is made beside it through SQLite's own backup, checked, synced and only then given its name.
    """
    if url.get_backend_name() != "sqlite":
        raise StoreUnavailable(redacted(url), "store.backup_sqlite_only")
    partial = target.with_name(f".{target.name}.partial")
    try:
        if target.exists():
            raise StoreUnavailable(redacted(url), "store.backup_exists", path=str(target))
        os.close(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        _copy(url, partial)
        _keep(partial, target)
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(redacted(url), str(error)) from error
    finally:
        partial.unlink(missing_ok=True)


def _copy(url: URL, partial: Path) -> None:
    source = sqlite3.connect(str(url.database), timeout=BUSY_MS / 1000)
    with closing(source), closing(sqlite3.connect(partial)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, whatever reads it
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        raise StoreUnavailable(redacted(url), "store.backup_damaged", why=found)


def _keep(partial: Path, target: Path) -> None:
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    os.link(partial, target)  # unlike a rename, never over a file that came in between
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

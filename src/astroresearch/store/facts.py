"""What ``doctor`` says of a database."""

import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, text

from ..locales import Locale, say
from .database import journal_mode_for, redacted
from .migrations.upgrade import HEAD

# Locks on these are not what SQLite needs, or nobody can tell (https://sqlite.org/faq.html#q5).
NETWORK = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "coda", "fuse.glusterfs", "fuse.sshfs", "gpfs", "lustre", "ncpfs"}
    | {"nfs", "nfs4", "smb2", "smb3", "smbfs"}
)
MOUNTS = Path("/proc/mounts")
ESCAPES = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}


@dataclass(frozen=True, slots=True)
class Note:
    """A warning: a text of ``locales`` and what fills it in."""

    key: str
    details: dict[str, object]

    def said(self, locale: Locale) -> str:
        return say(locale, self.key, **self.details)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """*url* has no password. *settings* are those in force on a connection, by their names in the database."""

    url: str
    backend: str
    version: str
    schema: str
    settings: dict[str, str]
    notes: tuple[Note, ...] = ()


def facts_of(connection: Connection, url: URL) -> Facts:
    """Return the facts of an open connection."""
    if url.get_backend_name() == "sqlite":
        return _sqlite(connection, url)
    names = ("synchronous_commit", "fsync", "full_page_writes", "lock_timeout")
    settings = {name: _one(connection, f"SHOW {name}") for name in names}
    version = _one(connection, "SHOW server_version")
    return Facts(url=redacted(url), backend="postgresql", version=version, schema=HEAD, settings=settings)


def _sqlite(connection: Connection, url: URL) -> Facts:
    names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
    mounts = MOUNTS.read_text(encoding="utf-8", errors="replace") if MOUNTS.exists() else ""
    return Facts(
        url=redacted(url),
        backend="sqlite",
        version=sqlite3.sqlite_version,
        schema=HEAD,
        settings={name: _one(connection, f"PRAGMA {name}") for name in names},
        notes=sqlite_notes(
            sqlite3.sqlite_version_info, sys.version_info[:2], filesystem_of(Path(str(url.database)).resolve(), mounts)
        ),
    )


def _one(connection: Connection, query: str) -> str:
    found: Any = connection.execute(text(query)).scalar()
    return str(found)


def sqlite_notes(version: tuple[int, ...], python: tuple[int, ...], filesystem: str) -> tuple[Note, ...]:
    """Return what a user of this SQLite, on this Python and filesystem, must know."""
    about: dict[str, object] = {"version": ".".join(map(str, version))}
    notes = []
    if journal_mode_for(version) != "wal":
        notes.append(Note("store.note_wal_reset", about))
    if filesystem in NETWORK:
        notes.append(Note("store.note_network", {"filesystem": filesystem}))
    if python >= (3, 12) and version < (3, 42):
        notes.append(Note("store.note_unixepoch", about))
    return tuple(notes)


def filesystem_of(file: Path, mounts: str) -> str:
    """Return the type of the filesystem that *file* is on, by the lines of ``/proc/mounts``; "" if they don't say."""
    kinds: dict[Path, str] = {}
    for line in mounts.splitlines():
        _, place, kind, *_ = [*line.split(), "", "", ""]
        for escape, character in ESCAPES.items():
            place = place.replace(escape, character)
        kinds[Path(place)] = kind
    return next((kinds[place] for place in (file, *file.parents) if place in kinds), "")

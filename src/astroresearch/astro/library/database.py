"""The library's own SQLite file: one schema, safe under several processes."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCHEMA = 1
BUSY_SECONDS = 15.0
_FIXED_IN = (3, 51, 3)
_BACKPORTS = ((3, 44, 6), (3, 50, 7))
_TABLES = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS papers (
  key TEXT PRIMARY KEY, title TEXT NOT NULL, authors TEXT NOT NULL, year INTEGER, bibcode TEXT NOT NULL,
  arxiv TEXT NOT NULL, doi TEXT NOT NULL, format TEXT NOT NULL, origin TEXT NOT NULL, sha256 TEXT NOT NULL,
  version INTEGER NOT NULL, added TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS papers_sha256 ON papers (sha256);
CREATE TABLE IF NOT EXISTS versions (
  key TEXT NOT NULL, version INTEGER NOT NULL, origin TEXT NOT NULL, sha256 TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (key, version)
);
CREATE TABLE IF NOT EXISTS aliases (alias TEXT PRIMARY KEY, key TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS aliases_key ON aliases (key);
CREATE TABLE IF NOT EXISTS passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, place TEXT NOT NULL, heading TEXT NOT NULL,
  kind TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS passages_key ON passages (key);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, heading, body, tokenize = 'porter unicode61');
"""


def journal_mode(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> str:
    """Return "wal" where it is safe, else "delete".

    SQLite 3.7.0-3.51.2 can lose commits when two connections reset the write-ahead log (fixed in 3.51.3,
    back-ported to 3.50.7 and 3.44.6).
    """
    fixed = version >= _FIXED_IN or any(version[:2] == fix[:2] and version >= fix for fix in _BACKPORTS)
    return "wal" if fixed else "delete"


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, made if need be; ``sqlite3.DatabaseError`` if it is no library of this version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA journal_mode = {journal_mode()}")
        db.execute("PRAGMA synchronous = FULL")
        _prepare(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA:
        raise sqlite3.DatabaseError(f"{path} was written by a newer version of AstroResearch (schema {version})")
    if version < SCHEMA:
        with writing(db):
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {SCHEMA}")


@contextmanager
def writing(db: sqlite3.Connection) -> Iterator[None]:
    """One transaction that takes the write lock first, so that it never fails half-way for being too late."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")

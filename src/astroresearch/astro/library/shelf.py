"""``Library``: papers by key or any of their identifiers, kept with their older versions."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

from ..identifiers import arxiv_of_bibcode, parse_identifier
from ..papers import Paper, Passage
from . import database
from .codec import decode, encode
from .passages import cut, section_place
from .search import search
from .starter import catalog_fingerprint, catalog_papers
from .words import index_text, stems

_VERSION = "key, version, origin, sha256, body"
_HEAD = "key, title, authors, year, bibcode, arxiv, doi, format, origin, version"


@dataclass(frozen=True, slots=True)
class Added:
    """*new* is False when exactly this content was there; *version* > 1 when it replaces older content of *key*."""

    key: str
    new: bool
    version: int = 1


@dataclass(frozen=True, slots=True)
class PaperHead:
    """*origin*: "user" or "catalog" (the starter library)."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    bibcode: str
    arxiv: str
    doi: str
    format: str
    origin: str
    version: int


@dataclass(frozen=True, slots=True)
class Outline:
    """Section *place*, nesting *level* and size in characters, for a reader who picks what to open."""

    place: str
    level: int
    characters: int


class NoSuchPaper(LookupError):
    """No paper has that name; *near* are papers that could be meant."""

    def __init__(self, name: str, near: tuple[PaperHead, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.near = near


class Library:
    """One SQLite file. Safe for several processes and threads; closed by ``close`` or as a context manager."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._lock = RLock()

    @classmethod
    def open(cls, path: Path, *, starter: bool = True) -> Self:
        """Open the library at *path*, made if need be, with the *starter* catalogue; raises ``sqlite3.Error``."""
        library = cls(database.connect(path))
        try:
            if starter:
                library._take_catalog()
        except BaseException:
            library.close()
            raise
        return library

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, paper: Paper) -> Added:
        """Keep *paper*. Content with another identifier of a known paper becomes that paper's next version."""
        with self._lock, database.writing(self._db):
            return self._put(paper, "user")

    def add_all(self, papers: Iterable[Paper]) -> list[Added]:
        """Keep many papers in one transaction: all of them or none."""
        with self._lock, database.writing(self._db):
            return [self._put(paper, "user") for paper in papers]

    def papers(self) -> list[PaperHead]:
        with self._lock:
            rows = self._db.execute(f"SELECT {_HEAD} FROM papers ORDER BY origin DESC, year, key").fetchall()
        return [_head(row) for row in rows]

    def paper(self, name: str) -> Paper:
        """Return the paper with this key, bibcode, arXiv id, DOI, or whose title alone has these words."""
        with self._lock:
            key = self._resolve(name)
            (body,) = self._db.execute("SELECT body FROM papers WHERE key = ?", (key,)).fetchone()
        return decode(body)

    def search(self, query: str, limit: int = 10, paper: str | None = None) -> list[Passage]:
        """Return passages, best paper first; *limit* counts papers, or the passages of *paper*.

        ``Passage.score`` (0..1) is the share of the query's informative weight that passage, title and heading cover.
        """
        with self._lock:
            return search(self._db, query, limit, None if paper is None else self._resolve(paper))

    def outline(self, name: str) -> tuple[Outline, ...]:
        """Return the sections of a paper in order; the abstract first."""
        paper = self.paper(name)
        abstract = (Outline("abstract", 1, len(paper.abstract)),) if paper.abstract else ()
        return abstract + tuple(
            Outline(section_place(section), section.level, sum(len(block.text) for block in section.blocks))
            for section in paper.sections
        )

    def remove(self, name: str) -> str:
        """Forget a paper with all of its versions and return its key. An entry of the starter catalogue that the user's
        own version had replaced comes back."""
        with self._lock, database.writing(self._db):
            key = self._resolve(name)
            kept = self._db.execute(
                "SELECT body FROM versions WHERE key = ? AND origin = 'catalog' ORDER BY version DESC", (key,)
            ).fetchone()
            (origin,) = self._db.execute("SELECT origin FROM papers WHERE key = ?", (key,)).fetchone()
            self._drop(key)
            self._db.execute("DELETE FROM versions WHERE key = ?", (key,))
            if kept and origin == "user":
                self._put(decode(kept[0]), "catalog")
            return key

    def _put(self, paper: Paper, origin: str) -> Added:
        same = self._db.execute("SELECT key, version FROM papers WHERE sha256 = ? AND sha256 != ''", (paper.sha256,))
        if known := same.fetchone():
            return Added(known[0], False, known[1])
        key = self._known_key(paper)
        version = 1
        if key:
            version = self._archive(key)
            self._drop(key, keep_aliases=True)
        self._insert(key or paper.key, paper, origin, version)
        return Added(key or paper.key, True, version)

    def _known_key(self, paper: Paper) -> str:
        for alias in _aliases(paper):
            if found := self._db.execute("SELECT key FROM aliases WHERE alias = ?", (alias,)).fetchone():
                return str(found[0])
        return ""

    def _archive(self, key: str) -> int:
        """Keep the current content of *key* as an older version; return the number of the next one."""
        copy = f"INSERT OR REPLACE INTO versions ({_VERSION}) SELECT {_VERSION} FROM papers WHERE key = ?"
        self._db.execute(copy, (key,))
        (version,) = self._db.execute("SELECT version FROM papers WHERE key = ?", (key,)).fetchone()
        return int(version) + 1

    def _drop(self, key: str, keep_aliases: bool = False) -> None:
        self._db.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE key = ?)", (key,))
        self._db.execute("DELETE FROM passages WHERE key = ?", (key,))
        self._db.execute("DELETE FROM papers WHERE key = ?", (key,))
        if not keep_aliases:
            self._db.execute("DELETE FROM aliases WHERE key = ?", (key,))

    def _insert(self, key: str, paper: Paper, origin: str, version: int) -> None:
        self._db.execute(
            f"INSERT INTO papers ({_HEAD}, sha256, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (key, paper.title, json.dumps(paper.authors, ensure_ascii=False), paper.year, paper.bibcode, paper.arxiv,
             paper.doi, paper.format, origin, version, paper.sha256, encode(paper)),
        )  # fmt: skip
        aliases = [(alias, key) for alias in (*_aliases(paper), _alias(key))]
        self._db.executemany("INSERT OR REPLACE INTO aliases (alias, key) VALUES (?, ?)", aliases)
        title = index_text(paper.title)
        for piece in cut(paper) if paper.abstract or paper.sections else ():
            row = (key, piece.place, piece.heading, piece.kind, piece.text)
            at = self._db.execute("INSERT INTO passages (key, place, heading, kind, text) VALUES (?, ?, ?, ?, ?)", row)
            indexed = (at.lastrowid, title, index_text(piece.heading), index_text(piece.text))
            self._db.execute("INSERT INTO words (rowid, title, heading, body) VALUES (?, ?, ?, ?)", indexed)

    def _resolve(self, name: str) -> str:
        for alias in _spellings(name):
            if found := self._db.execute("SELECT key FROM aliases WHERE alias = ?", (alias,)).fetchone():
                return str(found[0])
        near = self._near(name)
        if len(near) == 1 and stems(name) <= stems(f"{near[0].title} {' '.join(near[0].authors)}"):
            return near[0].key
        raise NoSuchPaper(name, tuple(near[:5]))

    def _near(self, name: str) -> list[PaperHead]:
        """Papers whose title and authors hold most of the words of *name*; only the full matches if there are any."""
        wanted = stems(name)
        if not wanted:
            return []
        rows = self._db.execute(f"SELECT {_HEAD} FROM papers").fetchall()
        scored = []
        for head in map(_head, rows):
            found = stems(f"{head.title} {' '.join(head.authors)} {head.key}")
            scored.append((len(wanted & found) / len(wanted), head))
        best = max((share for share, _ in scored), default=0.0)
        floor = 1.0 if best == 1.0 else 0.5
        return [head for share, head in sorted(scored, key=lambda pair: -pair[0]) if share >= floor]

    def _take_catalog(self) -> None:
        fingerprint = catalog_fingerprint()
        wanted = "SELECT value FROM facts WHERE name = 'catalog'"
        if (self._db.execute(wanted).fetchone() or ("",))[0] == fingerprint:
            return
        papers = catalog_papers()
        with database.writing(self._db):
            if (self._db.execute(wanted).fetchone() or ("",))[0] != fingerprint:
                self._replace_catalog(papers)
                self._db.execute("INSERT OR REPLACE INTO facts (name, value) VALUES ('catalog', ?)", (fingerprint,))

    def _replace_catalog(self, papers: tuple[Paper, ...]) -> None:
        """A paper that the user has in full stays in front of its entry, which waits among the older versions."""
        self._db.execute("DELETE FROM versions WHERE origin = 'catalog'")
        for (key,) in self._db.execute("SELECT key FROM papers WHERE origin = 'catalog'").fetchall():
            self._drop(key)
        for paper in papers:
            if known := self._known_key(paper):
                row = (known, 0, "catalog", paper.sha256, encode(paper))
                self._db.execute(f"INSERT INTO versions ({_VERSION}) VALUES (?, ?, ?, ?, ?)", row)
            else:
                self._insert(paper.key, paper, "catalog", 1)


def _head(row: tuple[object, ...]) -> PaperHead:
    values = list(row)
    values[2] = tuple(json.loads(str(row[2])))
    return PaperHead(*values)  # type: ignore[arg-type]


def _aliases(paper: Paper) -> tuple[str, ...]:
    """The names by which *paper* is known anywhere, and its own key."""
    names = (paper.bibcode, paper.arxiv, paper.doi, arxiv_of_bibcode(paper.bibcode), paper.key)
    return tuple(dict.fromkeys(_alias(name) for name in names if name))


def _alias(name: str) -> str:
    identifier = parse_identifier(name)
    return f"{identifier.kind}:{identifier.value}" if identifier else f"key:{name.strip().lower()}"


def _spellings(name: str) -> tuple[str, ...]:
    known = arxiv_of_bibcode(name.strip())
    return (_alias(name), f"key:{name.strip().lower()}", *((f"arxiv:{known}",) if known else ()))

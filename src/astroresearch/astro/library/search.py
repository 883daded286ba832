"""Finds passages: SQLite's bm25 proposes, the share of the question that a passage covers decides."""

import math
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from ..papers import Passage
from .question import Term, terms
from .sentences import sentences
from .words import stems

CANDIDATES = 120  # passages that bm25 proposes
COMMON = 3_000  # counting passages with a word stops here: common is common
SNIPPET = 480  # characters; one sentence may be longer, sentences are never cut
A_PAPER = 3  # passages of one paper in a search over all
_FIND = """
SELECT p.key, papers.title, papers.year, p.place, p.heading, p.kind, p.text, bm25(words, 3.0, 1.5, 1.0) AS rank
FROM words JOIN passages AS p ON p.id = words.rowid JOIN papers ON papers.key = p.key
WHERE words MATCH ? {where} ORDER BY rank LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class Weighted:
    """A term of the question and what it tells: rare terms more, terms that no paper has most."""

    term: Term
    weight: float


@dataclass(frozen=True, slots=True)
class Hit:
    passage: Passage
    rank: float


def search(db: sqlite3.Connection, question: str, limit: int, paper: str | None) -> list[Passage]:
    """Return passages, best paper first, its best passages first; *limit* counts papers, or passages of *paper*."""
    asked = terms(question)
    if not asked:
        return []
    hits = _hits(db, question, _weigh(db, asked), paper)
    if paper is not None:
        return [hit.passage for hit in hits[:limit]]
    papers: dict[str, list[Hit]] = {}
    for hit in hits:
        papers.setdefault(hit.passage.paper, []).append(hit)
    best = sorted(papers.values(), key=lambda found: -_paper_rank(found))[:limit]
    return [hit.passage for found in best for hit in found[:A_PAPER]]


def _paper_rank(hits: list[Hit]) -> float:
    """The best passage counts; further ones break ties between papers that say the same once."""
    return sum(hit.rank * weight for hit, weight in zip(hits, (1.0, 0.15, 0.05), strict=False))


def _hits(db: sqlite3.Connection, question: str, asked: list[Weighted], paper: str | None) -> list[Hit]:
    where, values = ("AND p.key = ?", [paper]) if paper is not None else ("", [])
    match = _match(weighted.term for weighted in asked)
    rows = db.execute(_FIND.format(where=where), [match, *values, CANDIDATES]).fetchall()
    if not rows:
        return []
    strongest = max(-row[-1] for row in rows) or 1.0
    numeric = wants_number(question)
    hits = [_hit(row, asked, -row[-1] / strongest, numeric) for row in rows]
    return sorted(hits, key=lambda hit: -hit.rank)


def _match(asked: Iterable[Term]) -> str:
    words = dict.fromkeys(word for term in asked for form in term.forms for word in form)
    return " OR ".join(quoted(word) for word in words)


def quoted(word: str) -> str:
    """Return *word* as an FTS5 string: no character of it is an operator."""
    return '"' + word.replace('"', '""') + '"'


def _weigh(db: sqlite3.Connection, asked: tuple[Term, ...]) -> list[Weighted]:
    (total,) = db.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()
    counts: dict[str, int] = {}
    for word in {word for term in asked for form in term.forms for word in form}:
        counting = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
        (counts[word],) = db.execute(counting, (quoted(word), COMMON)).fetchone()
    return [Weighted(term, min(_weight(form, counts, total) for form in term.forms)) for term in asked]


def _weight(form: tuple[str, ...], counts: dict[str, int], total: int) -> float:
    return sum(math.log(1 + (total + 1) / (counts[word] + 0.5)) for word in form) / len(form)


def _hit(row: tuple[str, str, int | None, str, str, str, str, float], asked: list[Weighted], bm25: float,
         numeric: bool) -> Hit:  # fmt: skip
    key, title, year, place, heading, kind, text, _ = row
    around = stems(f"{title} {heading}")
    inside = stems(text)
    snippet, share = _snippet(text, kind, asked, numeric)
    covered = share_covered(asked, inside | around)
    rank = 0.45 * covered + 0.25 * share_covered(asked, inside) + 0.45 * share + 0.35 * bm25
    return Hit(Passage(key, title, year, place, snippet, round(covered, 3)), rank)


def share_covered(asked: list[Weighted], found: frozenset[str]) -> float:
    """Return 0..1: the share of the question's weight that the stems *found* cover."""
    total = sum(weighted.weight for weighted in asked) or 1.0
    return sum(weighted.weight * weighted.term.covered(found) for weighted in asked) / total


def wants_number(question: str) -> bool:
    """Return whether *question* asks for a quantity, so that a sentence with a number answers it better."""
    lower = question.lower()
    asking = ("how ", "what is the", "what are the", "value", "when ", "which year", "多", "几", "数值", "年龄", "常数")
    return any(word in lower for word in asking)


def _snippet(text: str, kind: str, asked: list[Weighted], numeric: bool) -> tuple[str, float]:
    """The best sentence with the neighbours that fit, and the share of the question that it covers."""
    if kind == "table":
        return _rows(text, asked)
    parts = sentences(text)
    shares = [share_covered(asked, stems(part)) + 0.08 * (numeric and any(c.isdigit() for c in part)) for part in parts]
    best = max(range(len(parts)), key=lambda i: (shares[i], -i))
    first = last = best
    while True:
        around = [i for i in (first - 1, last + 1) if 0 <= i < len(parts)]
        fitting = [i for i in around if len(" ".join(parts[min(first, i) : max(last, i) + 1])) <= SNIPPET]
        if not fitting:
            return " ".join(parts[first : last + 1]), min(shares[best], 1.0)
        chosen = max(fitting, key=lambda i: (shares[i], i))
        first, last = min(first, chosen), max(last, chosen)


def _rows(text: str, asked: list[Weighted]) -> tuple[str, float]:
    """The head of a table and the rows that say most, on one line."""
    lines = text.splitlines()
    head, rows = lines[0], lines[2:]
    scored = sorted(((share_covered(asked, stems(row)), -i) for i, row in enumerate(rows)), reverse=True)
    kept: list[int] = []
    size = len(head)
    for _, minus in scored:
        if kept and size + len(rows[-minus]) > SNIPPET:
            break
        kept.append(-minus)
        size += len(rows[-minus])
    share = share_covered(asked, stems(" ".join([head, *(rows[i] for i in kept)])))
    return "; ".join([head, *(rows[i] for i in sorted(kept))]), share

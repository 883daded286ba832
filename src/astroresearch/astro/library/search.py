"""Finds passages: SQLite's bm25 proposes, the share of the question that a passage covers decides."""

import math
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ..papers import Passage
from .question import Term, terms
from .sentences import sentences
from .words import stem, stems

CANDIDATES = 120  # passages that bm25 proposes
READ = 30  # of them, those that cover most are read sentence by sentence
COMMON = 3_000  # counting passages with a word stops here: common is common
SNIPPET = 600  # characters; one sentence may be longer, sentences are never cut
A_NUMBER = 0.08  # what a number is worth where one is asked for, as a share of the question
A_PAPER = 3  # passages of one paper in a search over all
_FIND = """
SELECT p.key, papers.title, papers.year, p.place, p.kind, p.text, words.title, words.heading, words.body,
  bm25(words, 3.0, 1.5, 1.0) AS rank
FROM words JOIN passages AS p ON p.id = words.rowid JOIN papers ON papers.key = p.key
WHERE words MATCH ? {where} ORDER BY rank LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class Weighted:
    """A term of the question and what it tells: rare terms more, terms that no paper has most."""

    term: Term
    weight: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that bm25 proposed. *covered*, *inside*: shares of the question with and without title and heading."""

    passage: Passage
    kind: str
    title: frozenset[str]
    covered: float
    inside: float
    bm25: float

    @property
    def promise(self) -> float:
        return 0.45 * self.covered + 0.25 * self.inside + 0.35 * self.bm25


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
    strongest = max((-row[-1] for row in rows), default=0.0) or 1.0
    candidates = sorted((_candidate(row, asked, strongest) for row in rows), key=lambda found: -found.promise)
    numeric = wants_number(question)
    return sorted((_read(found, asked, numeric) for found in candidates[:READ]), key=lambda hit: -hit.rank)


def _candidate(row: tuple[Any, ...], asked: list[Weighted], strongest: float) -> Candidate:
    key, title, year, place, kind, text, *indexed, rank = row
    named, heading, inside = (frozenset(map(stem, words.split())) for words in indexed)
    covered = share_covered(asked, named | heading | inside)
    passage = Passage(key, title, year, place, text, round(covered, 3))
    return Candidate(passage, kind, named, covered, share_covered(asked, inside), -rank / strongest)


def _read(found: Candidate, asked: list[Weighted], numeric: bool) -> Hit:
    """Choose the sentences. What the title says names the paper; the other words of the question name the sentence."""
    local = [Weighted(w.term, w.weight * (1 - 0.7 * w.term.covered(found.title))) for w in asked]
    snippet, share = _snippet(found.passage.text, found.kind, local, numeric)
    return Hit(replace(found.passage, text=snippet), found.promise + 0.45 * share)


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
    """The best sentence, others that add to it, neighbours that fit; and the share of the question in the best one."""
    if kind == "table":
        return _rows(text, asked)
    parts = sentences(text)
    words = [stems(part) for part in parts]
    shares = [
        share_covered(asked, found) + A_NUMBER * (numeric and any(map(str.isdigit, part)))
        for part, found in zip(parts, words, strict=True)
    ]
    best = max(range(len(parts)), key=lambda i: (shares[i], -i))
    chosen = _completed([best], parts, words, asked)
    return _joined(_widened(chosen, parts), parts), min(shares[best], 1.0)


def _fits(chosen: list[int], parts: list[str]) -> bool:
    return sum(len(parts[i]) + 1 for i in chosen) <= SNIPPET


def _completed(chosen: list[int], parts: list[str], words: list[frozenset[str]], asked: list[Weighted]) -> list[int]:
    """Add sentences that cover what the chosen ones do not."""
    found = words[chosen[0]]
    while True:
        share = share_covered(asked, found)
        gains = [(share_covered(asked, found | more) - share, -i) for i, more in enumerate(words) if i not in chosen]
        gain, at = max(gains, default=(0.0, 0))
        if gain < A_NUMBER or not _fits([*chosen, -at], parts):
            return chosen
        chosen = [*chosen, -at]
        found |= words[-at]


def _widened(chosen: list[int], parts: list[str]) -> list[int]:
    """Add what follows and what precedes the first choice, as far as it fits: an answer may run over two sentences."""
    for i in (chosen[0] + 1, chosen[0] - 1):
        if 0 <= i < len(parts) and i not in chosen and _fits([*chosen, i], parts):
            chosen = [*chosen, i]
    return sorted(chosen)


def _joined(chosen: list[int], parts: list[str]) -> str:
    text = parts[chosen[0]]
    for before, i in pairwise(chosen):
        text += (" " if i == before + 1 else " … ") + parts[i]
    return text


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

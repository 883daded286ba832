"""The starter library: well-known results in our own words, each with its bibcode and measured values.

How every bibcode and number was checked is recorded in ``docs/starter-library.md``.
"""

import json
from importlib import resources
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from ..identifiers import parse_identifier
from ..papers import Block, Paper, Section

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class CatalogError(ValueError):
    """A line of the catalogue cannot be used; the message names the line and what is wrong with it."""


class _Entry(BaseModel):
    """One line of ``papers.jsonl``; *values* may be empty only for a theory or a discovery."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bibcode: _Text
    title: _Text
    authors: Annotated[tuple[_Text, ...], Field(min_length=1)]
    year: int
    kind: Literal["measurement", "theory", "discovery"]
    arxiv: str = ""
    doi: str = ""
    abstract: _Text
    values: tuple[_Text, ...]
    topics: Annotated[tuple[_Text, ...], Field(min_length=1)]
    zh: str = ""

    @model_validator(mode="after")
    def _identified(self) -> "_Entry":
        for kind, value in (("bibcode", self.bibcode), ("arxiv", self.arxiv), ("doi", self.doi)):
            found = parse_identifier(value) if value else None
            if value and (found is None or (found.kind, found.value) != (kind, value)):
                raise ValueError(f"{value!r} is no {kind} in its normal form")
        if self.year != int(self.bibcode[:4]):
            raise ValueError(f"year {self.year} differs from the bibcode's")
        if self.kind == "measurement" and not self.values:
            raise ValueError("a measurement without measured values")
        return self


def load_catalog() -> tuple[Paper, ...]:
    """Return the starter library, sorted by year; raises :class:`CatalogError` for the first bad line."""
    file = resources.files(__package__) / "papers.jsonl"
    return parse_catalog(file.read_text(encoding="utf-8"))


def parse_catalog(text: str) -> tuple[Paper, ...]:
    """Return the papers of *text*, one JSON object a line; raises :class:`CatalogError`, also for a doubled bibcode."""
    papers: dict[str, Paper] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        paper = _paper(_entry(line, number))
        if paper.key in papers:
            raise CatalogError(f"papers.jsonl line {number}: {paper.key} is there twice")
        papers[paper.key] = paper
    return tuple(sorted(papers.values(), key=lambda paper: (paper.year, paper.key)))


def _entry(line: str, number: int) -> _Entry:
    try:
        return _Entry.model_validate(json.loads(line))
    except json.JSONDecodeError as error:
        raise CatalogError(f"papers.jsonl line {number}: no JSON ({error.msg} at column {error.colno})") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CatalogError(f"papers.jsonl line {number}: {where + ': ' if where else ''}{first['msg']}") from error


def _paper(entry: _Entry) -> Paper:
    return Paper(
        key=entry.bibcode,
        title=entry.title,
        authors=entry.authors,
        year=entry.year,
        bibcode=entry.bibcode,
        arxiv=entry.arxiv,
        doi=entry.doi,
        abstract=entry.abstract,
        sections=tuple(_sections(entry)),
        format="catalog",
    )


def _sections(entry: _Entry) -> list[Section]:
    # one block for each value, so that each is found and quoted by itself
    parts = [
        ("Measured values", entry.values),
        ("中文摘要", (entry.zh,) if entry.zh else ()),
        ("Topics / 主题", ("; ".join(entry.topics),)),
    ]
    return [Section(title, 1, tuple(Block("text", text) for text in texts)) for title, texts in parts if texts]

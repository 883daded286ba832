"""The library's two tools: ``search_library`` finds passages, ``read_paper`` opens a paper piece by piece."""

import asyncio
from collections.abc import Mapping
from itertools import groupby

from pydantic import Field

from ..locales import Locale, say
from ..tools.base import Arguments, CallContext, Citation, Outcome, Tool
from . import reading
from .library import Library, NoSuchPaper, PaperHead
from .library.passages import section_place
from .papers import Paper, Passage

HITS = 12  # passages of one paper that a query may bring


class SearchLibrary(Arguments):
    query: str = Field(min_length=1, max_length=1_000)
    limit: int = Field(default=8, ge=1, le=20)


class ReadPaper(Arguments):
    paper: str = Field(min_length=1, max_length=300)
    section: str | None = Field(default=None, max_length=300)
    page: int | None = Field(default=None, ge=1)
    query: str | None = Field(default=None, max_length=1_000)
    offset: int | None = Field(default=None, ge=0)


def library_tools(library: Library, locale: Locale = "en") -> tuple[Tool, Tool]:
    """Return ``search_library`` and ``read_paper`` over *library*, described in *locale*."""

    async def run_search(arguments: SearchLibrary, context: CallContext) -> Outcome:
        return await asyncio.to_thread(search_library, library, arguments, context.locale)

    async def run_read(arguments: ReadPaper, context: CallContext) -> Outcome:
        return await asyncio.to_thread(read_paper, library, arguments, context.locale)

    searching = Tool(
        name="search_library",
        summary=say(locale, "astro.search_library.summary"),
        description=say(locale, "astro.search_library.description"),
        arguments=SearchLibrary,
        run=run_search,
        clearing="eager",
        subject=lambda arguments: str(arguments.get("query", "")),
    )
    opening = Tool(
        name="read_paper",
        summary=say(locale, "astro.read_paper.summary"),
        description=say(locale, "astro.read_paper.description"),
        arguments=ReadPaper,
        run=run_read,
        clearing="normal",
        subject=_read_subject,
    )
    return searching, opening


def _read_subject(arguments: Mapping[str, object]) -> str:
    parts = [str(arguments.get("paper", ""))]
    if section := arguments.get("section"):
        parts.append(f"§{str(section).removeprefix('§')}")
    if page := arguments.get("page"):
        parts.append(f"p. {page}")
    if query := arguments.get("query"):
        parts.append(f"“{query}”")
    return " ".join(parts)


def search_library(library: Library, asked: SearchLibrary, locale: Locale) -> Outcome:
    """Return one row a paper with its best passages below, best paper first."""
    passages = library.search(asked.query, asked.limit)
    if not passages:
        return Outcome(say(locale, "astro.no_results", query=asked.query, papers=len(library.papers())))
    heads = {head.key: head for head in library.papers()}
    rows: list[str] = []
    citations: list[Citation] = []
    for number, (key, found) in enumerate(groupby(passages, key=lambda passage: passage.paper), 1):
        hits = list(found)
        rows.append(_row(number, heads.get(key), hits))
        rows.extend(f"    {hit.place}: {_line(hit.text)}" for hit in hits)
        citations.extend(Citation(key, hit.title, hit.year, hit.place) for hit in hits)
    return Outcome("\n".join(rows), citations=tuple(citations))


def _row(number: int, head: PaperHead | None, hits: list[Passage]) -> str:
    best = hits[0]
    author = short_author(head.authors) if head else "?"
    match = max(hit.score for hit in hits)
    return f"[{number}] {best.paper} · {author} · {best.year or 'n.d.'} · {_line(best.title)} · match {match:.2f}"


def short_author(authors: tuple[str, ...]) -> str:
    """Return "Seligman et al.", "Smith & Jones" or "Smith": family names only."""
    names = [_family(author) for author in authors]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " & ".join(names) or "?"


def _family(author: str) -> str:
    if "," in author:
        return author.split(",")[0].strip()
    words = author.split()
    if "Collaboration" in words or "Team" in words or not words:
        return author
    at = len(words) - 1
    while at > 0 and words[at - 1][:1].islower():  # de Mink, van der Waals
        at -= 1
    return " ".join(words[at:])


def _line(text: str) -> str:
    return " ".join(text.split()).replace(" · ", " - ")


def read_paper(library: Library, asked: ReadPaper, locale: Locale) -> Outcome:
    """Return the outline, or a page of what was asked for; an error that says what there is."""
    try:
        paper = library.paper(asked.paper)
    except NoSuchPaper as missing:
        return _no_such_paper(missing, locale)
    if asked.query and not asked.section:
        return _hits(library, paper, asked, locale)
    if asked.section:
        chunks = reading.section(paper, asked.section)
        if asked.query:
            chunks = _about(library, paper, asked.query, chunks)
        return _page(paper, chunks, asked, locale)
    if asked.page:
        return _page(paper, reading.page(paper, asked.page), asked, locale)
    chunks = reading.whole(paper)
    if sum(len(chunk.text) for chunk in chunks) <= reading.PAGE:
        return _page(paper, chunks, asked, locale)
    return _outline(library, paper, locale)


def _no_such_paper(missing: NoSuchPaper, locale: Locale) -> Outcome:
    near = "; ".join(f"{head.key} ({head.title})" for head in missing.near)
    key = "astro.no_such_paper_near" if near else "astro.no_such_paper"
    return Outcome(say(locale, key, name=missing.name, near=near), "error")


def _hits(library: Library, paper: Paper, asked: ReadPaper, locale: Locale) -> Outcome:
    found = library.search(asked.query or "", HITS, paper.key)
    chunks = tuple(reading.Chunk(hit.place, hit.text) for hit in found)
    if not chunks:
        return Outcome(say(locale, "astro.no_hits", paper=paper.key, query=asked.query), citations=())
    return _page(paper, chunks, asked, locale)


def _about(library: Library, paper: Paper, query: str, chunks: tuple[reading.Chunk, ...]) -> tuple[reading.Chunk, ...]:
    """The hits of *query* inside the section of *chunks*; the section itself when none is there."""
    places = {chunk.place for chunk in chunks}
    hits = library.search(query, HITS, paper.key)
    inside = tuple(reading.Chunk(hit.place, hit.text) for hit in hits if hit.place in places)
    return inside or chunks


def _page(paper: Paper, chunks: tuple[reading.Chunk, ...], asked: ReadPaper, locale: Locale) -> Outcome:
    offset = asked.offset or 0
    if not chunks:
        wanted = asked.section or f"p. {asked.page}"
        return Outcome(say(locale, "astro.no_such_section", wanted=wanted, outline=_places(paper)), "error")
    if offset >= len(chunks):
        return Outcome(say(locale, "astro.past_the_end", offset=offset, last=len(chunks) - 1), "error")
    shown, following = reading.first_page(chunks, offset)
    text = f"{_title(paper)}\n{reading.render(shown)}"
    if following is not None:
        text += "\n" + say(locale, "astro.continues", offset=following)
    places = dict.fromkeys(chunk.place for chunk in shown)
    return Outcome(text, citations=tuple(Citation(paper.key, paper.title, paper.year, place) for place in places))


def _title(paper: Paper) -> str:
    return f"# {paper.key} · {_line(paper.title)}"


def _places(paper: Paper) -> str:
    return "; ".join(section_place(section) for section in paper.sections)


def _outline(library: Library, paper: Paper, locale: Locale) -> Outcome:
    about = [_title(paper), f"{short_author(paper.authors)} · {paper.year or 'n.d.'}"]
    about += [say(locale, "astro.not_read", notice=notice) for notice in paper.notices]
    if paper.abstract:
        about += ["## abstract", paper.abstract, ""]
    about += ["## outline", *_outline_lines(library, paper, locale), say(locale, "astro.read_on")]
    return Outcome("\n".join(about), citations=(Citation(paper.key, paper.title, paper.year, "abstract"),))


def _outline_lines(library: Library, paper: Paper, locale: Locale) -> list[str]:
    lines = [
        "  " * (entry.level - 1) + "- " + say(locale, "astro.outline_entry", place=entry.place, size=entry.characters)
        for entry in library.outline(paper.key)
        if entry.place != "abstract"
    ]
    if paper.references:
        lines.append("- " + say(locale, "astro.outline_references", count=len(paper.references)))
    return lines

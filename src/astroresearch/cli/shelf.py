"""What the ``library`` commands do with the papers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from ..astro.identifiers import parse_identifier
from ..astro.library import Library, PaperHead
from ..astro.papers import Block, Paper
from ..astro.parse import UnreadablePaper, parse_paper
from .failures import Stop
from .given import settings_for
from .output import as_json_text, hint, tell
from .words import language, t

BESIDE = (".tex", ".bib", ".bbl", ".ltx")  # what a LaTeX source may include
BESIDE_MOST = 200


@contextmanager
def opened() -> Iterator[Library]:
    with Library.open(settings_for().library_file) as library:
        yield library


def add(sources: Sequence[str]) -> int:
    """Add every source that can be read; return 0, or the exit code of what could not."""
    code = 0
    with opened() as library:
        for source in sources:
            try:
                _add_one(library, source)
            except Stop as stop:
                hint(t("error", text=stop.failure.line))
                code = max(code, stop.failure.code)
    return code


def _add_one(library: Library, source: str) -> None:
    path = Path(source)
    if not path.is_file():
        raise _no_file(path, source)
    try:
        paper = parse_paper(path.read_bytes(), path.name, files=_beside(path), locale=language())
    except OSError as error:
        raise Stop(5, t("no_file", file=source, what=error.strerror or "")) from None
    except UnreadablePaper as error:
        raise Stop(2, t("unreadable_paper", file=source, why=str(error))) from None
    added = library.add(paper)
    key = "paper_same" if not added.new else "paper_replaced" if added.version > 1 else "paper_added"
    tell(t(key, key=added.key, title=paper.title or source, version=added.version))
    for notice in paper.notices:
        hint(t("notice", text=f"{source}: {notice}"))


def _no_file(path: Path, source: str) -> Stop:
    if path.is_dir():
        return Stop(2, t("is_folder", file=source))
    if parse_identifier(source):
        return Stop(5, t("no_download", id=source))
    return Stop(5, t("no_file", file=source, what=t("not_there")))


def _beside(path: Path) -> dict[str, bytes]:
    """Return the files that a LaTeX source in this folder may include; no other folder is read."""
    if path.suffix.lower() not in BESIDE:
        return {}
    found = sorted(p for p in path.parent.iterdir() if p.suffix.lower() in BESIDE and p != path and p.is_file())
    return {p.name: p.read_bytes() for p in found[:BESIDE_MOST] if p.stat().st_size <= 5_000_000}


def list_papers(as_json: bool) -> None:
    with opened() as library:
        heads = library.papers()
    if as_json:
        tell(as_json_text([asdict(head) for head in heads]))
        return
    for head in heads:
        tell(_row(head))


def _row(head: PaperHead) -> str:
    author = head.authors[0] if head.authors else "?"
    more = " et al." if len(head.authors) > 1 else ""
    return t("paper_row", key=head.key, author=author + more, year=head.year or "n.d.", title=head.title)


def search(query: str, limit: int, as_json: bool) -> None:
    with opened() as library:
        passages = library.search(query, limit)
    if as_json:
        tell(as_json_text([asdict(passage) for passage in passages]))
        return
    if not passages:
        hint(t("no_hits", query=query))
    for passage in passages:
        tell(
            t("passage_head", key=passage.paper, title=passage.title, year=passage.year or "n.d.", place=passage.place)
        )
        tell(f"    {' '.join(passage.text.split())}")


def show(name: str) -> None:
    """Print a paper as text."""
    with opened() as library:
        paper = library.paper(name)
    for line in _lines(paper):
        tell(line)


def _lines(paper: Paper) -> Iterator[str]:
    yield f"# {paper.title}"
    yield t("paper_authors", authors=", ".join(paper.authors[:8]), year=paper.year or "n.d.", key=paper.key)
    names = {"bibcode": paper.bibcode, "arXiv": paper.arxiv, "DOI": paper.doi}
    if line := " · ".join(f"{name} {value}" for name, value in names.items() if value):
        yield line
    if paper.abstract:
        yield f"\n{paper.abstract}"
    for section in paper.sections:
        yield f"\n{'#' * (section.level + 1)} {section.number} {section.title}".rstrip()
        for block in section.blocks:
            yield f"\n{_block(block)}"


def _block(block: Block) -> str:
    return f"$$\n{block.text}\n$$ ({block.number})" if block.kind == "equation" and block.number else block.text

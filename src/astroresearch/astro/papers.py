"""What a paper is to us: values that parsers make, the library keeps and tools read."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

BlockKind: TypeAlias = Literal["text", "equation", "table", "caption", "code", "note"]


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, displayed equation (LaTeX), table (Markdown) or caption. *cites*: keys of ``Paper.references``."""

    kind: BlockKind
    text: str
    label: str = ""
    number: str = ""  # the equation's, table's or figure's number, if it has one
    page: int | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """*number* is "3.2" or "A"; the abstract and unnumbered sections have none."""

    title: str
    level: int
    blocks: tuple[Block, ...]
    number: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of the bibliography; whatever identifiers it gives, normalised."""

    key: str
    text: str = ""
    bibcode: str = ""
    arxiv: str = ""
    doi: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """*key* names the paper in the library: its bibcode, else arXiv id, else DOI, else a slug of file name + hash."""

    key: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    bibcode: str = ""
    arxiv: str = ""
    doi: str = ""
    abstract: str = ""
    sections: tuple[Section, ...] = ()
    references: tuple[Reference, ...] = ()
    format: str = ""  # latex, markdown, text, catalog
    sha256: str = ""
    notices: tuple[str, ...] = ()  # what could not be read, in words


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a paper that can be quoted: *place* reads "abstract", "§3.2 Results", "p. 4" or "eq. 7"."""

    paper: str
    title: str
    year: int | None
    place: str
    text: str
    score: float = 0.0

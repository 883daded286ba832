"""Cuts a paper into passages that can be found and quoted, each with the place where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..papers import Block, Paper, Section
from .sentences import sentences

LONGEST = 1_500  # characters; a paragraph beyond that is cut between sentences
TABLE_ROWS = 12  # rows of a table in one passage, its head repeated in each


@dataclass(frozen=True, slots=True)
class Piece:
    """*pieces* of text that belong together stay whole: sentences, or the rows of a table."""

    place: str
    heading: str
    text: str
    kind: str = "text"


def cut(paper: Paper) -> Iterator[Piece]:
    """Yield the passages of *paper* in reading order."""
    for text in _parts(paper.abstract):
        yield Piece("abstract", "Abstract", text)
    for section in paper.sections:
        before = ""
        captions = {block.number: block.text for block in section.blocks if block.text.startswith("Table")}
        for block in section.blocks:
            yield from _pieces(section, block, before, captions.get(block.number, ""))
            before = block.text if block.kind == "text" else before


def section_place(section: Section) -> str:
    """Return "§3.2 Results"; "§Results" where sections have no numbers."""
    return f"§{section.number} {section.title}".strip() if section.number else f"§{section.title or '0'}"


def block_place(section: Section, block: Block) -> str:
    """Return the most exact place of *block*: "eq. 7", "Table 2", "Fig. 3", else that of its section."""
    page = f"p. {block.page}, " if block.page else ""
    if block.number and block.kind in ("equation", "table"):
        return f"{page}{'eq.' if block.kind == 'equation' else 'Table'} {block.number}"
    if block.number and block.kind == "caption":
        return f"{page}{'Table' if block.text.startswith('Table') else 'Fig.'} {block.number}"
    return page + section_place(section)


def block_text(block: Block) -> str:
    """Return the block as it is shown: equations between ``$$``."""
    return f"$$\n{block.text}\n$$" if block.kind == "equation" else block.text


def _pieces(section: Section, block: Block, before: str, caption: str) -> Iterator[Piece]:
    place = block_place(section, block)
    if block.kind == "equation":
        # an equation alone has no words to be found by: its introduction comes with it
        lead = sentences(before)[-1:] if before else []
        yield Piece(place, section.title, " ".join([*lead, f"$$ {block.text} $$"]), "equation")
    elif block.kind == "table":
        for rows in _tables(block.text):
            # its caption says what the numbers of a table are
            yield Piece(place, f"{section.title}. {caption}" if caption else section.title, rows, "table")
    else:
        for text in _parts(block.text):
            yield Piece(place, section.title, text)


def _parts(text: str) -> Iterator[str]:
    if len(text) <= LONGEST:
        yield from [text] if text.strip() else []
        return
    part: list[str] = []
    for sentence in sentences(text):
        if part and sum(map(len, part)) + len(sentence) > LONGEST:
            yield " ".join(part)
            part = []
        part.append(sentence)
    yield " ".join(part)


def _tables(text: str) -> Iterator[str]:
    head, rows = text.splitlines()[:2], text.splitlines()[2:]
    for at in range(0, max(len(rows), 1), TABLE_ROWS):
        yield "\n".join([*head, *rows[at : at + TABLE_ROWS]])

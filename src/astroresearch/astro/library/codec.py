"""A paper as JSON and back: how the library keeps it."""

import json
from dataclasses import asdict

from ..papers import Block, Paper, Reference, Section


def encode(paper: Paper) -> str:
    return json.dumps(asdict(paper), ensure_ascii=False, separators=(",", ":"))


def decode(text: str) -> Paper:
    """Return the paper that ``encode`` wrote."""
    raw = json.loads(text)
    sections = tuple(_section(section) for section in raw.pop("sections"))
    references = tuple(Reference(**reference) for reference in raw.pop("references"))
    authors, notices = tuple(raw.pop("authors")), tuple(raw.pop("notices"))
    return Paper(**raw, sections=sections, references=references, authors=authors, notices=notices)


def _section(raw: dict[str, object]) -> Section:
    blocks: object = raw.pop("blocks")
    assert isinstance(blocks, list)
    made = tuple(Block(**{**block, "cites": tuple(block["cites"])}) for block in blocks)
    return Section(**{**raw, "blocks": made})  # type: ignore[arg-type]

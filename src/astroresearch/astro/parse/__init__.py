"""From the bytes of a paper to a ``Paper``: LaTeX source, Markdown, plain text; the content decides, not the name."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace

from ...locales import Locale
from ..identifiers import parse_identifier
from ..papers import Paper
from .reading import Reading, UnreadablePaper

__all__ = ["UnreadablePaper", "parse_paper"]

LARGEST = 20_000_000  # bytes; beyond that it is no paper
_LATEX = re.compile(rb"\\(?:documentclass|begin\s*\{document\}|section\*?\s*\{|documentstyle|begin\s*\{equation)")
_HTML = re.compile(rb"\A\s*(?:<!doctype html|<html|<\?xml)", re.IGNORECASE)
_MARKDOWN = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*---\s*\n|^#{1,6} \S", re.MULTILINE)


def parse_paper(data: bytes, name: str, *, files: Mapping[str, bytes] | None = None, locale: Locale = "en") -> Paper:
    """Return the paper in *data*. *name* is its file's name; *files* are those that it may ``\\input`` or cite from.

    What could not be read is said in ``Paper.notices``. Raises ``UnreadablePaper`` with a reason of one line.
    """
    reading = Reading(locale, files or {})
    _refuse(data, reading)
    paper = _parsed(data, name, reading)
    return _named(paper, data, name)


def _refuse(data: bytes, reading: Reading) -> None:
    reason = ""
    if not data.strip():
        reason = "empty"
    elif len(data) > LARGEST:
        reason = "too_large"
    elif b"%PDF-" in data[:1_024]:
        reason = "is_pdf"
    elif data[:2] == b"\x1f\x8b" or data[:4] == b"PK\x03\x04" or data[257:262] == b"ustar":
        reason = "is_archive"
    elif _HTML.match(data[:1_000]):
        reason = "is_html"
    elif data.count(b"\0") > len(data) // 1_000:
        reason = "is_binary"
    if reason:
        raise UnreadablePaper(reading.say(reason))


def _parsed(data: bytes, name: str, reading: Reading) -> Paper:
    # the parsers are imported when one is needed: a search opens the library without them
    if _LATEX.search(data) or name.lower().endswith((".tex", ".ltx", ".latex")):
        from .latex import parse_latex

        return parse_latex(data, name, reading.files, reading)
    from .markdown import parse_markdown, parse_text

    if _MARKDOWN.search(data) or name.lower().endswith((".md", ".markdown")):
        return parse_markdown(data, name, reading.files, reading)
    return parse_text(data, name, reading)


def _named(paper: Paper, data: bytes, name: str) -> Paper:
    """Give the paper its key: an identifier that its file is named by, its DOI, else the name and a bit of its hash."""
    digest = hashlib.sha256(data).hexdigest()
    stem = re.sub(r"\.(?:tex|ltx|latex|md|markdown|txt)$", "", name.rpartition("/")[2], flags=re.IGNORECASE)
    identifier = parse_identifier(stem)
    named = {identifier.kind: identifier.value} if identifier else {}
    slug = re.sub(r"[\W_]+", "-", stem.lower()).strip("-")[:48] or "paper"
    key = (identifier.value if identifier else "") or paper.doi or f"{slug}-{digest[:6]}"
    return replace(
        paper,
        key=key,
        title=paper.title or stem,
        sha256=digest,
        bibcode=named.get("bibcode", ""),
        arxiv=named.get("arxiv", ""),
        doi=named.get("doi", paper.doi),
    )

"""Bibliographies: ``.bib`` text and thebibliography, each entry with the identifiers that it gives."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..identifiers import parse_identifier
from ..papers import Reference
from .source import group_end
from .vocabulary import JOURNALS

_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*([{(])\s*([^\s,{}()=]+)\s*,")
_FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w\-]*)\s*=\s*")
_BARE = re.compile(r"[^\s,{}]+")
_ITEM = re.compile(r"\\bibitem\s*")
_URLS = re.compile(r"(?:https?://|arxiv:\s*|doi:\s*)[^\s{}\\,;]+", re.IGNORECASE)
_WORD = re.compile(r"10\.\d{4,9}/[^\s{},;]+|\b[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7}|\b\d{4}\.\d{4,5}(?:v\d+)?\b")
_LABEL = re.compile(r"\{?(.*?)\}?\((\d{4}[a-z]?)\)", re.DOTALL)
ENTRIES = 5_000


@dataclass(frozen=True, slots=True)
class Entry:
    """*author* and *year* as a citation shows them; "" where the entry does not say."""

    reference: Reference
    author: str = ""
    year: str = ""


def from_bib(text: str, render: Callable[[str], str]) -> Iterator[Entry]:
    """Yield the entries of a ``.bib`` text; *render* turns LaTeX into text."""
    at = 0
    for _ in range(ENTRIES):
        match = _ENTRY.search(text, at)
        if match is None:
            return
        fields, at = _fields(text, match.end())
        if match[1].lower() not in ("string", "comment", "preamble"):
            yield _bib_entry(match[3], fields, render)


def _fields(text: str, at: int) -> tuple[dict[str, str], int]:
    found: dict[str, str] = {}
    while name := _FIELD.match(text, at):
        at = name.end()
        opening = text[at : at + 1]
        if opening == "{":
            end = group_end(text, at)
            value = text[at + 1 : end - 1]
        elif opening == '"':
            end = text.find('"', at + 1) + 1
            value = text[at + 1 : end - 1]
        else:
            bare = _BARE.match(text, at)
            end, value = (bare.end(), bare[0]) if bare else (-1, "")
        if end <= at:
            break
        found.setdefault(name[1].lower(), value)
        at = end
    return found, at


def _bib_entry(key: str, fields: dict[str, str], render: Callable[[str], str]) -> Entry:
    authors = [render(_family(name)) for name in re.split(r"\s+and\s+", fields.get("author", "")) if name.strip()]
    author = _cited_authors(authors)
    year = fields.get("year", fields.get("date", ""))[:4]
    journal = fields.get("journal", fields.get("booktitle", ""))
    journal = JOURNALS.get(journal.strip("\\{} "), render(journal))
    parts = [author, year, render(fields.get("title", "")), journal, fields.get("volume", ""), fields.get("pages", "")]
    given = " ".join(fields.get(name, "") for name in ("doi", "eprint", "adsurl", "url"))
    text = ", ".join(part.strip() for part in parts if part.strip())
    return Entry(_identified(Reference(key, text), given), author, year)


def _family(name: str) -> str:
    name = " ".join(name.split())
    return name.split(",")[0] if "," in name else name if name.startswith("{") else name.split(" ")[-1]


def _cited_authors(authors: list[str]) -> str:
    if len(authors) > 2:
        return f"{authors[0]} et al."
    return " & ".join(authors)


def _identified(reference: Reference, given: str) -> Reference:
    """Put in the bibcode, arXiv id and DOI that *given* holds."""
    found = {"bibcode": reference.bibcode, "arxiv": reference.arxiv, "doi": reference.doi}
    for word in [*_URLS.findall(given), *_WORD.findall(given), *given.split()]:
        identifier = parse_identifier(word.rstrip(".)]}"))
        if identifier and not found[identifier.kind]:
            found[identifier.kind] = identifier.value
    return Reference(reference.key, reference.text, **found)


def from_items(text: str, render: Callable[[str], str]) -> Iterator[Entry]:
    """Yield the entries of a thebibliography environment's inside."""
    for item in _ITEM.split(text)[1 : ENTRIES + 1]:
        label, at = "", 0
        if item.startswith("[") and (end := group_end(item, 0)) > 0:
            label, at = item[1 : end - 1], end
        opening = item.find("{", at)
        end = group_end(item, opening) if opening >= 0 else -1
        if end < 0:
            continue
        key, rest = item[opening + 1 : end - 1].strip(), item[end:]
        author, year = _of_label(label, render)
        yield Entry(_identified(Reference(key, render(rest)), rest), author, year)


def _of_label(label: str, render: Callable[[str], str]) -> tuple[str, str]:
    match = _LABEL.match(label)
    return (render(match[1]).strip(), match[2]) if match else ("", "")

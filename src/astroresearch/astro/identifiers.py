"""Names of papers: bibcode, arXiv id, DOI. Pure: recognises and normalises, never looks anything up.

Grammar of bibcodes: 19 characters ``YYYYJJJJJVVVVMPPPPA`` (ADS); 33 of 684 real ones break it, so the pattern is wider.
arXiv: https://info.arxiv.org/help/arxiv_identifier.html. DOI: case-insensitive (ISO 26324).
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["bibcode", "arxiv", "doi"]

_BIBCODE = re.compile(r"[12]\d{3}[A-Za-z][\w.&+:'\-]{13}[A-Za-z.:]", re.ASCII)
_ARXIV_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v([1-9]\d*))?", re.ASCII)
_ARXIV_OLD = re.compile(r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z]{2})?/(\d{2})(\d{2})(\d{3})(?:v([1-9]\d*))?", re.ASCII)
_DOI = re.compile(r"10\.\d{4,9}/\S+", re.ASCII)
_ARXIV_BIBCODE = re.compile(r"(?:19|20)\d{2}arXiv(\d{4})(\d{4,5})\.?[A-Za-z.]", re.ASCII)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.ASCII | re.IGNORECASE)
_ARXIV_PREFIX = re.compile(
    r"^(?:arxiv\s*:\s*|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format|e-print|src)/)", re.IGNORECASE
)
_DOI_PREFIX = re.compile(r"^(?:doi\s*:\s*|(?:https?://)?(?:dx\.)?doi\.org/)", re.IGNORECASE)
_ADS_PREFIX = re.compile(r"^(?:https?://)?(?:ui\.adsabs\.harvard\.edu|(?:www\.)?scixplorer\.org)/abs/", re.IGNORECASE)
_ARCHIVE_NAMES = (
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga "
    "eess econ funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics "
    "plasm-ph q-alg q-bio q-fin quant-ph solv-int stat supr-con"
)
_ARCHIVES = frozenset(_ARCHIVE_NAMES.split())


@dataclass(frozen=True, slots=True)
class Identifier:
    """*value* is the canonical form: arXiv ids without version or subject class, DOIs in lower case."""

    kind: Kind
    value: str
    version: int | None = None


def parse_identifier(text: str) -> Identifier | None:
    """Return what *text*, as a whole, names; ``None`` if it is no identifier. Accepts prefixes and URLs."""
    text = text.strip()
    return _as_arxiv(text) or _as_doi(text) or _as_bibcode(text)


def _as_bibcode(text: str) -> Identifier | None:
    bare = _ADS_PREFIX.sub("", text)
    if bare != text:
        bare = bare.removesuffix("/abstract").replace("%26", "&")
    return Identifier("bibcode", bare) if _BIBCODE.fullmatch(bare) else None


def _as_doi(text: str) -> Identifier | None:
    bare = _DOI_PREFIX.sub("", text)
    return Identifier("doi", bare.lower()) if _DOI.fullmatch(bare) else None


def _as_arxiv(text: str) -> Identifier | None:
    bare = _ARXIV_PREFIX.sub("", text)
    if found := _ARXIV_DOI.fullmatch(_DOI_PREFIX.sub("", text)):
        bare = found[1]
    bare = bare.removesuffix(".pdf")
    if found := _ARXIV_NEW.fullmatch(bare):
        return _new_arxiv(found[1], found[2], found[3], found[4])
    if (found := _ARXIV_OLD.fullmatch(bare.lower())) and found[1] in _ARCHIVES and "01" <= found[3] <= "12":
        return Identifier("arxiv", f"{found[1]}/{found[2]}{found[3]}{found[4]}", _version(found[5]))
    return None


def _new_arxiv(year: str, month: str, number: str, version: str | None) -> Identifier | None:
    digits = 4 if year + month <= "1412" else 5
    valid = "01" <= month <= "12" and year + month >= "0704" and len(number) == digits
    return Identifier("arxiv", f"{year}{month}.{number}", _version(version)) if valid else None


def _version(text: str | None) -> int | None:
    return int(text) if text else None


def arxiv_of_bibcode(bibcode: str) -> str:
    """Return the arXiv id inside an arXiv bibcode (``2019arXiv190807875X`` -> ``1908.07875``), else ``""``."""
    found = _ARXIV_BIBCODE.fullmatch(bibcode)
    identifier = _as_arxiv(f"{found[1]}.{found[2]}") if found else None
    return identifier.value if identifier else ""

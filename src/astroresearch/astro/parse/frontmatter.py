"""Title, authors, year and abstract of a LaTeX source; they are taken out, so that the rest is the paper's text."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .source import arguments, group_end

Render = Callable[[str], str]
_AUTHOR = re.compile(r"\\author\s*(?=[\[{])")
_TITLE = re.compile(r"\\title\s*(?=[\[{])")
_ABSTRACT = re.compile(r"\\begin\s*\{abstract\}(.*?)(?:\\end\s*\{abstract\}|\Z)", re.DOTALL)
_ABSTRACT_MACRO = re.compile(r"\\abstract\s*(?=\{)")
_DATES = ("pubyear", "published", "accepted", "revised", "received", "date", "copyrightyear")
_YEAR = re.compile(r"(?<!\d)(19[5-9]\d|20[0-4]\d)(?!\d)")
_NOT_A_NAME = re.compile(
    r"\\(?:inst|thanks|altaffilmark|orcidlink|orcid|email|textsuperscript|affiliation|footnote|fnmsep)\s*(?:\[[^\]]*\])?"
    r"\{(?:[^{}]|\{[^{}]*\})*\}|\$\s*\^.*?\$|\^\{[^{}]*\}|\\\\(?:\[[^\]]*\])?|\\fnmsep"
)
_SEPARATOR = re.compile(r"\\and(?![A-Za-z])|\\And(?![A-Za-z])")
_AUTHORS = 3_000


@dataclass(frozen=True, slots=True)
class FrontMatter:
    title: str
    authors: tuple[str, ...]
    year: int | None
    abstract: str  # LaTeX source
    rest: str  # the source without them


def take(text: str, render: Render) -> FrontMatter:
    """Return what the source says of itself. *render* turns a piece of LaTeX into one line of text."""
    title, rest = _first(text, _TITLE, "[{")
    authors, rest = _authors(rest, render)
    abstract, rest = _abstract(rest)
    return FrontMatter(render(title), authors, _year(text), abstract, rest)


def _first(text: str, pattern: re.Pattern[str], shape: str) -> tuple[str, str]:
    match = pattern.search(text)
    if match is None:
        return "", text
    found, end = arguments(text, match.end(), shape)
    return found[-1] or "", text[: match.start()] + text[end:]


def _authors(text: str, render: Render) -> tuple[tuple[str, ...], str]:
    raw: list[str] = []
    rest: list[str] = []
    at = 0
    while (match := _AUTHOR.search(text, at)) and len(raw) < _AUTHORS:
        rest.append(text[at : match.start()])
        found, at = arguments(text, match.end(), "[{")
        at = max(at, match.end())
        raw.append(found[1] or "")
    names = [name for one in raw for name in _names(one, len(raw) == 1)]
    rendered = (render(name).strip(" ,;") for name in names)
    return tuple(name for name in rendered if any(map(str.isalpha, name))), "".join([*rest, text[at:]])


def _names(raw: str, alone: bool) -> list[str]:
    """One \\author may hold all names: parted by \\and, or by commas and "and"."""
    clean = _NOT_A_NAME.sub(" ", raw)
    parts = _SEPARATOR.split(clean)
    if len(parts) == 1 and alone:
        parts = re.split(r",\s*(?:and\s)?|\sand\s|;", clean)
    return [" ".join(part.split()) for part in parts if part.strip()]


def _abstract(text: str) -> tuple[str, str]:
    if match := _ABSTRACT.search(text):
        return match[1], text[: match.start()] + text[match.end() :]
    if match := _ABSTRACT_MACRO.search(text):  # A&A: context, aims, methods, results, conclusions
        at = match.end()
        parts: list[str] = []
        while len(parts) < 5 and text[at : at + 1] == "{" and (end := group_end(text, at)) > 0:
            parts.append(text[at + 1 : end - 1])
            blank = re.compile(r"\s*").match(text, end)
            at = blank.end() if blank else end
        return "\n\n".join(parts), text[: match.start()] + text[at:]
    return "", text


def _year(text: str) -> int | None:
    for name in _DATES:
        found, _ = _first(text, re.compile(rf"\\{name}\s*(?=[\[{{])"), "[{")
        if year := _YEAR.search(found):
            return int(year[1])
    return None

"""The front matter of a Markdown paper: the part of YAML that JOSS papers use; reading it builds nothing."""

import re
from dataclasses import dataclass

from ..identifiers import parse_identifier

_FRONT = re.compile(r"\A\ufeff?\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)(.*)\Z", re.DOTALL)
_KEY = re.compile(r"^([A-Za-z_][\w\- ]{0,60}?)\s*:(?:\s+(.*)|\s*)$")
_ITEM = re.compile(r"^(\s*)-\s+(.*)$")


@dataclass(frozen=True, slots=True)
class FrontYaml:
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    doi: str = ""
    abstract: str = ""
    bibliography: tuple[str, ...] = ()


def front_yaml(text: str) -> tuple[FrontYaml, str]:
    """Return what the front matter says, and the text below it."""
    match = _FRONT.match(text)
    if match is None:
        return FrontYaml(), text
    values, items = _top(match[1].split("\n"))
    doi = parse_identifier(values.get("doi", ""))
    bib = values.get("bibliography", "").strip("[] ")
    return FrontYaml(
        values.get("title", ""),
        tuple(filter(None, map(_name, items.get("authors", items.get("author", [])))))
        or tuple(filter(None, [values.get("author", "")])),
        values.get("date", ""),
        doi.value if doi and doi.kind == "doi" else "",
        values.get("abstract", values.get("summary", "")),
        tuple(file.strip(" '\"") for file in bib.split(",") if file.strip()) + tuple(items.get("bibliography", [])),
    ), match[2]


def _top(lines: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Scalars by key, and lists by key, each item with the lines of its own."""
    values: dict[str, str] = {}
    items: dict[str, list[str]] = {}
    key = ""
    for row in lines:
        top = _KEY.match(row) if row[:1].strip() and not row.startswith("-") else None
        if top:
            key = top[1].strip().lower()
            values[key] = _scalar(top[2] or "")
        elif item := _ITEM.match(row):
            items.setdefault(key, []).append(item[2])
        elif key in items and row.strip():
            items[key][-1] += "\n" + row.strip()
        elif row.strip() and key:
            values[key] = f"{values[key]} {_scalar(row)}".strip()
    return values, items


def _name(item: str) -> str:
    """An author: a name alone, or a mapping with ``name``, or with given names and surname."""
    found = {m[1].strip().lower(): _scalar(m[2] or "") for row in item.split("\n") if (m := _KEY.match(row.strip()))}
    if not found:
        return _scalar(item)
    parts = [found.get(key, "") for key in ("given-names", "given", "dropping-particle", "surname", "family")]
    return found.get("name") or " ".join(filter(None, parts))


def _scalar(text: str) -> str:
    text = text.strip()
    if text[:1] in ("'", '"') and text.endswith(text[0]) and len(text) > 1:
        quote = text[0]
        return text[1:-1].replace(quote * 2, quote) if quote == "'" else text[1:-1].replace('\\"', '"')
    return "" if text in (">", "|", ">-", "|-") else text.removesuffix("#").strip()

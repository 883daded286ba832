"""Citations as natbib prints them: names and years where the bibliography is known, the keys where it is not."""

from dataclasses import dataclass, field

from ..papers import Reference
from .vocabulary import BARE_CITES, TEXTUAL_CITES


@dataclass(slots=True)
class Cites:
    """*known*: entries of the bibliography; *names*: key -> (author, year) as a citation shows them."""

    known: dict[str, Reference] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    _cited: dict[str, None] = field(default_factory=dict)

    def cited(self, keys: list[str]) -> None:
        self._cited.update(dict.fromkeys(key for key in keys if key != "*"))

    def text(self, command: str, keys: list[str], before: str, after: str) -> str:
        """Return "Smith & Jones (2020)", "(Smith 2020; Jones 2021)"; the key where the entry is not known."""
        textual, bare = command in TEXTUAL_CITES, command in BARE_CITES
        if textual and not bare:
            return "; ".join(self._textual(key, before, after) for key in keys)
        year_only = command in ("citeyear", "citeyearpar")
        listed = "; ".join(self._one(key, command.lower().startswith("citeauthor"), year_only) for key in keys)
        inside = f"{before + ' ' if before else ''}{listed}{', ' + after if after else ''}"
        return inside if bare or command == "citeyear" else f"({inside})"

    def _one(self, key: str, author_only: bool, year_only: bool) -> str:
        if key not in self.names:
            return key
        author, year = self.names[key]
        return author if author_only else year if year_only else f"{author} {year}"

    def _textual(self, key: str, before: str, after: str) -> str:
        author, year = self.names.get(key, (key, ""))
        inside = ", ".join(part for part in (f"{before} {year}".strip(), after) if part)
        return f"{author} ({inside})" if inside else author

    def references(self) -> tuple[Reference, ...]:
        """Return the whole bibliography, then what is cited and not in it, by its key alone."""
        missing = tuple(Reference(key) for key in self._cited if key not in self.known)
        return tuple(self.known.values()) + missing

    @property
    def missing(self) -> list[str]:
        return [key for key in self._cited if key not in self.known]

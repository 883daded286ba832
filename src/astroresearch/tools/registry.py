"""The tools that an agent has, by name."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from .base import Tool


class Registry:
    """Tools by name. What it renders is sorted by name, so that two builds are byte-identical (R1.2)."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        """Add *tool*; ``ValueError`` if the name is taken, since the model could not tell the two apart."""
        if tool.name in self._tools:
            raise ValueError(f"there is already a tool named {tool.name!r}")
        self._tools[tool.name] = tool

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(sorted(self._tools.values(), key=lambda tool: tool.name))

    def __len__(self) -> int:
        return len(self._tools)

    def subset(self, names: Iterable[str]) -> "Registry":
        """Return a registry of the named tools; ``KeyError`` for a name that is not there."""
        return Registry(self._tools[name] for name in names)

    def near(self, name: str) -> tuple[str, ...]:
        """Return up to three names that *name* may have meant, the nearest first."""
        folded = {_fold(known): known for known in sorted(self._tools)}
        wanted = _fold(name)
        close = get_close_matches(wanted, folded, n=3, cutoff=0.6)
        parts = [fold for fold in folded if wanted and (wanted in fold or fold in wanted)]
        return tuple(folded[fold] for fold in dict.fromkeys([*close, *parts]))[:3]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._tools))

    @property
    def schemas(self) -> tuple[Mapping[str, object], ...]:
        """The function schemas for a request."""
        return tuple(tool.schema for tool in self)

    @property
    def prompt(self) -> str:
        """One line a tool for the system prompt, about 20 tokens each (R1.3)."""
        return "\n".join(f"{tool.name}: {tool.summary}" for tool in self)


def _fold(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_").replace(".", "_")

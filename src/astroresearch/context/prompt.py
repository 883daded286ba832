"""The system prompt from sections: static ones first, so that the provider's prompt cache hits (S1.2, R1.2)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Section:
    """*render* returns the section's text; an empty text leaves the section out."""

    name: str
    kind: Literal["static", "dynamic"]
    render: Callable[[], str]


def assemble(sections: Iterable[Section]) -> str:
    """Return the system prompt: static sections, then dynamic ones, each group in the order given."""
    ordered = sorted(sections, key=lambda section: section.kind == "dynamic")
    texts = (section.render().strip() for section in ordered)
    return "\n\n".join(text for text in texts if text)

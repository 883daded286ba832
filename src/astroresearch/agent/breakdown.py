"""What fills a session's window, by kind (interface.md ``context ID``)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from ..context.tokens import estimate_message, estimate_text
from ..context.view import Item
from .ports import Ports

PARTS = ("system", "tools", "skills", "memory", "history", "tool_results", "files", "summaries")


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All numbers are tokens as the model would count them; *parts* has every name of ``PARTS``."""

    window: int
    reserve: int
    parts: Mapping[str, int]
    messages: int
    references: tuple[str, ...]

    @property
    def used(self) -> int:
        return sum(self.parts.values())

    @property
    def free(self) -> int:
        return max(self.window - self.reserve - self.used, 0)


def breakdown(ports: Ports) -> Breakdown:
    """Return what the next request of this session would be made of."""
    window = ports.journal.window
    raw = dict.fromkeys(PARTS, 0)
    raw["system"] = estimate_message(ports.system)
    raw["tools"] = sum(estimate_text(json.dumps(schema, ensure_ascii=False)) for schema in ports.schemas)
    for item in window.view:
        raw[_part(item)] += item.tokens
    scale = window.tokens / max(window.raw_tokens, 1)
    parts = {name: round(tokens * scale) for name, tokens in raw.items()}
    return Breakdown(window.limits.window, window.limits.reserve, parts, len(window.view), window.references)


def _part(item: Item) -> str:
    if item.kind == "state" or item.message.origin == "summary":
        return "summaries"
    if item.message.origin == "restored":
        return "files"
    return "tool_results" if item.message.role == "tool" else "history"

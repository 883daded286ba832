"""When to compact and what may go, as data (R3.15). ``document``: the document's numbers; ``adaptive``: ours."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from .tokens import IMAGE_TOKENS

Clearing: TypeAlias = Literal["never", "stale_only", "normal", "eager"]
LAYERS = ("stale", "snip", "micro", "auto", "aggressive", "arguments", "identity")

NEVER_CLEARED: Mapping[str, Clearing] = {
    "todo_write": "never",
    "TodoWrite": "never",
    "ask_user": "never",
    "delegate_research": "never",
    "save_memory": "never",
    "search_library": "eager",
    "search_ads": "eager",
    "search_arxiv": "eager",
}


class InvalidPolicy(ValueError):
    """A policy that can't be: the message names the field, what was given and what is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Every number of a context policy. Shares are fractions of the limit at which compaction starts.

    *order* lists the layers as they run; after each the pipeline stops if the view is below the low-water mark.
    """

    name: str = "document"
    order: tuple[str, ...] = ("snip", "micro", "auto", "aggressive", "identity")
    soft_limit: int | None = (
        32_000  # tokens of a request at which compaction starts; None: limit_share of what is usable
    )
    limit_share: float = 0.85
    low_water: float = 0.6  # a compaction goes down to this share of the limit, so that the prefix then stays (R3.14)
    max_messages: int = 50
    head_keep: int = 3
    keep_recent: int = 8  # results that micro keeps
    keep_recent_aggressive: int = 2
    keep_share: float = 0.0  # micro also keeps the newest results up to this share, however many they are
    keep_share_aggressive: float = 0.0
    tail_share: float = 0.25  # what stays whole behind a summary
    summary_chars: int = 500
    state_min: int = 1_000  # tokens of the state block that code fills
    state_share: float = 0.02  # of the window
    state_max: int = 8_000
    blocks: int = 1  # state blocks that may stand side by side before they are merged into one
    ledger_share: float = 0.0  # of the limit: what the state block may take where sessions are long
    ledger_min: int = 0  # tokens
    ledger_max: int = 10_000
    ledger_cap: float = 0.3  # of the limit, above all
    user_share: float = 0.2  # user messages stay verbatim while all of them take less (R3.11)
    direct: bool = False  # skip the clearing layers where they can't reach the mark: the summary takes all of it anyway
    early: bool = False  # compact before the limit where the price says so
    min_reclaim: float = 0.0  # an early compaction must give back at least this share of the limit
    boundary_share: float = 1.0  # of the limit, above which a finished piece of work is a good moment to compact
    cached_price: float = 0.1  # of an uncached token
    protect_last: int = 2  # results that no layer but the emergency touches
    image_tokens: int = IMAGE_TOKENS
    clearing: Mapping[str, Clearing] = field(default_factory=lambda: NEVER_CLEARED)

    def __post_init__(self) -> None:
        for name in self.order:
            if name not in LAYERS:
                raise InvalidPolicy(f"order: unknown layer {name!r}; known are {', '.join(LAYERS)}")
        for name in ("limit_share", "low_water", "tail_share", "user_share"):
            if not 0 < getattr(self, name) <= 1:
                raise InvalidPolicy(f"{name} must be above 0 and at most 1, not {getattr(self, name)!r}")
        if self.max_messages < self.head_keep + 2:
            raise InvalidPolicy(f"max_messages must be at least head_keep + 2 = {self.head_keep + 2}")
        if self.soft_limit is not None and self.soft_limit < 1:
            raise InvalidPolicy(f"soft_limit must be positive, not {self.soft_limit}")

    @classmethod
    def document(cls, **changes: Any) -> "Policy":
        """The document's numbers and order (S3)."""
        return cls(**changes)

    @classmethod
    def adaptive(cls, **changes: Any) -> "Policy":
        """Thresholds as shares of the window, kept by tokens, cut when the price says so."""
        defaults: dict[str, Any] = {
            "name": "adaptive",
            "order": ("stale", "micro", "aggressive", "arguments", "auto", "identity"),
            "soft_limit": None,
            "low_water": 0.1,
            "keep_recent": 2,
            "keep_share": 0.2,
            "keep_share_aggressive": 0.05,
            "tail_share": 0.04,
            "blocks": 4,
            "ledger_share": 0.12,
            "ledger_min": 8_000,
            "ledger_max": 12_000,
            "ledger_cap": 0.4,
            "direct": True,
            "early": True,
            "min_reclaim": 0.1,
            "boundary_share": 0.6,
        }
        return cls(**{**defaults, **changes})

    @classmethod
    def named(cls, name: str, /, **changes: Any) -> "Policy":
        """Return the policy called *name*."""
        if name not in ("document", "adaptive"):
            raise InvalidPolicy(f"unknown policy {name!r}; known are document, adaptive, or a file")
        return cls.document(**changes) if name == "document" else cls.adaptive(**changes)

    @classmethod
    def parse(cls, text: str) -> "Policy":
        """Read a policy from TOML or JSON: ``base`` names the policy that the other fields change."""
        try:
            given = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
        except ValueError as error:
            raise InvalidPolicy(f"neither TOML nor JSON: {error}") from None
        base = given.pop("base", "adaptive")
        known = {f.name for f in fields(cls)}
        for name in given:
            if name not in known:
                raise InvalidPolicy(f"unknown field {name!r}; known are {', '.join(sorted(known))}")
        if "order" in given:
            given["order"] = tuple(given["order"])
        if "clearing" in given:
            given["clearing"] = {**NEVER_CLEARED, **given["clearing"]}
        try:
            return cls.named(str(base), **given)
        except TypeError as error:
            raise InvalidPolicy(str(error)) from None

    def rule_for(self, tool: str) -> Clearing:
        return self.clearing.get(tool, "normal")

"""AstroResearch: a research agent for astronomers that never loses the thread."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_LAZY = {"Engine": "astroresearch.context", "Policy": "astroresearch.context"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

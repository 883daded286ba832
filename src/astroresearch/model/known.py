"""What is known of models' windows and prices: only what the provider's own page says, as read on ``READ_ON``.

Everything else is None: the caller takes AGENT_CONTEXT_WINDOW, which beats this table where the user set it, and learns
the true window from the provider's first error.
"""

import re
from dataclasses import dataclass

READ_ON = "2026-12-01"  # providers change their prices; a stored copy of each page was read on or before this day


@dataclass(frozen=True, slots=True)
class Known:
    """*window* and *max_output* in tokens; prices in US dollars per million tokens, None where the page names none."""

    window: int
    max_output: int
    uncached: float | None = None
    cached: float | None = None
    output: float | None = None
    source: str = ""


_CLAUDE = "platform.claude.com/docs/models"
_OPENAI = "developers.openai.com/api/docs/models"
_TABLE = {
    "claude-fable-5-1": Known(1_000_000, 128_000, 10.0, None, 50.0, _CLAUDE),
    "claude-opus-5-5": Known(1_000_000, 128_000, 4.0, 0.20, 20.0, _CLAUDE),
    "claude-opus-5": Known(1_000_000, 128_000, 5.0, 0.50, 25.0, _CLAUDE),
    "claude-sonnet-5": Known(1_000_000, 128_000, 2.0, None, 10.0, _CLAUDE),
    "claude-haiku-4-5": Known(200_000, 64_000, 1.0, None, 5.0, _CLAUDE),
    "gpt-5.6-luna": Known(1_050_000, 128_000, 0.20, 0.02, 1.20, _OPENAI),
    "gpt-4": Known(8_192, 8_192, 30.0, None, 60.0, _OPENAI),
}
_DATED = re.compile(r"-\d{4}-?\d{2}-?\d{2}$|-latest$")


def known(model: str) -> Known | None:
    """Return what is known of a model (``NAME`` or ``provider/NAME``, with or without a date at its end), or None."""
    name = model.rpartition("/")[2].lower()
    return _TABLE.get(name) or _TABLE.get(_DATED.sub("", name))


def names() -> tuple[str, ...]:
    return tuple(_TABLE)

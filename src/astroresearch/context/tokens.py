"""How many tokens a text takes: an estimate in O(1) to O(length) that reported usage corrects (R3.16, S3.2).

A tokenizer would be exact for one vocabulary and a heavy dependency; here every class of characters has a price, fitted
to two real vocabularies (``benchmarks/tokens.py`` prints the errors), and a model's own ``prompt_tokens`` scale it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeAlias

from .messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult

Counter: TypeAlias = Callable[[Message], int]

MESSAGE_TOKENS = 4  # the envelope of a message in every chat format we measured
CALL_TOKENS = 8  # the envelope of a tool call: id, type, braces
IMAGE_TOKENS = 1_600
MARGIN = 1.1  # on what came since the last report: kinds of text differ by about so much in one vocabulary
SLOWLY = 0.1
SMALLEST_STEP = 50  # raw tokens between two reports that are enough to learn from

_BEYOND_ASCII = bytes(range(128, 256))
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = b"0123456789"
_BLANKS = b" \n\t\r"
# Tokens a character, fitted to two vocabularies (o200k_base, SmolLM2) on papers, LaTeX, JSON, code and Chinese:
# a blank stands for the word that it begins; digits and wide characters are where vocabularies differ most.
_PRICES = {"letter": 0.195, "digit": 1.1, "blank": 0.25, "mark": 0.53, "wide": 1.0, "narrow": 1.2}
_WIDE_BYTES = 2.5  # bytes of UTF-8 a character, above which a text beyond ASCII counts as Chinese and the like


def estimate_text(text: str) -> int:
    """Return about how many tokens *text* takes."""
    if not text:
        return 0
    if text.isascii():
        return int(_ascii_tokens(text.encode("ascii"))) + 1
    data = text.encode("utf-8", "replace")
    plain = data.translate(None, _BEYOND_ASCII)
    characters = len(text) - len(plain)
    wide = len(data) - len(plain) > _WIDE_BYTES * characters
    return int(_ascii_tokens(plain) + characters * _PRICES["wide" if wide else "narrow"]) + 1


def _ascii_tokens(data: bytes) -> float:
    """Each pass reads only what the one before left over: most text is letters."""
    rest = data.translate(None, _LETTERS)
    dense = rest.translate(None, _BLANKS)
    marks = len(dense.translate(None, _DIGITS))
    return (
        (len(data) - len(rest)) * _PRICES["letter"]
        + (len(rest) - len(dense)) * _PRICES["blank"]
        + (len(dense) - marks) * _PRICES["digit"]
        + marks * _PRICES["mark"]
    )


def estimate_message(message: Message, image_tokens: int = IMAGE_TOKENS) -> int:
    """Return about how many tokens *message* takes on the wire; an image costs *image_tokens* whatever its bytes."""
    return MESSAGE_TOKENS + sum(_part(p, image_tokens) for p in message.parts)


def _part(part: Part, image_tokens: int) -> int:
    match part:
        case Text(text) | Thinking(text) | ToolResult(text=text):
            return estimate_text(text)
        case ToolCall(_, name, arguments):
            return CALL_TOKENS + estimate_text(name) + estimate_text(arguments)
        case Media():
            return image_tokens


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a model's reported ``prompt_tokens`` taught: the last report is exact, what came since is estimated (S3.2).

    *scale*: reported by estimated, of whole requests; *growth*: the same of what was added between two reports: it
    rises at once and falls slowly, since texts differ and an undercount overflows; *raw* and *reported*: the last
    request, 0 if none is of this view.
    """

    scale: float = 1.0
    growth: float = 1.0
    reports: int = 0
    raw: int = 0
    reported: int = 0

    @property
    def safe(self) -> float:
        """The factor for a view that was never reported: the larger one, since an undercount overflows."""
        return max(self.scale, self.growth)

    def apply(self, raw: int) -> int:
        """Return what the model would count for a request of *raw* estimated tokens."""
        if self.reported and raw >= self.raw:
            return self.reported + ceil((raw - self.raw) * self.growth * MARGIN)
        return ceil(raw * self.safe)

    def observe(self, raw: int, reported: int) -> "Calibration":
        """Return the calibration after a request of *raw* estimated tokens was reported as *reported*."""
        if raw <= 0 or reported <= 0:
            return self
        scale = _bounded(reported / raw)
        growth = scale
        if self.reported and raw - self.raw >= SMALLEST_STEP and reported > self.reported:
            seen = _bounded((reported - self.reported) / (raw - self.raw))
            growth = max(seen, self.growth + SLOWLY * (seen - self.growth))
        elif self.reports:
            growth = self.growth
        return Calibration(scale, growth, self.reports + 1, raw, reported)

    def forget(self) -> "Calibration":
        """Return the calibration after the view was changed: usage reported before says nothing of it."""
        return replace(self, raw=0, reported=0)


def _bounded(factor: float) -> float:
    return min(max(factor, 0.25), 4.0)

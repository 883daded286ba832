"""How many tokens a text takes: an estimate in O(1) to O(length) that reported usage corrects (R3.16, S3.2).

A tokenizer would be exact for one vocabulary and a heavy dependency; here every class of characters has a price, fitted
to two real vocabularies (``benchmarks/tokens.py`` prints the errors), and a model's own ``prompt_tokens`` scale it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from .messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult

Counter: TypeAlias = Callable[[Message], int]

MESSAGE_TOKENS = 4  # the envelope of a message in every chat format we measured
CALL_TOKENS = 8  # the envelope of a tool call: id, type, braces
IMAGE_TOKENS = 1_600

_BEYOND_ASCII = bytes(range(128, 256))
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = b"0123456789"
_BLANKS = b" \n\t\r"
_PRICES = {"letter": 0.20, "digit": 0.50, "blank": 0.06, "mark": 0.50, "wide_byte": 0.23, "narrow_byte": 0.30}


def estimate_text(text: str) -> int:
    """Return about how many tokens *text* takes."""
    if not text:
        return 0
    if text.isascii():
        return int(_ascii_tokens(text.encode("ascii"))) + 1
    data = text.encode("utf-8", "replace")
    plain = data.translate(None, _BEYOND_ASCII)
    beyond = len(data) - len(plain)
    characters = len(text) - len(plain)
    price = _PRICES["wide_byte"] if beyond > 2.5 * characters else _PRICES["narrow_byte"]
    return int(_ascii_tokens(plain) + beyond * price) + 1


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
    return MESSAGE_TOKENS + sum(_part(p, image_tokens, estimate_text) for p in message.parts)


def chars4(message: Message, image_tokens: int = IMAGE_TOKENS) -> int:
    """Four characters a token: the common rule of thumb, for comparisons with others."""
    return MESSAGE_TOKENS + sum(_part(p, image_tokens, lambda text: len(text) // 4) for p in message.parts)


def _part(part: Part, image_tokens: int, count: Callable[[str], int]) -> int:
    match part:
        case Text(text) | Thinking(text):
            return count(text)
        case ToolResult(text=text):
            return count(text)
        case ToolCall(_, name, arguments):
            return CALL_TOKENS + count(name) + count(arguments)
        case Media():
            return image_tokens


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a model's reported ``prompt_tokens`` taught: *scale* multiplies every estimate.

    The scale follows the reports at once upwards, since an undercount overflows, and slowly downwards.
    """

    scale: float = 1.0
    reports: int = 0

    def apply(self, estimate: int) -> int:
        return int(estimate * self.scale + 0.999)

    def observe(self, estimate: int, reported: int) -> "Calibration":
        """Return the calibration after a request of *estimate* raw tokens was reported as *reported*."""
        if estimate <= 0 or reported <= 0:
            return self
        seen = min(max(reported / estimate, 0.25), 4.0)
        if not self.reports:
            return Calibration(seen, 1)
        weight = 0.5 if seen > self.scale else 0.2
        return replace(self, scale=self.scale + weight * (seen - self.scale), reports=self.reports + 1)

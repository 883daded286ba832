"""A question as it comes in, from an argument or from stdin, checked before anything is started for it."""

import sys
import unicodedata

from .failures import Stop
from .words import t

LONGEST = 200_000  # characters
MOSTLY = 0.1  # share of control characters from which on it is no text


def read(argument: str) -> str:
    """Return the question; "-" reads stdin. Raises ``Stop`` with what is wrong with it."""
    return checked(_stdin() if argument == "-" else argument)


def _stdin() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise Stop(2, t("question_no_stdin"))
    try:
        return sys.stdin.buffer.read(4 * LONGEST + 1).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Stop(2, t("question_not_utf8", at=error.start)) from None


def checked(text: str) -> str:
    """Return *text* fit to be asked: normalised line ends, no control characters."""
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise Stop(2, t("question_not_utf8", at=next(k for k, c in enumerate(text) if "\ud800" <= c <= "\udfff")))
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > LONGEST:
        raise Stop(2, t("question_long", count=len(text), most=LONGEST))
    kept = "".join(c for c in text if unicodedata.category(c) != "Cc" or c in "\n\t")
    if len(text) - len(kept) > MOSTLY * len(text):
        raise Stop(2, t("question_binary"))
    if not any(unicodedata.category(c)[0] in "LNSP" for c in kept):
        raise Stop(2, t("question_empty"))
    return kept

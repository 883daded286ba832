"""Every text that a model or a person reads, in Chinese and English.

One module a room and a language (``locales/en/tools.py``), each with ``TEXTS``: key -> ``str.format`` template. A room
is imported the first time one of its texts is asked for, so a command pays only for what it says.
"""

from functools import cache
from importlib import import_module
from typing import Literal

Locale = Literal["zh", "en"]
LOCALES: tuple[Locale, ...] = ("zh", "en")


@cache
def texts(locale: Locale, room: str) -> dict[str, str]:
    """Return all templates of one room."""
    module = import_module(f"{__name__}.{locale}.{room}")
    found: dict[str, str] = module.TEXTS
    return found


def say(locale: Locale, key: str, /, **values: object) -> str:
    """Return the text ``room.name`` in *locale* with *values* filled in; ``KeyError`` if there is no such text."""
    room, _, name = key.partition(".")
    template = texts(locale, room)[name]
    return template.format(**values) if values else template


def language_of(text: str) -> Locale:
    """Return the language of a question: Chinese if a tenth of its letters are Chinese characters (R1.5)."""
    letters = [c for c in text if c.isalpha()]
    chinese = sum("\u4e00" <= c <= "\u9fff" for c in letters)
    return "zh" if letters and chinese * 10 >= len(letters) else "en"

"""What the command line says, in the language of AGENT_LOCALE or else of the terminal."""

import os
from functools import cache

from ..locales import Locale, say


@cache
def language() -> Locale:
    """Return the language for everything that no session decides."""
    asked = os.environ.get("AGENT_LOCALE", "")
    if asked in ("zh", "en"):
        return "zh" if asked == "zh" else "en"
    lang = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "zh" if lang.startswith("zh") else "en"


def t(key: str, /, **values: object) -> str:
    return say(language(), f"cli.{key}", **values)

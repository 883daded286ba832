"""How documents and events are written where not every terminal can show every character."""

import json
import sys


def plain_ascii() -> bool:
    """Return whether stdout takes no more than ASCII for sure; JSON then escapes the rest without loss."""
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"


def as_json_text(document: object) -> str:
    return json.dumps(document, ensure_ascii=plain_ascii(), indent=1, default=str)

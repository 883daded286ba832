"""How calls and results look in events: short, printable, in the public vocabulary."""

import json
from collections.abc import Mapping

from ..context.messages import Status, ToolCall

PREVIEW = 200  # characters
_PUBLIC: Mapping[Status, str] = {"cancelled": "skipped", "interrupted": "error"}


def public_status(status: Status) -> str:
    """Return the status as ``tool_result`` events name it: ok, error, skipped or denied."""
    return _PUBLIC.get(status, status)


def preview_of(text: str) -> str:
    """Return the beginning of *text* in one line."""
    line = " ".join(text[: 4 * PREVIEW].split())
    return line if len(line) <= PREVIEW else line[: PREVIEW - 1] + "…"


def arguments_of(call: ToolCall) -> object:
    """Return a call's arguments decoded, or the text itself where the model wrote no valid JSON."""
    try:
        return json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return call.arguments

"""What of a long tool result the model is shown. The transcript keeps the whole text; this only makes the view."""

from ..locales import Locale, say

HEAD_SHARE = 0.75  # a result's beginning says what it is, its end where it goes on
ERROR_HEAD_SHARE = 0.25  # an error's cause stands in its last lines


def shown(text: str, limit: int, ref: str, locale: Locale, *, error: bool = False) -> str:
    """Return *text*, or its beginning and end around one line that says what is left out and how to recall it.

    The answer has at most *limit* characters as long as *limit* holds that line; cuts fall on line ends where a line
    ends within the last half of what fits. *ref* (``m42``) names the whole; without it the line says only how much.
    """
    if len(text) <= limit:
        return text
    room = max(limit - len(_notice(len(text), len(text), ref, locale)) - 2, 0)
    share = ERROR_HEAD_SHARE if error else HEAD_SHARE
    head = _head(text, int(room * share))
    tail = _tail(text, room - len(head) if error else room - int(room * share))
    notice = _notice(len(text) - len(head) - len(tail), len(text), ref, locale)
    return "\n".join(part for part in (head, notice, tail) if part)


def _notice(cut: int, total: int, ref: str, locale: Locale) -> str:
    key = "tools.cut_recall" if ref else "tools.cut"
    return say(locale, key, cut=cut, total=total, ref=ref)


def _head(text: str, room: int) -> str:
    end = text.rfind("\n", room // 2, room + 1)
    return text[: end if end > 0 else room].rstrip("\n")


def _tail(text: str, room: int) -> str:
    if room <= 0:
        return ""
    start = len(text) - room
    line = text.find("\n", start - 1, len(text) - room // 2)
    return text[line + 1 if line >= 0 else start :].lstrip("\n")

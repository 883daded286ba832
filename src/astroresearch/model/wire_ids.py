"""Call ids on the wire: unique there, while the stored history keeps what the provider gave.

Some servers number their calls anew in each turn or send one constant id. An id is only unique within the results that
follow one assistant message: a call arms it, a result consumes it. The first use of an id keeps it on the wire, a later
one gets a suffix on the call and on its result; the suffix depends only on what came before, so prefixes are stable.
"""

import hashlib
import re
from collections import defaultdict, deque
from collections.abc import Callable

from ..context.messages import History, Message
from ..locales import say
from .faults import ModelFailure, noticed

Restyle = Callable[[str], str]
_LONGEST = 40


def plain_id(id: str) -> str:
    """Return *id* in the characters and the length that every provider takes."""
    clean = re.sub(r"[^A-Za-z0-9_-]", "_", id)
    return clean if len(clean) <= _LONGEST else f"{clean[:27]}_{_digest(id)[:12]}"


def nine_letters(id: str) -> str:
    """Return an id of nine letters and digits; one that is so already stays."""
    return id if re.fullmatch(r"[A-Za-z0-9]{9}", id) else _digest(id)[:9]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class WireIds:
    """Walks a history once; *restyle* gives an id the form that the provider wants."""

    def __init__(self, restyle: Restyle = plain_id) -> None:
        self._restyle = restyle
        self._taken: set[str] = set()
        self._armed: defaultdict[str, deque[str]] = defaultdict(deque)

    def call(self, id: str) -> str:
        wire, number = self._restyle(id or "call"), 1
        while wire in self._taken:
            number += 1
            wire = self._restyle(f"{id or 'call'}_{number}")
        self._taken.add(wire)
        self._armed[id].append(wire)
        return wire

    def result(self, id: str) -> str:
        """Return the wire id of the oldest open call with *id*; ``KeyError`` if there is none."""
        if not self._armed[id]:
            raise KeyError(id)
        return self._armed[id].popleft()

    @property
    def open(self) -> list[str]:
        return [id for id, wires in self._armed.items() if wires]


def check_pairs(history: History) -> None:
    """Raise ``ModelFailure`` (InvalidRequest) naming the message whose call or result stands alone.

    Providers refuse such a history for good, so it is better known before it is sent.
    """
    open_calls: deque[str] = deque()
    for index, message in enumerate(history):
        if message.role == "tool":
            _answer(open_calls, message, index)
            continue
        if open_calls:
            raise _invalid("open_call", index, open_calls[0])
        open_calls.extend(call.id for call in message.calls)
    if open_calls:
        raise _invalid("open_call", len(history), open_calls[0])


def _answer(open_calls: deque[str], message: Message, index: int) -> None:
    result = message.result
    if result is None or result.call_id not in open_calls:
        raise _invalid("orphan_result", index, result.call_id if result else "")
    open_calls.remove(result.call_id)


def _invalid(what: str, index: int, id: str) -> ModelFailure:
    return ModelFailure(noticed("history", say("en", f"model.detail_{what}", index=index, id=id)))

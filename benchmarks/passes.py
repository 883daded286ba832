"""How long one pass over a whole history takes, and how that grows with its length."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from .histories import History, synthetic
from .line import Refused, line_to
from .managers import Peer

SIZES = {1_001: 494, 10_001: 4_994, 100_001: 49_994}  # messages -> calls
REPEATS = {1_001: 7, 10_001: 3, 100_001: 1}
PATIENCE = {1_001: 120.0, 10_001: 120.0, 100_001: 300.0}  # seconds, what it takes to build the peer's objects included
OURS = (
    Peer("astroresearch adaptive, no summariser", "astroresearch", "adaptive"),
    Peer("astroresearch adaptive", "astroresearch", "adaptive+summary"),
    Peer("astroresearch document, no summariser", "astroresearch", "document"),
)


@dataclass(frozen=True, slots=True)
class Pass:
    """*seconds*: CPU time of each repetition. *seen*: how many of the *needles* the summariser saw."""

    manager: str
    messages: int
    seconds: tuple[float, ...] = ()
    seen: int = 0
    needles: int = 0
    task_kept: bool = False
    refused: str = ""

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def middle(self) -> float:
        return median(self.seconds)


def passes(peers: list[Peer], sizes: list[int]) -> Iterator[Pass]:
    """Yield a pass of every manager at every size, smallest first; who failed at one size is not asked for the next."""
    failed: dict[str, str] = {}
    for size in sizes:
        history = synthetic(SIZES[size])
        for peer in (*OURS, *peers):
            found = _pass(peer, history, size) if peer.name not in failed else None
            found = found or Pass(peer.name, size, refused=f"not asked: {failed[peer.name]} at a smaller size")
            if found.refused:
                failed.setdefault(peer.name, found.refused)
            yield found


def _pass(peer: Peer, history: History, size: int) -> Pass:
    order = {**peer.order(history), "mode": "pass", "repeats": REPEATS[size], "patience": PATIENCE[size] / 2}
    try:
        [answer] = line_to(peer.folder).ask(order, PATIENCE[size])
    except Refused as error:
        return Pass(peer.name, size, refused=str(error))
    finally:
        line_to(peer.folder).stop()  # a fresh process for each, so that nobody runs on a heap full of another's objects
    seen = "\n".join(answer["seen"])
    question = next(m["content"] for m in history.messages if m["role"] == "user")
    return Pass(
        peer.name,
        size,
        tuple(answer["seconds"]),
        sum(needle in seen for needle in history.needles),
        len(history.needles),
        any(question in text for text in _texts(answer["view"])),
    )


def _texts(view: list[dict[str, Any]]) -> Iterator[str]:
    for message in view:
        yield message["content"]
        for call in message.get("tool_calls", ()):
            yield call["function"]["arguments"]

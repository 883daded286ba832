"""The peers' side of the benchmark: a manager behind JSON lines on stdin and stdout, in its own environment.

A peer script gives a ``Peer`` class; ``serve`` runs it in one of two modes. ``pass``: the whole history once, timed on
native objects. ``grow``: the history call by call, each request written as what changed since the last one.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

Plain = dict[str, Any]  # an OpenAI-style chat message
SUMMARY = ("The work so far: results were read, compared and noted, and the next step follows. " * 7)[:500]


@dataclass
class Spending:
    """What the fake summariser was asked: characters in and out, and the text it saw."""

    calls: list[tuple[int, int]] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)

    def summarise(self, prompt: str) -> str:
        self.calls.append((len(prompt), len(SUMMARY)))
        self.seen.append(prompt)
        return SUMMARY


@dataclass(frozen=True)
class Setup:
    """*variant*: which of the peer's managers is meant. *limit*: the window in tokens that it is told of.

    *hold*: if given, the tokens at which it shall begin, instead of its own share of the window; *limit* is then the
    window of which that is 85 %, for those that take no such number.
    """

    variant: str
    limit: int
    hold: int | None
    spending: Spending


class Peer(Protocol):
    kept: dict[str, str]
    """Originals that the model could read again: the key as it stands in the view, and the text under it."""

    def native(self, messages: list[Plain]) -> list[Any]: ...

    def manage(self, new: list[Any]) -> list[Any]:
        """Take the messages that are new since the last call; return the view that the model would be sent."""
        ...

    def plain(self, view: list[Any]) -> list[Plain]: ...


def serve(build: Callable[[Setup], Peer]) -> None:
    """Answer the orders on stdin, one a line; a failure of the peer is an answer too."""
    sys.stdout, out = sys.stderr, sys.stdout  # what a library prints must not mix with the answers
    for text in sys.stdin:
        order = json.loads(text)
        run = _passes if order["mode"] == "pass" else _growing
        try:
            for line in run(build, order):
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
        except Exception as error:  # the boundary: whatever a peer raises is its result
            out.write(json.dumps({"failed": f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]}) + "\n")
        out.write('{"end": true}\n')
        out.flush()


def _passes(build: Callable[[Setup], Peer], order: dict[str, Any]) -> Iterable[dict[str, Any]]:
    seconds: list[float] = []
    for _ in range(order["repeats"]):
        spending = Spending()
        peer = build(Setup(order["variant"], order["limit"], order["hold"], spending))
        new = peer.native(order["messages"])
        start = time.process_time()  # of this process alone, so that whatever else runs here does not count
        view = peer.manage(new)
        seconds.append(time.process_time() - start)
        if sum(seconds) > order["patience"]:
            break
    yield {"seconds": seconds, "view": peer.plain(view), "seen": spending.seen, "kept": peer.kept}


def _growing(build: Callable[[Setup], Peer], order: dict[str, Any]) -> Iterable[dict[str, Any]]:
    spending = Spending()
    peer = build(Setup(order["variant"], order["limit"], order["hold"], spending))
    messages, taken, last = order["messages"], 0, list[Plain]()
    kept: dict[str, str] = {}
    for i, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        view = peer.plain(peer.manage(peer.native(messages[taken:i])))
        same = common(last, view)
        news = {key: text for key, text in peer.kept.items() if kept.get(key) != text}
        yield {"at": i, "keep": same, "add": view[same:], "summaries": spending.calls, "kept": news}
        spending.calls, kept, taken, last = [], dict(peer.kept), i, view


def common(before: list[Plain], after: list[Plain]) -> int:
    """Return how many leading messages are the same."""
    for i, (a, b) in enumerate(zip(before, after, strict=False)):
        if a != b:
            return i
    return min(len(before), len(after))


def arguments(call: Plain) -> dict[str, Any]:
    """Return a call's arguments as a mapping; what is no JSON object stays readable under ``_raw``."""
    try:
        value = json.loads(call["function"]["arguments"] or "{}")
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"_raw": call["function"]["arguments"]}


def call(identifier: str, name: str, values: Any) -> Plain:
    """Return an OpenAI-style tool call; *values* is a mapping or JSON text."""
    if isinstance(values, dict):
        values = values["_raw"] if set(values) == {"_raw"} else json.dumps(values, ensure_ascii=False)
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": values or "{}"}}


def message(role: str, text: str, calls: list[Plain] | None = None, answers: str = "") -> Plain:
    made: Plain = {"role": role, "content": text}
    if calls:
        made["tool_calls"] = calls
    if answers:
        made["tool_call_id"] = answers
    return made

"""The story that every adapter is shown with: a model that reads thirty reports, then asks for the first one back."""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

REPORTS = 30
WINDOW, RESERVE = 16_000, 2_000
QUESTION = "Read all thirty observing reports, then tell why the third night of the first run was lost."
ANSWER = "The third night was lost to cirrus over the dome."
FACT = "a band of cirrus stood over the dome until dawn"
_REFERENCE = re.compile(r"\bm(\d+)(?:-m(\d+))?\b")


def report(number: int) -> str:
    """Return an observing report of about 1,500 tokens; the first one holds the fact."""
    fact = f" On the third night {FACT}, and nothing was taken." if number == 1 else ""
    return f"Report {number}.{fact} " + f"Field {number}: seeing was fair and the exposures went as planned. " * 90


@dataclass
class Script:
    """Plays the model. *requests*: what it was sent, as OpenAI-style dicts; it checks each for whole pairs."""

    requests: list[list[dict[str, Any]]] = field(default_factory=list)
    recalled: str = ""
    fact_in_view: bool = True

    def move(self, request: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
        """Return the next step: a tool's name with its arguments, or ``say`` with the answer."""
        self.requests.append(request)
        step = len(self.requests)
        if step <= REPORTS:
            return "read_report", {"number": step}
        if step == REPORTS + 1:
            text = "\n".join(str(m.get("content") or "") for m in request)
            self.fact_in_view = FACT in text
            return "recall_context", {"ref": self._first_result(text), "query": "third night"}
        self.recalled = str(request[-1].get("content") or "")
        return "say", {"text": ANSWER}

    def _first_result(self, text: str) -> str:
        """Return the reference, as it stands in the view, that covers the result of the first call."""
        at = _first_tool_message(self.requests)
        spans = [(int(m[1]), int(m[2] or m[1]), m[0]) for m in _REFERENCE.finditer(text)]
        return next((name for first, last, name in spans if first <= at <= last), "none in the view")

    def told(self, window: int) -> list[tuple[str, bool]]:
        """Return what was seen, each with whether it is as it should be."""
        sizes = [sum(len(str(m)) for m in request) // 4 for request in self.requests]
        shrunk = sum(after < before for before, after in pairwise(sizes))
        broken = [n for n, request in enumerate(self.requests) if not pairs_whole(request)]
        return [
            (f"{len(sizes)} requests, the largest about {max(sizes):,} tokens of {window:,}", max(sizes) <= window),
            (f"compacted {shrunk} times", shrunk > 0),
            (f"calls and results whole in every request (broken: {broken or 'none'})", not broken),
            ("the fact was out of sight before the recall", not self.fact_in_view),
            ("recall_context gave the original back", FACT in self.recalled),
        ]


def _first_tool_message(requests: list[list[dict[str, Any]]]) -> int:
    """Return the transcript position of the first result: the second request still holds everything."""
    return next(i for i, m in enumerate(requests[1]) if m["role"] == "tool")


def pairs_whole(request: list[dict[str, Any]]) -> bool:
    """Whether each call is answered right behind its message, and each result answers such a call."""
    open_calls: set[str] = set()
    for message in request:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return False
            open_calls.discard(message["tool_call_id"])
        elif open_calls:
            return False
        else:
            open_calls = {call["id"] for call in message.get("tool_calls") or ()}
    return not open_calls

"""The same call with the same result, again and again: fingerprints and cycles (S2.4, R2.5)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal

from .messages import ToolCall

CYCLES = range(1, 6)
SKIP_AT, STRONG_AT, NO_TOOLS_AT, STOP_AT = 3, 5, 8, 12
REMEMBERED = 5 * STOP_AT


def canonical(arguments: str) -> str:
    """Return JSON arguments in one form: sorted keys, no blanks; text that is no JSON stays as it is."""
    try:
        return json.dumps(json.loads(arguments or "{}"), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return arguments


def fingerprint(call: ToolCall) -> str:
    return f"{call.name}\0{canonical(call.arguments)}"


def digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Repetition:
    """How the calls so far repeat. *count*: rounds of the shortest cycle of *length* calls that ends now."""

    count: int = 1
    length: int = 1

    @property
    def verdict(self) -> Literal["none", "remind", "strong", "no_tools", "stop"]:
        """3 remind, 5 strongly, 8 no tools for a step, 12 stop (beyond-the-document 12)."""
        for at, word in ((STOP_AT, "stop"), (NO_TOOLS_AT, "no_tools"), (STRONG_AT, "strong"), (SKIP_AT, "remind")):
            if self.count >= at:
                return word  # type: ignore[return-value]
        return "none"


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The calls of a turn with the digests of their results; a value, so that it can be stored and restored."""

    calls: tuple[tuple[str, str], ...] = ()
    detections: int = 0

    def record(self, call: ToolCall, result: str, *, polling: bool = False) -> "Duplicates":
        """Return the detector after *call* gave *result*. Polling and waiting tools are no loop."""
        if polling:
            return self
        calls = (*self.calls, (fingerprint(call), digest(result)))[-REMEMBERED:]
        after = replace(self, calls=calls)
        return replace(after, detections=self.detections + 1) if after.repetition().count >= SKIP_AT else after

    def would_repeat(self, call: ToolCall) -> int:
        """Return how often *call* was made in a row, just now, with one and the same result; 0 if not at all."""
        key = fingerprint(call)
        if not self.calls or self.calls[-1][0] != key:
            return 0
        return _run(self.calls, self.calls[-1])

    def repetition(self) -> Repetition:
        """Return the cycle that the newest calls form: the most rounds, of the shortest length."""
        found = (Repetition(_rounds(self.calls, length), length) for length in CYCLES)
        return max(found, key=lambda r: (r.count, -r.length), default=Repetition())


def _run(calls: Sequence[tuple[str, str]], last: tuple[str, str]) -> int:
    count = 0
    for entry in reversed(calls):
        if entry != last:
            break
        count += 1
    return count


def _rounds(calls: Sequence[tuple[str, str]], length: int) -> int:
    if len(calls) < length:
        return 1
    block, rounds, end = calls[-length:], 1, len(calls) - length
    while end >= length and calls[end - length : end] == block:
        rounds, end = rounds + 1, end - length
    return rounds

"""What a policy costs and what it keeps in sight, as defined in ``docs/replay.md``. Values in, values out."""

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, TypeAlias

from .identifiers import Vocabulary, needs_of, text_of

FAR = 10  # assistant messages; a need whose newest source lies further back is a far need
CATEGORIES = ("tools", "system", "user", "assistant", "arguments", "results", "placeholders", "folds")

JsonObject: TypeAlias = Mapping[str, Any]
TokenCounter: TypeAlias = Callable[[JsonObject], int]
Span: TypeAlias = tuple[int, int]

_REFERENCE = re.compile(r"(?<![A-Za-z0-9_])m(\d{1,9})(?:\s?[-\u2013]\s?m?(\d{1,9}))?(?![A-Za-z0-9_])")


@dataclass(frozen=True, slots=True)
class Prices:
    """What a token costs, in uncached input tokens."""

    uncached: float = 1.0
    cached: float = 0.1
    summariser_in: float = 1.0
    summariser_out: float = 5.0


PRICES = Prices()


@dataclass(frozen=True, slots=True)
class Needs:
    """How many needs were in the view, could be recalled by a reference in it, or neither."""

    visible: int = 0
    recoverable: int = 0
    lost: int = 0

    def __add__(self, other: "Needs") -> "Needs":
        return Needs(self.visible + other.visible, self.recoverable + other.recoverable, self.lost + other.lost)

    @property
    def all(self) -> int:
        return self.visible + self.recoverable + self.lost


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A message of a view, read once. *original*: it is a message of the transcript, unchanged."""

    tokens: int
    text: str
    standing: frozenset[str]
    original: bool
    spans: tuple[Span, ...]
    categories: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Need:
    """An identifier of the reply at *position* and the earlier positions where it stands, in order."""

    identifier: str
    position: int
    sources: Sequence[int]
    far: bool


class Sources:
    """All needs of a transcript: the identifiers of each reply that stand in an earlier message, with their sources."""

    def __init__(self, messages: Sequence[JsonObject]) -> None:
        wanted = {i: needs_of(m) for i, m in enumerate(messages) if m["role"] == "assistant"}
        self.vocabulary = Vocabulary(name for names in wanted.values() for name in names)
        self._wanted = wanted
        self._replies = [0, *accumulate(int(m["role"] == "assistant") for m in messages)]
        self._positions: defaultdict[str, list[int]] = defaultdict(list)
        for i, message in enumerate(messages):
            for name in self.vocabulary.standing_in(text_of(message)):
                self._positions[name].append(i)

    def needs(self, position: int) -> list[Need]:
        """Return the needs of the reply at *position*, in alphabetical order."""
        found = []
        for name in sorted(self._wanted[position]):
            places = self._positions[name]
            if earlier := places[: bisect_left(places, position)]:
                back = self._replies[position] - self._replies[earlier[-1]]
                found.append(Need(name, position, earlier, back > FAR))
        return found


class Reader:
    """Reads the messages of views, each distinct one once.

    A message that comes again as the same object with the same content is not even serialised again; hence a context
    manager must not change calls or content parts inside a message that it has returned.
    """

    def __init__(self, sources: Sources, count: TokenCounter, transcript: Iterable[JsonObject]) -> None:
        self.holders: defaultdict[str, set[Entry]] = defaultdict(set)
        self._sources, self._count = sources, count
        self._originals = {serialised(m) for m in transcript}
        self._by_text: dict[str, Entry] = {}
        self._by_object: dict[int, tuple[JsonObject, object, object, int, Entry]] = {}

    def entry(self, message: JsonObject) -> Entry:
        """Return what is known of *message*; byte-identical messages have the same entry."""
        content, calls = message.get("content"), message.get("tool_calls")
        if known := self._by_object.get(id(message)):
            same, old_content, old_calls, size, entry = known
            if same is message and old_content is content and old_calls is calls and size == len(message):
                return entry
        key = serialised(message)
        found = self._by_text.get(key)
        entry = found or self._read(message, key)
        self._by_object[id(message)] = (message, content, calls, len(message), entry)
        return entry

    def _read(self, message: JsonObject, key: str) -> Entry:
        text = text_of(message)
        original = key in self._originals
        tokens = self._count(message)
        standing = self._sources.vocabulary.standing_in(text)
        spans = () if original else spans_in(text)
        entry = Entry(tokens, text, standing, original, spans, categories(message, tokens, original))
        self._by_text[key] = entry
        for name in standing:
            self.holders[name].add(entry)
        return entry


def serialised(message: JsonObject) -> str:
    """Return the form in which two messages are compared: JSON with sorted keys."""
    return json.dumps(message, ensure_ascii=False, sort_keys=True)


def spans_in(text: str) -> tuple[Span, ...]:
    """Return what the references in *text* cover (``m42``, ``m40-m61``): transcript positions, both ends included."""
    found = []
    for match in _REFERENCE.finditer(text):
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        found.append((first, last) if last >= first else (first, first))
    return tuple(dict.fromkeys(found))


def categories(message: JsonObject, tokens: int, original: bool) -> dict[str, int]:
    """Return what kind of text the tokens of a message are."""
    role, calls = message["role"], message.get("tool_calls") or ()
    if not original:
        return {"placeholders" if role == "tool" or calls else "folds": tokens}
    if role != "assistant":
        return {{"system": "system", "user": "user"}.get(role, "results"): tokens}
    whole = len(text_of(message)) or 1
    arguments = sum(len(str(c["function"].get("arguments") or "")) for c in calls)
    share = tokens * arguments // whole
    return {"assistant": tokens - share, "arguments": share}


@dataclass(frozen=True, slots=True)
class Step:
    """One request and the recorded reply to it. Tokens; *recall_cost* in token-equivalents."""

    position: int
    messages: int
    cached: int
    uncached: int
    broke: bool
    categories: Mapping[str, int]
    needs: Needs
    needs_far: Needs
    recall_cost: float
    summariser_in: int = 0
    summariser_out: int = 0
    applied: tuple[str, ...] = ()
    reported: int | None = None

    @property
    def tokens(self) -> int:
        return self.cached + self.uncached

    def cost(self, prices: Prices) -> float:
        summary = prices.summariser_in * self.summariser_in + prices.summariser_out * self.summariser_out
        return prices.uncached * self.uncached + prices.cached * self.cached + summary


@dataclass(frozen=True, slots=True)
class Run:
    """A whole transcript under one policy. *limit*: tokens at which the policy compacts, if it has such a number."""

    file: str
    policy: str
    steps: tuple[Step, ...]
    prices: Prices = PRICES
    warnings: tuple[str, ...] = ()
    limit: int | None = None

    def numbers(self) -> dict[str, Any]:
        """Return the metrics of ``interface.md``, JSON-able."""
        return {"file": self.file, "policy": self.policy, **_numbers(self.steps, self.prices)}


def total(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the metrics of all *runs* together: sums, and the largest request of all."""
    return _numbers([s for run in runs for s in run.steps], runs[0].prices if runs else PRICES)


def _numbers(steps: Sequence[Step], prices: Prices) -> dict[str, Any]:
    cost = sum(s.cost(prices) for s in steps)
    return {
        "requests": len(steps),
        "tokens_in": sum(s.tokens for s in steps),
        "uncached": sum(s.uncached for s in steps),
        "cached": sum(s.cached for s in steps),
        "prefix_breaks": sum(s.broke for s in steps),
        "max_request": max((s.tokens for s in steps), default=0),
        "summariser_in": sum(s.summariser_in for s in steps),
        "summariser_out": sum(s.summariser_out for s in steps),
        "cost": round(cost, 1),
        "cost_with_recall": round(cost + sum(s.recall_cost for s in steps), 1),
        "needs": _needs(s.needs for s in steps),
        "needs_far": _needs(s.needs_far for s in steps),
    }


def _needs(found: Iterable[Needs]) -> dict[str, int]:
    whole = sum(found, Needs())
    return {"visible": whole.visible, "recoverable": whole.recoverable, "lost": whole.lost}


@dataclass(slots=True)
class Prefix:
    """What the provider's cache holds: the messages of the last request."""

    last: list[Entry] = field(default_factory=list)
    tools: int = 0
    started: bool = False

    def account(self, view: list[Entry], tools: int) -> tuple[int, int, bool]:
        """Return (cached tokens, uncached tokens, whether the view is no extension of the last one).

        Tool schemas of *tools* tokens stand before the messages and do not change.
        """
        common = next((n for n, (a, b) in enumerate(zip(self.last, view, strict=False)) if a is not b), None)
        common = min(len(self.last), len(view)) if common is None else common
        cached = sum([e.tokens for e in view[:common]]) + (tools if self.started else 0)
        whole = sum([e.tokens for e in view]) + tools
        broke = common < len(self.last)
        self.last, self.started = view, True
        return cached, whole - cached, broke

"""Play a recorded session against a context manager: before each recorded reply, the request it would have sent."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .counters import schema_tokens
from .formats.base import Transcript
from .identifiers import stands
from .metrics import (
    PRICES,
    Entry,
    Need,
    Needs,
    Prefix,
    Prices,
    Reader,
    Run,
    Sources,
    Span,
    Step,
    TokenCounter,
    serialised,
    spans_in,
)

SUMMARY = ("The work so far went as planned and goes on from here. " * 10)[:500]


class Fitting(Protocol):
    """What a context manager answers: the messages to send and the references that stand in them."""

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def references(self) -> Sequence[str]: ...


class Fits(Protocol):
    """A context manager. It may also have ``recall(ref, query=None) -> str``; without it nothing is recoverable."""

    def fit(self, messages: Any, tools: Any = None) -> Fitting: ...


class ReplayFailed(RuntimeError):
    """A context manager that gave up on a transcript or broke a rule; one line says which message and why."""


class FakeSummariser:
    """Answers every request for a summary with a fixed text of 500 characters and counts what it was sent."""

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self.tokens_in = self.tokens_out = 0

    def __call__(self, messages: Sequence[Mapping[str, Any]], instruction: str) -> str:
        asked = [*messages, {"role": "user", "content": instruction}]
        self.tokens_in += sum(self._count(m) for m in asked)
        self.tokens_out += self._count({"role": "assistant", "content": SUMMARY})
        return SUMMARY


@dataclass(frozen=True, slots=True)
class Setting:
    """How a replay counts. *policy*: the name under which the run is shown; *limit*: where it compacts, in tokens."""

    policy: str
    count: TokenCounter
    prices: Prices = PRICES
    limit: int | None = None


def play(
    transcript: Transcript,
    manager: Fits,
    setting: Setting,
    summariser: FakeSummariser | None = None,
    progress: Callable[[], None] = lambda: None,
    sources: Sources | None = None,
) -> Run:
    """Return the run of one transcript; *progress* is called after every request. Raises ``ReplayFailed``.

    *sources* are those of the transcript's messages, where several runs share them.
    """
    before = [serialised(m) for m in transcript.messages]
    steps = []
    for step in _Play(transcript, manager, setting, summariser, sources or Sources(transcript.messages)).steps():
        steps.append(step)
        progress()
    changed = next((i for i, m in enumerate(transcript.messages) if serialised(m) != before[i]), None)
    if changed is not None:
        raise ReplayFailed(f"{transcript.name}: the context manager changed message {changed} of its input")
    warnings = tuple(transcript.warnings)
    return Run(transcript.name, setting.policy, tuple(steps), setting.prices, warnings, setting.limit)


class _Play:
    def __init__(
        self,
        transcript: Transcript,
        manager: Fits,
        setting: Setting,
        summariser: FakeSummariser | None,
        sources: Sources,
    ) -> None:
        self._transcript, self._manager, self._setting = transcript, manager, setting
        self._summariser = summariser or FakeSummariser(setting.count)
        self._sources = sources
        self._reader = Reader(self._sources, setting.count, transcript.messages)
        self._recall = Recall(manager, setting.count)
        self._prefix = Prefix()
        self._tools = schema_tokens(transcript.tools)

    def steps(self) -> Iterator[Step]:
        messages = self._transcript.messages
        replies = [i for i, m in enumerate(messages) if m["role"] == "assistant"]
        for i, reported in zip(replies, self._transcript.usage, strict=True):
            yield self._step(i, reported)

    def _step(self, i: int, reported: int | None) -> Step:
        tokens_in, tokens_out = self._summariser.tokens_in, self._summariser.tokens_out
        fitted = self._fit(i)
        view = [self._reader.entry(m) for m in fitted.messages]
        cached, uncached, broke = self._prefix.account(view, self._tools)
        needs, far, recalled = self._judge(i, view, fitted.references)
        prices = self._setting.prices
        return Step(
            i,
            len(view),
            cached,
            uncached,
            broke,
            _categories(view, self._tools),
            needs,
            far,
            sum(prices.cached * (cached + uncached) + prices.uncached * tokens for tokens in recalled),
            self._summariser.tokens_in - tokens_in,
            self._summariser.tokens_out - tokens_out,
            tuple(getattr(fitted, "applied", ())),
            reported,
        )

    def _fit(self, i: int) -> Fitting:
        try:
            return self._manager.fit(self._transcript.messages[:i], tools=self._transcript.tools or None)
        except Exception as error:  # anybody's context manager: whatever it raises ends the replay of this file
            name = self._transcript.name
            raise ReplayFailed(f"{name}: message {i}: {type(error).__name__}: {error}") from error

    def _judge(self, i: int, view: list[Entry], references: Sequence[str]) -> tuple[Needs, Needs, list[int]]:
        """Return the needs of reply *i*, the far ones among them, and the tokens of each recall."""
        shown = set(view)
        covering: list[tuple[Span, str]] | None = None
        needs, far, recalled = Needs(), Needs(), []
        for need in self._sources.needs(i):
            if not self._reader.holders[need.identifier].isdisjoint(shown):
                one = Needs(visible=1)
            else:
                covering = references_in(view, references) if covering is None else covering
                tokens = self._recall.tokens(need, covering)
                one = Needs(lost=1) if tokens is None else Needs(recoverable=1)
                recalled += [] if tokens is None else [tokens]
            needs += one
            far += one if need.far else Needs()
        return needs, far, recalled


def _categories(view: list[Entry], tools: int) -> dict[str, int]:
    found = {"tools": tools} if tools else {}
    for entry in view:
        for kind, tokens in entry.categories.items():
            found[kind] = found.get(kind, 0) + tokens
    return found


def references_in(view: Sequence[Entry], references: Sequence[str]) -> list[tuple[Span, str]]:
    """Return the references that a view shows, the narrowest first.

    Read are the messages that the manager wrote: ``m42`` in an original is not a reference. A manager's own kind of
    reference (a file, a hash) counts if it stands in the view; it may cover anything.
    """
    spans = {span for entry in view for span in entry.spans}
    narrow = sorted(spans, key=lambda s: (s[1] - s[0], s))
    found = [(s, f"m{s[0]}" if s[0] == s[1] else f"m{s[0]}-m{s[1]}") for s in narrow]
    foreign = [r for r in references if not spans_in(r) and any(r in e.text for e in view if not e.original)]
    return found + [((0, 10**9), r) for r in foreign]


class Recall:
    """Asks the manager for what a reference stands for, once for each reference and identifier."""

    def __init__(self, manager: Fits, count: TokenCounter) -> None:
        self._ask: Callable[..., object] | None = getattr(manager, "recall", None)
        self._searches = self._ask is not None and "query" in inspect.signature(self._ask).parameters
        self._count = count
        self._known: dict[tuple[str, str], int | None] = {}

    def tokens(self, need: Need, references: Sequence[tuple[Span, str]]) -> int | None:
        """Return the tokens of the first recall that gives the identifier back, or None if none does."""
        if self._ask is None:
            return None
        for (first, last), reference in references:
            at = next((p for p in reversed(need.sources) if p <= last), -1)
            if at >= first and (tokens := self._given(reference, need.identifier)) is not None:
                return tokens
        return None

    def _given(self, reference: str, identifier: str) -> int | None:
        key = (reference, identifier)
        if key not in self._known:
            texts = (self._recalled(reference, q) for q in ([{"query": identifier}, {}] if self._searches else [{}]))
            found = next((t for t in texts if stands(identifier, t)), None)
            self._known[key] = None if found is None else self._count({"role": "tool", "content": found})
        return self._known[key]

    def _recalled(self, reference: str, how: Mapping[str, str]) -> str:
        assert self._ask is not None
        try:
            return str(self._ask(reference, **how))
        except Exception as error:  # anybody's recall: one that fails gives nothing back, which is what is measured
            return f"{type(error).__name__}"

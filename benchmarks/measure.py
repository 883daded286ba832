"""A manager on a history, measured by the player of ``astroresearch replay``; and what lost needs would have cost."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from astroresearch.replay.formats.base import Transcript
from astroresearch.replay.metrics import PRICES, Reader, Run, Sources, Step, total
from astroresearch.replay.player import Setting, play

from .histories import History, Plain
from .managers import COUNT, Manager


@dataclass(frozen=True, slots=True)
class Measured:
    """*refetches*: token-equivalents, had the model asked again for each need that was lost."""

    run: Run
    refetches: float


def measure(manager: Manager, history: History) -> Measured:
    """Raise ``ReplayFailed`` if the manager did not get to the end of the history."""
    replies = sum(m["role"] == "assistant" for m in history.messages)
    transcript = Transcript(history.name, history.messages, usage=[None] * replies)
    session = manager.session(history)
    run = play(transcript, session, Setting(manager.name, COUNT), session.summariser)
    return Measured(run, _refetches(history.messages, run.steps, session.views))


def numbers(measured: Sequence[Measured]) -> dict[str, Any]:
    """Return the metrics of ``astroresearch replay`` over all histories together, and ``cost_with_refetch``."""
    found = total([m.run for m in measured])
    again = sum(m.refetches for m in measured)
    return {**found, "cost_with_refetch": round(found["cost_with_recall"] + again, 1), "histories": len(measured)}


def _refetches(messages: list[Plain], steps: Sequence[Step], views: Sequence[Sequence[Plain]]) -> float:
    """Price each lost need as a recall is: one more request, and the tokens of the message in which it last stood.

    Where a request has both lost and recoverable needs, the tokens are shared out by their number.
    """
    sources = Sources(messages)
    reader = Reader(sources, COUNT, messages)
    cost = 0.0
    for step, view in zip(steps, views, strict=True):
        if not step.needs.lost:
            continue
        shown = {reader.entry(m) for m in view}
        hidden = [n for n in sources.needs(step.position) if reader.holders[n.identifier].isdisjoint(shown)]
        again = sum(PRICES.cached * step.tokens + COUNT(messages[n.sources[-1]]) for n in hidden)
        cost += again * step.needs.lost / len(hidden)
    return cost


def as_json(measured: Measured) -> dict[str, Any]:
    return {**measured.run.numbers(), "refetches": round(measured.refetches, 1), "prices": asdict(PRICES)}

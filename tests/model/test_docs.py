"""The tables in docs/models.md are what the code does."""

from pathlib import Path

from astroresearch.model.faults import TRANSIENT, Fault, FaultKind, noticed
from astroresearch.model.known import known, names
from astroresearch.model.ladder import Attempts, Retry, Situation, Surface, next_rung
from astroresearch.model.quirks import ADAPTERS

DOCS = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")


def climbed(fault: Fault, **more: bool) -> str:
    """Return the rungs that a fault takes if it comes again and again; the same one many times is told once."""
    attempts, rungs, told = Attempts(), list[str](), 0
    while not rungs or rungs[-1] != "Surface":
        rung, attempts = next_rung(fault, attempts, Situation(key="docs", fallback="m", **more))
        told += isinstance(rung, Retry)
        if type(rung).__name__ not in rungs[-1:]:
            rungs.append(type(rung).__name__)
        assert not isinstance(rung, Surface) or rung.reason
    return " → ".join(rungs)


def row(name: str, fault: Fault, **more: bool) -> str:
    return f"| {name} | {'yes' if fault.retryable else 'no'} | {climbed(fault, **more)} |"


def test_the_table_of_what_is_retried_is_what_the_ladder_does() -> None:
    for kind in FaultKind:
        assert row(f"`{kind}`", Fault(kind=kind, retryable=kind in TRANSIENT)) in DOCS
    assert row("413 with images", Fault(kind=FaultKind.PromptTooLong, cause="bytes"), has_media=True) in DOCS
    assert row("answer cut at its limit", noticed("cut")) in DOCS
    assert row("empty answer", noticed("empty")) in DOCS


def test_every_adapter_and_every_known_model_is_in_the_docs() -> None:
    for name in ADAPTERS:
        assert f"`{name}`" in DOCS
    for name in names():
        found = known(name)
        assert found is not None
        prices = " / ".join("–" if p is None else f"{p:g}" for p in (found.uncached, found.cached, found.output))
        assert f"| `{name}` | {found.window:,} | {found.max_output:,} | {prices} |" in DOCS

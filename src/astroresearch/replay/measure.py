"""The work of ``astroresearch replay``: read, play, and tell. Loaded when the command runs, not when it is declared."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..context import Engine, InvalidPolicy, Policy
from ..locales import Locale, say
from .counters import COUNTERS, counter
from .formats import NotATranscript, Transcript, read_transcripts
from .metrics import PRICES, Prices, Run, Sources, total
from .player import FakeSummariser, ReplayFailed, Setting, play
from .report import by_file, policies, render, short_names, visible_share

_FEW = ("cost", "cost_with_recall", "needs", "needs_far", "lost")  # what a narrow terminal has room for
_COLUMNS = ("requests", "cost", "cost_with_recall", "prefix_breaks", "max_request", "needs", "needs_far", "lost")


class BadUsage(ValueError):
    """What the user asked for can't be done; one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to replay. *window*, *reserve*: tokens."""

    policies: tuple[tuple[str, Policy], ...]
    window: int
    reserve: int
    counter: str
    summariser: str
    prices: Prices
    locale: Locale

    def limit(self, policy: Policy) -> int:
        usable = self.window - self.reserve
        soft = policy.soft_limit if policy.soft_limit is not None else int(policy.limit_share * usable)
        return min(soft, usable)


def measure(files: Sequence[Path], options: Options, *, as_json: bool, report: Path | None) -> bool:
    """Replay, write the report, print the numbers; return whether every file could be replayed."""
    _check_report(report, options.locale)
    runs, failed = _replayed(files, options)
    if report is not None:
        report.write_text(render(runs, _described(options), options.locale), "utf-8")
    _tell(runs, as_json, options.locale)
    return not failed


def complain(text: str) -> None:
    print(f"astroresearch replay: {text}", file=sys.stderr)


# -- what was asked ----------------------------------------------------------------------------------------------------


def chosen_policies(names: Sequence[str], soft_limit: int | None, locale: Locale) -> Iterator[tuple[str, Policy]]:
    """Yield each policy once; a name that is no built-in one is a TOML or JSON file."""
    wanted = [name.strip() for given in names for name in given.split(",") if name.strip()]
    for name in dict.fromkeys(wanted):
        try:
            shown, policy = _policy(name, locale)
            yield shown, policy if soft_limit is None else replace(policy, soft_limit=soft_limit)
        except InvalidPolicy as problem:
            raise BadUsage(say(locale, "replay.bad_policy", name=name, why=str(problem))) from None


def _policy(name: str, locale: Locale) -> tuple[str, Policy]:
    if name in ("document", "adaptive"):
        return name, Policy.named(name)
    path = Path(name)
    if path.suffix not in (".toml", ".json"):
        raise BadUsage(say(locale, "replay.unknown_policy", name=name))
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadUsage(say(locale, "replay.unreadable_file", name=name, why=_why(error))) from None
    return path.stem, Policy.parse(text)


def _why(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def chosen_prices(text: str, locale: Locale) -> Prices:
    """Read ``cached=0.25,summariser_out=4``."""
    given = {}
    for piece in filter(None, (p.strip() for p in text.split(","))):
        name, _, value = piece.partition("=")
        try:
            given[name.strip()] = float(value)
            known = replace(PRICES, **given)
        except (TypeError, ValueError):
            raise BadUsage(say(locale, "replay.bad_price", piece=piece)) from None
        if not 0 <= getattr(known, name.strip()) < float("inf"):
            raise BadUsage(say(locale, "replay.bad_price", piece=piece))
    return replace(PRICES, **given)


def _check_report(report: Path | None, locale: Locale) -> None:
    """Complain about a report that can't be written before the work, not after it."""
    if report is None:
        return
    try:
        report.open("a", encoding="utf-8").close()
    except OSError as error:
        raise BadUsage(say(locale, "replay.unreadable_file", name=str(report), why=error.strerror)) from None


def _described(options: Options) -> str:
    prices = options.prices
    return say(
        options.locale,
        "replay.page_setting",
        window=f"{options.window:,}",
        limits=", ".join(f"{name} {options.limit(policy):,}" for name, policy in options.policies),
        counter=options.counter,
        summariser=options.summariser,
        prices=f"{prices.uncached:g} / {prices.cached:g} / {prices.summariser_in:g} / {prices.summariser_out:g}",
    )


# -- the work ----------------------------------------------------------------------------------------------------------


def _replayed(files: Sequence[Path], options: Options) -> tuple[list[Run], bool]:
    """Return all runs, file by file, and whether a file could not be replayed."""
    transcripts, failed = _read(files, options.locale)
    requests = sum(len(t.usage) for t in transcripts) * len(options.policies)
    runs = []
    with _progress(requests, options.locale) as step:
        for transcript in transcripts:
            sources = Sources(transcript.messages)
            for name, policy in options.policies:
                try:
                    runs.append(_run(transcript, sources, name, policy, options, step))
                except ReplayFailed as problem:
                    complain(f"{name}: {problem}")
                    failed = True
    return runs, failed


def _read(files: Sequence[Path], locale: Locale) -> tuple[list[Transcript], bool]:
    found: list[Transcript] = []
    failed = False
    for path in files:
        try:
            found += read_transcripts(path, locale)
        except NotATranscript as problem:
            complain(str(problem))
            failed = True
    for transcript in found:
        for warning in transcript.warnings:
            complain(f"{transcript.name}: {warning}")
    return found, failed


def _run(
    transcript: Transcript, sources: Sources, name: str, policy: Policy, options: Options, step: Callable[[], None]
) -> Run:
    count = counter(options.counter)
    summariser = FakeSummariser(count) if options.summariser == "fake" else None
    engine = Engine(
        policy, options.window, options.reserve, summariser, counter=COUNTERS[options.counter], locale=options.locale
    )
    setting = Setting(name, count, options.prices, options.limit(policy))
    return play(transcript, engine, setting, summariser, step, sources)


@contextmanager
def _progress(requests: int, locale: Locale) -> Iterator[Callable[[], None]]:
    """Show a bar on a terminal's stderr, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(say(locale, "replay.progress"), total=requests)
        yield lambda: bar.advance(task)


# -- the answer --------------------------------------------------------------------------------------------------------


def _tell(runs: Sequence[Run], as_json: bool, locale: Locale) -> None:
    if as_json:
        print(json.dumps(document(runs), ensure_ascii=False, indent=1))
    elif runs:
        _print_table(runs, locale)


def document(runs: Sequence[Run]) -> dict[str, Any]:
    """Return what ``--json`` prints: an entry a file and policy; the first policy's total, and ``totals`` of each."""
    totals = {name: total(of_policy) for name, of_policy in policies(runs).items()}
    whole = next(iter(totals.values()), total([]))
    entries = [run.numbers() | {"warnings": list(run.warnings)} for run in runs]
    return {"files": entries, "total": whole} | ({"totals": totals} if len(totals) > 1 else {})


def _print_table(runs: Sequence[Run], locale: Locale) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    screen = Console(width=None if sys.stdout.isatty() else 160)
    columns = _COLUMNS if screen.width >= 110 else _FEW
    table = Table(box=SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), collapse_padding=True)
    for head in ("file", "policy", *columns):
        name = say(locale, f"replay.column_{head}").replace(" ", "\n")  # a number must not be broken, a heading may
        if head == "file":
            table.add_column(name, overflow="fold", min_width=12)
        else:
            table.add_column(name, justify="left" if head == "policy" else "right", no_wrap=True)
    shown = short_names([run.file for run in runs])
    for name, of_file in by_file(runs).items():
        for run in of_file:
            table.add_row(escape(shown[name]), escape(run.policy), *_cells(run.numbers(), columns))
    for policy, of_policy in policies(runs).items():
        cells = [say(locale, "replay.total"), escape(policy), *_cells(total(of_policy), columns)]
        table.add_row(*cells, style="bold", end_section=True)
    screen.print(table)


def _cells(numbers: dict[str, Any], columns: Sequence[str]) -> list[str]:
    shown = {k: f"{v:,.0f}" for k, v in numbers.items() if isinstance(v, int | float)}
    shown |= {k: visible_share(numbers[k]) for k in ("needs", "needs_far")}
    shown["lost"] = str(numbers["needs"]["lost"])
    return [shown[column] for column in columns]

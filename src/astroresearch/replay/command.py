"""``astroresearch replay``, declared: what it needs is imported when it runs."""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..locales import Locale, say

USAGE = 2  # the exit code for what the user can mend


def _language() -> Locale:
    return "zh" if os.environ.get("AGENT_LOCALE") == "zh" else "en"


def _help(key: str) -> str:
    return say(_language(), f"replay.help_{key}")


class CounterName(StrEnum):
    default = "default"
    chars4 = "chars4"


class SummariserName(StrEnum):
    fake = "fake"
    none = "none"


class LocaleName(StrEnum):
    en = "en"
    zh = "zh"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command("replay", help=_help("command"))(replay)


def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=_help("files"), show_default=False)],
    policy: Annotated[list[str] | None, typer.Option(help=_help("policy"), show_default="document")] = None,
    window: Annotated[int, typer.Option(help=_help("window"), min=1)] = 128_000,
    soft_limit: Annotated[int | None, typer.Option(help=_help("soft_limit"), min=1)] = None,
    counter: Annotated[CounterName, typer.Option(help=_help("counter"))] = CounterName.default,
    summariser: Annotated[SummariserName, typer.Option(help=_help("summariser"))] = SummariserName.fake,
    prices: Annotated[str, typer.Option(help=_help("prices"), metavar="NAME=N,...")] = "",
    as_json: Annotated[bool, typer.Option("--json", help=_help("json"))] = False,
    report: Annotated[Path | None, typer.Option(help=_help("report"), metavar="OUT.html")] = None,
    locale: Annotated[LocaleName | None, typer.Option(help=_help("locale"))] = None,
) -> None:
    """Measure what a context policy costs and keeps on recorded sessions, without asking a provider."""
    from .measure import BadUsage, Options, chosen_policies, chosen_prices, complain, measure

    language: Locale = _language() if locale is None else "zh" if locale is LocaleName.zh else "en"
    try:
        options = Options(
            policies=tuple(chosen_policies(policy or ["document"], soft_limit, language)),
            window=window,
            reserve=min(8_000, window // 4),
            counter=counter.value,
            summariser=summariser.value,
            prices=chosen_prices(prices, language),
            locale=language,
        )
        whole = measure(files, options, as_json=as_json, report=report)
    except BadUsage as problem:
        complain(str(problem))
        raise typer.Exit(USAGE) from None
    if not whole:
        raise typer.Exit(USAGE)

"""The report of a replay: one HTML page that needs nothing else, with every text from a transcript escaped."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import accumulate
from os.path import commonpath
from pathlib import PurePath
from typing import Any

from ..locales import Locale, say, texts
from .metrics import CATEGORIES, Run, total

_NUMBERS = ("cost", "cost_with_recall")
_SHARES = ("needs", "needs_far")
_COUNTS = ("requests", "prefix_breaks", "max_request", "tokens_in", "uncached", "cached")
_NEEDS = ("visible", "recoverable", "lost")


def render(runs: Sequence[Run], setting: str, locale: Locale = "en") -> str:
    """Return the page for *runs*, which may be of several files and policies; *setting* says how they were made."""

    def label(key: str, **values: object) -> str:
        return say(locale, f"replay.{key}", **values)

    named = ("totals", "session", "previous", "next", "noscript", "numbers", "note")
    slots = {key: escape(label(f"page_{key}")) for key in named}
    slots |= {"lang": locale, "title": escape(label("page_title")), "setting": escape(setting)}
    slots |= {"cards": _cards(runs, locale), "table": _table(runs, locale)}
    slots |= {"css": _asset("page.css"), "js": _asset("page.js"), "data": _embedded(_data(runs, locale))}
    page = _asset("page.html")
    pieces = page.split("{{")
    return pieces[0] + "".join(slots[name] + rest for name, _, rest in (p.partition("}}") for p in pieces[1:]))


def _asset(name: str) -> str:
    return (files(__package__) / "page" / name).read_text("utf-8")


def _embedded(data: Mapping[str, Any]) -> str:
    """Return JSON that can't end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def policies(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """Return the runs by policy, in the order in which they came."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.policy, []).append(run)
    return found


def by_file(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """Return the runs by file, in the order in which they came."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.file, []).append(run)
    return found


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return each path without the folders that all of *names* share."""
    parents = {str(PurePath(name).parent) for name in names}
    if not parents:
        return {}
    try:
        shared = commonpath(parents)
    except ValueError:  # some are absolute and some are not, or they lie on different drives
        return {name: name for name in names}
    return {name: str(PurePath(name).relative_to(shared)) for name in names}


def _data(runs: Sequence[Run], locale: Locale) -> dict[str, Any]:
    grouped = by_file(runs)
    sizes = [sum(len(r.steps) for r in of_file) for of_file in grouped.values()]
    prefix = "chart_"
    labels = {k.removeprefix(prefix): v for k, v in texts(locale, "replay").items() if k.startswith(prefix)}
    shown = short_names(list(grouped))
    found = [
        {"name": shown[name], "warnings": list(of_file[0].warnings), "runs": [_series(r) for r in of_file]}
        for name, of_file in grouped.items()
    ]
    first = sizes.index(max(sizes)) if sizes else 0
    return {"files": found, "labels": labels, "kinds": list(CATEGORIES), "first": first}


def _series(run: Run) -> dict[str, Any]:
    steps, numbers = run.steps, run.numbers()
    costs = [s.cost(run.prices) for s in steps]
    used = [k for k in CATEGORIES if any(s.categories.get(k) for s in steps)]
    return {
        "policy": run.policy,
        "limit": run.limit,
        "cached": [s.cached for s in steps],
        "uncached": [s.uncached for s in steps],
        "categories": {k: [s.categories.get(k, 0) for s in steps] for k in used},
        "applied": [" ".join(s.applied) for s in steps],
        "recoverable": [s.needs.recoverable for s in steps],
        "lost": [s.needs.lost for s in steps],
        "cost": [round(c) for c in accumulate(costs)],
        "recall": [round(c) for c in accumulate(c + s.recall_cost for c, s in zip(costs, steps, strict=True))],
        "needs": [numbers["needs"][k] for k in _NEEDS],
        "far": [numbers["needs_far"][k] for k in _NEEDS],
    }


def _cards(runs: Sequence[Run], locale: Locale) -> str:
    made = []
    for n, (policy, of_policy) in enumerate(policies(runs).items()):
        numbers = total(of_policy)
        facts = _facts(numbers, locale)
        items = "".join(f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in facts)
        count = say(locale, "replay.page_files", count=len(of_policy))
        head = f"<h3>{escape(policy)} <small>{escape(count)}</small></h3>"
        made.append(f'<div class="card" style="--tone:var(--p{n % 4})">{head}<dl>{items}</dl></div>')
    return "".join(made)


def _facts(numbers: Mapping[str, Any], locale: Locale) -> list[tuple[str, str]]:
    lost = int(numbers["needs"]["lost"])
    facts = {
        "cost": _million(numbers["cost"]),
        "cost_with_recall": _million(numbers["cost_with_recall"]),
        "needs": visible_share(numbers["needs"]),
        "needs_far": visible_share(numbers["needs_far"]),
        "lost": f'<span class="bad">{lost:,}</span>' if lost else "0",
        "max_request": f"{numbers['max_request']:,}",
        "prefix_breaks": f"{numbers['prefix_breaks']:,}",
        "requests": f"{numbers['requests']:,}",
    }
    return [(say(locale, f"replay.fact_{name}"), value) for name, value in facts.items()]


def _million(tokens: float) -> str:
    return f"{tokens / 1e6:.2f} <small>M</small>" if tokens >= 1e6 else f"{tokens:,.0f}"


def visible_share(needs: Mapping[str, int]) -> str:
    """Return which part of *needs* stood in the view, as a percentage; a dash if there were none."""
    whole = sum(needs.values())
    return f"{100 * needs['visible'] / whole:.1f} %" if whole else "–"


def _table(runs: Sequence[Run], locale: Locale) -> str:
    heads = ["file", "policy", *_NUMBERS, *_SHARES, *_COUNTS]
    head = "".join(f"<th>{escape(say(locale, f'replay.column_{name}'))}</th>" for name in heads)
    rows = [_total_row(policy, of_policy, locale) for policy, of_policy in policies(runs).items()]
    shown = short_names([run.file for run in runs])
    for n, (name, of_file) in enumerate(by_file(runs).items()):
        rows += [_row(shown[name], run.policy, run.numbers(), f' data-file="{n}"') for run in of_file]
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _total_row(policy: str, runs: Sequence[Run], locale: Locale) -> str:
    return _row(say(locale, "replay.total"), policy, total(runs), ' class="total"')


def _row(name: str, policy: str, numbers: Mapping[str, Any], attributes: str) -> str:
    cells = [f'<td title="{escape(name)}">{escape(name)}</td>', f"<td>{escape(policy)}</td>"]
    cells += [f"<td>{numbers[key]:,.0f}</td>" for key in _NUMBERS]
    cells += ["<td>" + " / ".join(f"{numbers[key][kind]:,}" for kind in _NEEDS) + "</td>" for key in _SHARES]
    cells += [f"<td>{numbers[key]:,}</td>" for key in _COUNTS]
    return f"<tr{attributes}>{''.join(cells)}</tr>"

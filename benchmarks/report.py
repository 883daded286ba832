"""The tables of a run, as Markdown: every number in them was measured in that one run."""

from collections.abc import Iterable, Sequence
from typing import Any

TERMS = """\
- *cost*: token-equivalents: uncached + 0.1 × cached + what the summariser read + 5 × what it wrote; 4 characters a
  token for everybody. *with recall*: each need that was out of sight but could be had back by a key in the view costs
  one more request (0.1 × the view) and the tokens that come back. *with refetch*: each **lost** need is charged the
  same way, with the tokens of the message in which it last stood, as if the tool were asked again. Without that,
  forgetting is free.
- *needs*: identifiers in an assistant message that stood in an earlier message. *visible*: in the request that message
  answers. *recoverable*: not, but an original that holds it is kept under a key that stands in the request (our
  references; the file whose path stands in the summary of deepagents). *lost*: neither. *far*: last seen more than ten
  assistant messages before.
- *breaks*: requests that do not begin with the whole of the last one, so that the provider's cache ends there.
- The fake summariser answers everybody with the same 500 characters."""


SETTINGS = """\
Everybody is told a window of 128,000 tokens and otherwise has its own defaults. Where a smaller limit is asked for,
each one's own trigger is set to it: what begins at a share of the window is told the window of which the limit is that
share. The hooks are those that the peers' own agents call before each model call, on their own message objects; each
keeps its own state between calls.

- langchain summarization has no trigger of its own: 85 %, as in deepagents. Clear-tool-uses begins at 100,000.
- deepagents: the defaults of its factory (85 %, keeps 10 %), evicted history in a file.
- pydantic-ai-harness: as in its guide, 90 % of the window; tiered with clear-tool-results first, target 100,000.
- agent-framework: the context-window strategy with 16,384 tokens for the answer, as in its guide; the token budget is
  what that leaves, with its tool-result and sliding-window strategies.
- strands: the `auto` preset. openhands: the condenser of its default agent (80 events).
- ours: the policies as they come, 8,000 tokens kept for the answer; a smaller limit is the soft limit."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; the first column is text, the others are set to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def page(result: dict[str, Any]) -> str:
    """Return the page for *result*, the document that ``python -m benchmarks`` writes."""
    parts = [
        "# Benchmarks\n\nWritten by `make bench`; do not edit. How to read it stands at the end.",
        f"{result['date']}, {result['machine']}, Python {result['python']}. Took {result['seconds'] / 60:.0f} minutes.",
        _peers(result["peers"]),
        *(_growing(group) for group in result.get("growing", ())),
        _passes(result.get("passes", [])),
        _speed(result.get("speed", [])),
        f"## Settings\n\n{SETTINGS}",
        f"## Terms\n\n{TERMS}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _peers(peers: dict[str, Any]) -> str:
    return "## Peers\n\n" + table(["peer", "installed", "skipped because"], [_peer(n, p) for n, p in peers.items()])


def _peer(name: str, peer: dict[str, str]) -> list[str]:
    return [name, peer["versions"], peer["skipped"]]


def _growing(group: dict[str, Any]) -> str:
    head = ["manager", "cost, M", "with recall", "with refetch", "breaks", "largest request", "visible", "recoverable"]
    head += ["lost", "far: visible", "recoverable", "lost"]
    rows = [_row(n) for n in sorted(group["managers"], key=_order)]
    hindsight = "".join(f"\n- {name}: {_million(cost)} M" for name, cost in group["hindsight"].items())
    skipped = "".join(f"\n- {line}" for line in _skipped(group["skipped"]))
    text = f"## Growing loop: {group['name']}\n\n{group['about']}\n\n{table(head, rows)}"
    if hindsight:
        text += f"\n\nHindsight bounds (`benchmarks/hindsight.py` says what each is):\n{hindsight}"
    return text + (f"\n\nSkipped:\n{skipped}" if skipped else "")


def _skipped(found: Sequence[Sequence[str]]) -> list[str]:
    """Return a line for each manager and reason."""
    why: dict[tuple[str, str], list[str]] = {}
    for manager, history, reason in found:
        why.setdefault((manager, reason), []).append(history)
    return [
        f"{manager}, {names[0] if len(names) == 1 else f'{len(names)} sessions'}: {reason}"
        for (manager, reason), names in why.items()
    ]


def _order(n: dict[str, Any]) -> float:
    return float(n["cost_with_refetch"])


def _row(n: dict[str, Any]) -> list[object]:
    needs, far = n["needs"], n["needs_far"]
    costs = [_million(n[name]) for name in ("cost", "cost_with_recall", "cost_with_refetch")]
    left = [needs["visible"], needs["recoverable"], needs["lost"]]
    whole = sum(far.values()) or 1
    share = f"{far['visible']} ({far['visible'] / whole:.2f})"
    name = n["manager"] + (f" ({n['histories']} of {n['asked']})" if n["histories"] < n["asked"] else "")
    return [name, *costs, n["prefix_breaks"], f"{n['max_request']:,}", *left, share, far["recoverable"], far["lost"]]


def _million(cost: float | None) -> str:
    return "–" if cost is None else f"{cost / 1e6:.3f}"


def _passes(found: list[dict[str, Any]]) -> str:
    """One pass: milliseconds at the smallest size, beside the fastest there, and the growth to each larger size."""
    if not found:
        return ""
    sizes = sorted({p["messages"] for p in found})
    by = {(p["manager"], p["messages"]): p for p in found}
    names = list(dict.fromkeys(p["manager"] for p in found))
    small = [by[n, sizes[0]] for n in names]
    fastest = min(min(p["seconds"]) for p in small if p["seconds"])
    head = ["manager", f"{sizes[0]:,} messages, ms: min", "median", "× the fastest"]
    head += [f"{size:,}: × its {sizes[0]:,}" for size in sizes[1:]]
    head += ["needles the summariser saw", "task kept verbatim"]
    rows = [_pass_row(by, name, sizes, fastest) for name in names]
    refused = [f"\n- {p['manager']}, {p['messages']:,} messages: {p['refused']}" for p in found if p["refused"]]
    notes = "\n\nNot finished:\n" + "".join(refused) if refused else ""
    return f"## One pass over a whole history\n\n{PASS}\n\n{table(head, rows)}{notes}"


PASS = """\
CPU time inside the process of each, on its own message objects, window 128,000. A manager that looks at what it throws
away takes longer than one that does not: read the times beside what was kept."""


def _pass_row(by: dict[Any, dict[str, Any]], name: str, sizes: list[int], fastest: float) -> list[object]:
    first = by[name, sizes[0]]
    if not first["seconds"]:
        return [name, *["–"] * (len(sizes) + 4)]
    least, middle = min(first["seconds"]), sorted(first["seconds"])[len(first["seconds"]) // 2]
    growth = [by.get((name, size), {}).get("seconds") for size in sizes[1:]]
    ratios = [f"{min(seconds) / least:.1f}" if seconds else "–" for seconds in growth]
    kept = "yes" if first["task_kept"] else "no"
    times = [f"{least * 1e3:.1f}", f"{middle * 1e3:.1f}", f"{least / fastest:.1f}"]
    return [name, *times, *ratios, f"{first['seen']} of {first['needles']}", kept]


def _speed(timings: list[dict[str, Any]]) -> str:
    if not timings:
        return ""
    rows = [[t["name"], _time(t["least"]), _time(t["middle"]), t["repeats"], _ratio(t)] for t in timings]
    return "## Our engine\n\nCPU time.\n\n" + table(["what", "min", "median", "repeats", "ratio of the minima"], rows)


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


def _ratio(timing: dict[str, Any]) -> str:
    return f"{timing['ratio']:.2f} × {timing['against']}" if timing["ratio"] else ""

"""``python -m benchmarks``: the same histories through our engine and through its peers, in one run and one table."""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from astroresearch.replay.player import ReplayFailed

from . import environments
from .hindsight import bounds
from .histories import History, recorded, synthetic, trajectories
from .managers import OURS, PEERS, Manager, NoManager, Peer
from .measure import Measured, measure, numbers
from .passes import SIZES, passes
from .report import page
from .speed import histories_for, speeds

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent / "docs" / "benchmarks.md"
PARTS = ("growing", "recorded", "passes", "speed")


def main(arguments: Sequence[str] | None = None) -> None:
    asked = _options(arguments)
    started = time.monotonic()
    peers, installed = _install(asked.peers)
    result: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "python": platform.python_version(),
        "peers": installed,
        "growing": [_group(histories, name, about, peers) for name, about, histories in _groups(asked.parts)],
    }
    if "passes" in asked.parts:
        result["passes"] = [_said(asdict(p)) for p in passes(peers, [n for n in SIZES if n <= asked.largest])]
    if "speed" in asked.parts:
        sizes = {size: calls for size, calls in SIZES.items() if size <= asked.largest}
        result["speed"] = [_said(asdict(t)) for t in speeds(histories_for(sizes))]
    result["seconds"] = time.monotonic() - started
    _write(result, asked.docs)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--peers", type=_names, default=None, help="folders of benchmarks/peers, comma-separated")
    parser.add_argument("--parts", type=_names, default=list(PARTS), help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--largest", type=int, default=max(SIZES), help="messages of the largest history that is timed")
    parser.add_argument("--docs", action="store_true", help="also write docs/benchmarks.md")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}; known are {', '.join(PARTS)}")
    if unknown := set(asked.peers or ()) - {p.folder for p in PEERS}:
        parser.error(f"unknown peer {', '.join(sorted(unknown))}; known are {', '.join(_folders())}")
    return asked


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _folders() -> list[str]:
    return list(dict.fromkeys(p.folder for p in PEERS))


def _install(wanted: list[str] | None) -> tuple[list[Peer], dict[str, dict[str, str]]]:
    """Make the peers' environments one by one; return the peers that can be asked, and what became of each."""
    installed = {}
    for folder in _folders() if wanted is None else wanted:
        skipped = ""
        _tell(f"installing {environments.versions(folder)}")
        try:
            environments.make(folder)
        except environments.Unavailable as error:
            skipped = str(error)
            _tell(f"  skipped: {skipped}")
        installed[folder] = {"versions": environments.versions(folder), "skipped": skipped}
    usable = [p for p in PEERS if p.folder in installed and not installed[p.folder]["skipped"]]
    return usable, installed


def _groups(parts: list[str]) -> Iterator[tuple[str, str, list[History]]]:
    if "growing" in parts:
        about = "494 model calls, window 128,000; 40 identifiers planted in tool results, 32 of them needed much later."
        yield "synthetic", about, [synthetic()]
    if "recorded" not in parts:
        return
    sessions = list(recorded())
    if not sessions:
        _tell(f"recorded sessions skipped: {trajectories()} holds none; set ASTRORESEARCH_SHARED to where they are")
    for limit in sorted({h.limit for h in sessions}, reverse=True):
        found = [h for h in sessions if h.limit == limit]
        name = found[0].name.split("__")[0] if len(found) == 1 else f"{len(found)} recorded sessions"
        about = f"Every manager is asked to hold {limit:,} tokens: its own trigger is set there."
        yield f"{name} at {limit:,}", about, found


def _group(histories: list[History], name: str, about: str, peers: list[Peer]) -> dict[str, Any]:
    managers: list[Manager] = [NoManager(), *OURS, *peers]
    group: dict[str, Any] = {"name": name, "about": about, "managers": [], "skipped": []}
    for manager in managers:
        measured = list(_all(manager, histories, group["skipped"]))
        if measured:
            row = {"manager": manager.name, "asked": len(histories), **numbers(measured)}
            group["managers"].append(row)
            _said({key: row[key] for key in ("manager", "cost_with_refetch", "needs", "needs_far")})
    group["hindsight"] = _hindsight(histories)
    return group


def _all(manager: Manager, histories: list[History], skipped: list[tuple[str, str, str]]) -> Iterator[Measured]:
    for history in histories:
        try:
            yield measure(manager, history)
        except ReplayFailed as error:
            skipped.append((manager.name, history.name, str(error).rpartition("Refused: ")[2]))
            _tell("  " + ": ".join(skipped[-1]))


def _hindsight(histories: list[History]) -> dict[str, float | None]:
    """Return the sum of each bound; None where one history has none."""
    found = [asdict(bounds(h)) for h in histories]
    return {name: _sum([b[name] for b in found]) for name in found[0]}


def _sum(costs: list[float | None]) -> float | None:
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _said(row: dict[str, Any]) -> dict[str, Any]:
    _tell("  " + ", ".join(f"{key} {value}" for key, value in row.items()))
    return row


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _write(result: dict[str, Any], docs: bool) -> None:
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    stem = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    text = page(result)
    (folder / f"{stem}.json").write_text(json.dumps(result, ensure_ascii=False, indent=1))
    (folder / f"{stem}.md").write_text(text)
    if docs:
        DOCS.write_text(text)
    print(text)


if __name__ == "__main__":
    main()

"""What the benchmark counts beyond the replay: peers behind their line, and what lost needs would cost."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.histories import WINDOW, History, synthetic
from benchmarks.line import Line, Refused
from benchmarks.managers import COUNT, NoManager, Peer, PeerSession
from benchmarks.measure import measure, numbers
from benchmarks.report import page

from astroresearch.replay.metrics import PRICES

FORGETS = {"role": "tool", "tool_call_id": "c0", "content": "gone"}


class Forgetful:
    """A manager that blanks the first result as soon as there is a second one, keeping the original under *key*."""

    name, folder = "forgetful", ""

    def __init__(self, key: str = "") -> None:
        self._key = key

    def session(self, history: History) -> PeerSession:
        return PeerSession(self._lines(history))

    def _lines(self, history: History) -> Iterator[dict[str, Any]]:
        for i, message in enumerate(history.messages):
            if message["role"] != "assistant":
                continue
            view = list(history.messages[:i])
            if i > 3:
                view[2] = {**FORGETS, "content": f"gone {self._key}"}
            kept = {self._key: str(history.messages[2]["content"])} if self._key and i > 3 else {}
            yield {"at": i, "keep": 0, "add": view, "summaries": [], "kept": kept}


def history() -> History:
    def call(n: int, about: str) -> dict[str, Any]:
        function = {"name": "look", "arguments": f'{{"about": "{about}"}}'}
        return {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": f"c{n}", "type": "function", "function": function}],
        }

    def result(n: int, text: str) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": f"c{n}", "content": text}

    return History(
        "one need",
        [
            {"role": "user", "content": "find it"},
            call(0, "all"),
            result(0, "the calibrator is NDL-123456 " + "and more " * 50),
            call(1, "others"),
            result(1, "nothing here"),
            call(2, "NDL-123456"),
        ],
        WINDOW,
    )


def test_a_lost_need_is_charged_one_more_request_and_its_source() -> None:
    measured = measure(Forgetful(), history())
    found = numbers([measured])
    view = measured.run.steps[-1].tokens
    assert found["needs"]["lost"] == 1
    assert found["cost_with_recall"] == found["cost"]
    source = COUNT(history().messages[2])
    assert found["cost_with_refetch"] == pytest.approx(found["cost"] + PRICES.cached * view + source, abs=0.2)


def test_what_is_kept_under_a_key_in_the_view_can_be_had_back() -> None:
    found = numbers([measure(Forgetful("store/original-1"), history())])
    assert found["needs"] == {"visible": 0, "recoverable": 1, "lost": 0}
    assert found["cost"] < found["cost_with_recall"] == found["cost_with_refetch"]


def test_nothing_is_lost_where_nothing_is_managed() -> None:
    found = numbers([measure(NoManager(), synthetic(80))])
    assert found["needs"]["lost"] == found["prefix_breaks"] == 0
    assert found["cost_with_refetch"] == found["cost"]


def test_a_history_is_the_same_every_time_and_holds_its_needles() -> None:
    one, other = synthetic(), synthetic()
    assert one == other
    assert len(one.messages) == 1_001
    assert len(set(one.needles)) == 40
    texts = [str(m) for m in one.messages]
    assert all(sum(needle in text for text in texts) >= 2 for needle in one.needles)


def test_our_own_engine_answers_behind_the_line() -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "peers" / "astroresearch" / "peer.py"
    line = Line([sys.executable, str(script)])
    order = {
        **Peer("ours", "astroresearch", "adaptive").order(synthetic(80)),
        "mode": "pass",
        "repeats": 1,
        "patience": 9,
    }
    try:
        [answer] = line.ask(order)
        assert len(answer["seconds"]) == 1
        with pytest.raises(Refused, match="unknown policy"):
            list(line.ask({**order, "variant": "best"}))
        assert list(line.ask({**order, "mode": "grow"}))[-1]["at"] == len(synthetic(80).messages) - 2
    finally:
        line.stop()


def test_a_peer_that_dies_is_refused_and_said_so() -> None:
    line = Line([sys.executable, "-c", "input()"])
    with pytest.raises(Refused, match="ended"):
        list(line.ask({"mode": "pass"}))


def test_the_page_shows_every_manager_with_its_costs() -> None:
    row = {"manager": "none", "asked": 1, **numbers([measure(NoManager(), history())])}
    group = {
        "name": "one",
        "about": "short",
        "managers": [row],
        "hindsight": {"floor": 12.0},
        "skipped": [["a", "b", "c"]],
    }
    text = page({"date": "today", "machine": "one", "python": "3", "seconds": 60, "peers": {}, "growing": [group]})
    assert "| none | 0.000 |" in text
    assert "- a, b: c" in text

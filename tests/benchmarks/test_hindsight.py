"""The hindsight bounds are bounds: nobody is below the floor, and knowing less costs more."""

import random

import pytest
from benchmarks.hindsight import bounds
from benchmarks.histories import History, synthetic
from benchmarks.managers import OURS, Manager, NoManager
from benchmarks.measure import measure, numbers
from hypothesis import given
from hypothesis import strategies as st

LIMIT = 8_000


def history(seed: int, calls: int = 90) -> History:
    return synthetic(calls, limit=LIMIT, result_characters=400, seed=seed)


@pytest.mark.parametrize("manager", [NoManager(), *OURS], ids=lambda m: m.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_manager_is_cheaper_than_the_floor(manager: Manager, seed: int) -> None:
    measured = numbers([measure(manager, history(seed))])
    assert bounds(history(seed)).floor <= measured["cost_with_refetch"]


@given(st.integers(0, 10_000))
def test_what_must_stay_whole_makes_the_bound_dearer(seed: int) -> None:
    found = bounds(history(seed, calls=random.Random(seed).randint(75, 90)))
    assert found.notes is not None
    assert found.working is not None
    assert found.clearing is not None
    assert found.floor <= found.notes <= found.working <= found.clearing


def test_a_history_without_needs_is_paid_once_and_then_forgotten() -> None:
    said = [{"role": "user", "content": "go on"}, {"role": "assistant", "content": "well"}] * 20
    found = bounds(History("plain", said, LIMIT))
    users = 20 * (len("go on") // 4 + 4)
    assistants = 19 * (len("well") // 4 + 4)  # the last answer is in no request
    assert found.floor == users + assistants


def test_a_limit_below_one_message_still_has_bounds() -> None:
    found = bounds(synthetic(90, limit=100, result_characters=4_000))
    assert found.notes is not None


def test_no_assistant_message_costs_nothing() -> None:
    assert bounds(History("empty", [{"role": "user", "content": "hello"}], LIMIT)).floor == 0

"""The ladder's laws over random schedules of faults on a fake clock, and each rung by itself."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.model.chaotic import TROUBLES, fault, schedule
from astroresearch.model.faults import Fault, FaultKind, classify_error, noticed
from astroresearch.model.ladder import (
    AggressiveCompact,
    Attempts,
    ClampOutput,
    DegradeMedia,
    EscalateTokens,
    Fallback,
    MultiTurn,
    ReactiveCompact,
    Retry,
    Rung,
    Situation,
    Surface,
    backoff,
    next_rung,
)
from tests.model.wordings import WORDINGS

NEVER = {FaultKind.Auth, FaultKind.Quota, FaultKind.ContentFilter, FaultKind.InvalidRequest, FaultKind.NotFound}
OVERFLOW = {FaultKind.PromptTooLong, FaultKind.TokenExhausted}
WORDED = [classify_error(status=s, body=b, headers=h) for _, s, b, h in WORDINGS]
SEEN = [*WORDED, *map(noticed, ("cut", "truncated", "silent", "empty", "webpage", "history"))]
OVERLOADED = Fault(kind=FaultKind.Overloaded, retryable=True)
LIMITED = Fault(kind=FaultKind.RateLimited, retryable=True)
TOO_LONG = Fault(kind=FaultKind.PromptTooLong, cause="tokens")
TABLE = Situation(key="s:1")


def turn(faults: list[Fault | None], situation: Situation) -> tuple[list[tuple[Fault, Rung]], Attempts, bool]:
    """Play one turn on a fake clock; None in *faults* is an answer. Return what was done, and whether it surfaced."""
    attempts, done = Attempts(), list[tuple[Fault, Rung]]()
    for found in faults:
        if found is None:
            attempts = attempts.answered()
            continue
        rung, attempts = next_rung(found, attempts, situation)
        done.append((found, rung))
        if isinstance(rung, Surface):
            return done, attempts, True
    return done, attempts, False


def check(faults: list[Fault | None], situation: Situation) -> None:
    done, attempts, _ = turn(faults, situation)
    waited = sum(rung.delay for _, rung in done if isinstance(rung, Retry))
    assert waited == pytest.approx(attempts.waited)
    assert waited <= situation.max_wait
    assert sum(isinstance(rung, Retry) for _, rung in done) <= situation.max_tries
    for found, rung in done:
        assert not isinstance(rung, Retry) or (found.retryable and found.kind not in NEVER | OVERFLOW)
        assert not isinstance(rung, Retry) or rung.delay >= (found.retry_after or 0)
        assert found.kind not in NEVER or isinstance(rung, Surface) or (found.cause == "media" and situation.has_media)
    once = [type(rung) for _, rung in done if not isinstance(rung, Retry | MultiTurn | Surface)]
    assert len(once) == len(set(once)), once


def test_2000_random_schedules_end_within_the_bounds() -> None:
    played = {t: [fault(t, random.Random(n)) for n in range(12)] for t in TROUBLES if t not in {"none", "slow"}}
    for seed in range(2_000):
        dice = random.Random(seed)
        situation = Situation(
            key=f"s{seed}:1",
            fallback=dice.choice(["", "openai/other"]),
            has_media=dice.random() < 0.5,
            has_text=dice.random() < 0.5,
            max_wait=dice.choice([0.0, 5.0, 60.0, 300.0]),
            max_tries=dice.choice([0, 1, 3, 10]),
            background=dice.random() < 0.1,
        )
        troubles = schedule(seed, 60, tuple(t for t in TROUBLES if t != "slow"))
        check([None if t == "none" else dice.choice(played[t]) for t in troubles], situation)


@pytest.mark.laws
@given(
    st.lists(st.none() | st.sampled_from(SEEN), max_size=60), st.text(), st.booleans(), st.booleans(), st.floats(0, 600)
)
def test_any_schedule_ends_within_the_bounds(
    faults: list[Fault | None], key: str, media: bool, text: bool, max_wait: float
) -> None:
    check(faults, Situation(key=key, fallback="m", has_media=media, has_text=text, max_wait=max_wait))


@pytest.mark.parametrize("found", [f for f in SEEN if f.cause != "cut"])
def test_no_fault_goes_on_for_ever(found: Fault) -> None:
    done, _, surfaced = turn([found] * 40, Situation(key="k", has_media=True, fallback="other"))
    assert surfaced, done


@pytest.mark.parametrize("found", [f for f in SEEN if f.kind in NEVER and f.cause != "media"])
def test_what_waiting_cannot_heal_is_surfaced_at_once(found: Fault) -> None:
    rung, _ = next_rung(found, Attempts(), Situation(key="k", fallback="other", has_media=True))
    assert rung == Surface("surface_never")


def test_the_backoff_is_the_documents_with_jitter_up_to_a_quarter() -> None:
    for attempt in range(12):
        base = min(500 * 2**attempt, 32_000) / 1000
        delays = {backoff(attempt, f"session{n}:1") for n in range(50)}
        assert all(base <= delay <= 1.25 * base for delay in delays)
        assert len(delays) == 50, "all clients would wake together"


def test_the_jitter_is_the_same_again_for_the_same_request() -> None:
    assert backoff(3, "a:1") == backoff(3, "a:1") != backoff(3, "a:2")


@given(st.floats(0.001, 300), st.integers(0, 20), st.text())
def test_a_delay_that_the_server_asks_for_is_never_shortened(asked: float, attempt: int, key: str) -> None:
    assert asked <= backoff(attempt, key, asked) <= asked * 1.1


def test_too_long_climbs_the_documents_steps_each_once() -> None:
    done, _, surfaced = turn([TOO_LONG] * 9, TABLE)
    assert [type(rung) for _, rung in done] == [AggressiveCompact, ReactiveCompact, EscalateTokens, MultiTurn, Surface]
    assert surfaced
    assert done[2][1] == EscalateTokens(64_000)


def test_the_hard_limit_is_not_raised_over_a_window_that_is_smaller() -> None:
    small = Fault(kind=FaultKind.PromptTooLong, cause="tokens", window=4_096, prompt_tokens=9_031)
    done, _, _ = turn([small] * 9, TABLE)
    assert EscalateTokens not in [type(rung) for _, rung in done]


def test_an_output_limit_is_obeyed_before_anything_is_compacted() -> None:
    told = "max_tokens is too large: 20000. This model supports at most 4096 completion tokens"
    rung, attempts = next_rung(classify_error(status=400, body=told), Attempts(), TABLE)
    assert rung == ClampOutput(4_096)
    again, _ = next_rung(classify_error(status=400, body=told), attempts, TABLE)
    assert again == AggressiveCompact()


def test_output_is_clamped_to_the_room_that_is_left() -> None:
    told = "input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000"
    rung, _ = next_rung(classify_error(status=400, body=told), Attempts(), TABLE)
    assert rung == ClampOutput(5_000)


def test_too_many_bytes_degrade_images_first() -> None:
    bulky = classify_error(status=413, body="<html>413 Request Entity Too Large</html>")
    done, _, _ = turn([bulky] * 5, Situation(key="k", has_media=True))
    assert [type(rung) for _, rung in done] == [DegradeMedia, AggressiveCompact, ReactiveCompact, Surface]


def test_three_overloads_in_a_row_fall_back_and_say_so() -> None:
    situation = Situation(key="k", fallback="openai/other")
    done, attempts, _ = turn([OVERLOADED] * 3, situation)
    assert [type(rung) for _, rung in done] == [Retry, Retry, Fallback]
    assert done[-1][1] == Fallback("openai/other", "fallback_overloaded", count=3, tries=2)
    assert attempts.fell_back


@pytest.mark.parametrize("between", [None, LIMITED])
def test_three_means_in_a_row(between: Fault | None) -> None:
    done, _, _ = turn([OVERLOADED, OVERLOADED, between, OVERLOADED], Situation(key="k", fallback="other"))
    assert Fallback not in [type(rung) for _, rung in done]


def test_without_a_fallback_overloads_are_waited_for_up_to_ten_times() -> None:
    done, attempts, surfaced = turn([OVERLOADED] * 20, TABLE)
    assert [type(rung) for _, rung in done] == [Retry] * 10 + [Surface]
    assert surfaced
    assert attempts.waited < 300


@pytest.mark.parametrize(("fallback", "kind"), [("", Surface), ("other", Fallback)])
def test_a_wait_of_more_than_five_minutes_is_not_slept(fallback: str, kind: type[Rung]) -> None:
    day = classify_error(status=429, headers={"retry-after": "86400"})
    rung, attempts = next_rung(day, Attempts(), Situation(key="k", fallback=fallback))
    assert isinstance(rung, kind)
    assert getattr(rung, "seconds", 0) == 86_400
    assert attempts.waited == 0


def test_a_background_call_does_not_retry_an_overload() -> None:
    rung, _ = next_rung(OVERLOADED, Attempts(), Situation(key="k", background=True))
    assert rung == Surface("surface_background")


def test_an_empty_answer_is_asked_for_again_twice_at_most() -> None:
    done, _, _ = turn([noticed("empty")] * 5, TABLE)
    assert [type(rung) for _, rung in done] == [Retry, Retry, Surface]


def test_a_cut_answer_is_continued_up_to_a_bound() -> None:
    done, _, _ = turn([noticed("cut"), None] * 6, TABLE)
    assert [type(rung) for _, rung in done] == [MultiTurn, MultiTurn, MultiTurn, Surface]


def test_a_cut_answer_without_a_word_gets_more_room_once() -> None:
    done, _, _ = turn([noticed("cut")] * 3, Situation(key="k", has_text=False))
    assert [type(rung) for _, rung in done] == [EscalateTokens, Surface]

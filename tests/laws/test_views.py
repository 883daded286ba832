"""The laws of every view, for every history, policy and limit (issue: invariants by law)."""

import copy
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from astroresearch.context import ContextOverflow, Engine, Policy
from astroresearch.context.dicts import parse
from astroresearch.context.tokens import estimate_message

from .histories import broken, histories

pytestmark = pytest.mark.laws

policies = st.builds(
    lambda make, soft, early: make(soft_limit=soft, early=early),
    st.sampled_from([Policy.document, Policy.adaptive]),
    st.integers(300, 4_000),
    st.booleans(),
)
summarisers = st.sampled_from([None, lambda m, i: "They compared values.", lambda m, i: "", lambda m, i: 1 / 0])
windows = st.integers(900, 6_000)


def engine(policy: Policy, window: int, summarise: Any = None) -> Engine:
    return Engine(policy=policy, window=window, reserve=100, summarise=summarise)


def grown(made: Engine, history: list[dict[str, Any]]) -> list[Any]:
    """Fit as an agent does: before each assistant message, and at the end."""
    stops = [i for i, m in enumerate(history) if m["role"] == "assistant" and i] + [len(history)]
    return [made.fit(history[:i]) for i in stops]


def fits(made: Engine, history: list[dict[str, Any]]) -> list[Any]:
    try:
        return grown(made, history)
    except ContextOverflow:
        assume(False)
        return []


@given(histories(), policies, windows, summarisers)
def test_every_view_is_valid_and_inside_the_window(history, policy, window, summarise):
    before = copy.deepcopy(history)
    for fitted in fits(engine(policy, window, summarise), history):
        assert broken(fitted.messages) == ""
        counted = sum(estimate_message(parse(m, 0), policy.image_tokens) for m in fitted.messages)
        assert counted <= window - 100
        assert fitted.tokens == counted
    assert history == before, "the input was mutated"


@given(histories(), policies, windows, summarisers)
def test_the_system_prompt_and_the_first_question_survive(history, policy, window, summarise):
    view = fits(engine(policy, window, summarise), history)[-1].messages
    cut = any("cut from the middle" in json.dumps(m) or "left out" in json.dumps(m) for m in view)
    if history[0]["role"] == "system":
        assert view[0] == history[0]
    if not cut and history and (first := next((m for m in history if m["role"] != "system"), None)):
        assert first["role"] != "user" or first in view


@given(histories(), policies, windows, summarisers)
def test_whatever_left_the_view_is_covered_by_a_reference_that_gives_it_back(history, policy, window, summarise):
    made = engine(policy, window, summarise)
    fitted = fits(made, history)[-1]
    for position, message in enumerate(history):
        if not isinstance(message["content"], str) or any(stands(message, m) for m in fitted.messages):
            continue
        refs = [r for r in fitted.references if covers(r, position)]
        assert refs, f"m{position} is gone without a reference: {fitted.references}"
        shown = "\n".join(json_text(m) for m in fitted.messages)
        assert any(ref in shown for ref in refs)
        assert message["content"] in paged(made, f"m{position}")


def stands(message: dict[str, Any], shown: dict[str, Any]) -> bool:
    """Whether *shown* is *message*, perhaps with healed call ids, or an orphan result told in words."""
    if message["role"] == "tool":
        return message["content"] in json_text(shown)
    return said(message) == said(shown)


def said(message: dict[str, Any]) -> tuple[str, list[Any]]:
    return message["content"] or "", [c["function"] for c in message.get("tool_calls", [])]


def json_text(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(message, ensure_ascii=False)


def covers(ref: str, position: int) -> bool:
    ends = [int(n) for n in re.findall(r"\d+", ref)]
    return ends[0] <= position <= ends[-1]


def paged(made: Engine, ref: str) -> str:
    text, offset = "", 0
    while True:
        page = made.recall(ref, offset=offset)
        more = re.search(r"\n\[\d+ more characters: recall_context\(ref=\"m[\d-]+\", offset=(\d+)\)\]$", page)
        text += page[: more.start()] if more else page
        if not more:
            return text
        offset = int(more[1])


@given(histories(), policies, windows, summarisers)
def test_fitting_again_changes_nothing_and_a_restart_neither(history, policy, window, summarise):
    made = engine(policy, window, summarise)
    last = fits(made, history)[-1]
    assert made.fit(list(history)) is last
    restored = Engine.load(json.loads(json.dumps(made.dump())), policy=policy, window=window, reserve=100)
    again = restored.fit(copy.deepcopy(history))
    assert json.dumps(again.messages) == json.dumps(last.messages)
    assert again.references == last.references


rules_said = st.integers(1, 190).map(lambda n: "红 z" * (n // 3) + str(n))


@given(histories(most=12), st.lists(rules_said, min_size=1, max_size=3), policies)
def test_user_messages_stay_verbatim_while_they_are_a_fifth_of_the_budget(history, said, policy):
    history = [m for m in history if m["role"] not in ("user", "system")]
    rules = [f"You must keep rule {i}: {text}" for i, text in enumerate(said)]
    for i, text in enumerate(rules):
        history.insert(len(history) * i // len(rules), {"role": "user", "content": text})
    made = engine(replace(policy, soft_limit=3_000), 100_000)
    grown(made, history)
    for _ in range(5):
        view = made.compact().messages
        shown = "\n".join(json_text(m) for m in view)
        assert all(text in shown for text in rules)

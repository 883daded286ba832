"""The laws of every layer: pairs whole, tokens never grow, idempotent, a no-op is the very same view."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.context.cut import cut_by_tokens, find_safe_cut_point
from astroresearch.context.dicts import parse, to_dict
from astroresearch.context.layers.arguments import arguments
from astroresearch.context.layers.micro import micro
from astroresearch.context.layers.stale import stale
from astroresearch.context.layers.truncate import truncate
from astroresearch.context.policy import Policy
from astroresearch.context.rules import Rules
from astroresearch.context.tokens import estimate_message
from astroresearch.context.view import View, total
from astroresearch.context.window import Window

from .histories import broken, histories

pytestmark = pytest.mark.laws

LAYERS = {
    "stale": stale,
    "micro": lambda view, rules: micro(view, rules, 8, 0),
    "aggressive": lambda view, rules: micro(view, rules, 2, 0),
    "arguments": lambda view, rules: arguments(view, rules, 100),
    "truncate": lambda view, rules: truncate(view, rules, max(total(view) * 2 // 3, 400)),
}


def rules() -> Rules:
    return Rules(
        Policy.document(), estimate_message, limit=1_000, target=600, hard=2_000, state_room=100, block_room=100
    )


def view_of(history) -> View:
    window = Window(Policy.document())
    for i, message in enumerate(history):
        window.append(parse(message, i))
    return window.view


@pytest.mark.parametrize("name", LAYERS)
@given(history=histories())
def test_a_layer_keeps_pairs_never_grows_and_is_idempotent(name, history):
    view = view_of(history)
    once = LAYERS[name](view, rules())
    assert broken([to_dict(item.message) for item in once]) == ""
    assert total(once) <= total(view)
    assert len(once) == len(view)
    if name != "truncate":
        assert LAYERS[name](once, rules()) is once
    if total(once) == total(view):
        assert once is view


@given(histories(), st.integers(0, 60), st.integers(0, 3_000))
def test_no_cut_parts_a_call_from_its_result(history, keep, tokens):
    view = view_of(history)
    for at in (find_safe_cut_point(view, keep), cut_by_tokens(view, tokens, 0)):
        assert broken([{"role": "user"}, *(to_dict(item.message) for item in view[at:])]) == ""
        assert broken([to_dict(item.message) for item in view[:at]]) == ""
    assert len(view) - find_safe_cut_point(view, keep) >= min(keep, len(view))

"""The law of the codec: what was encoded is decoded as it was, and nothing else is decoded."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.context.messages import Media, Message, Text, Thinking, ToolCall, ToolResult, user
from astroresearch.store.codec import ORIGINS, ROLES, STATUSES, decode, encode, plain, to_json
from astroresearch.store.sessions import BadRecord

PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=30).filter(lambda t: not PAIR.search(t))
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))
objects = st.dictionaries(texts, values, max_size=3)
parts = st.one_of(
    st.builds(Text, texts),
    st.builds(Thinking, texts, texts, objects),
    st.builds(Media, texts, objects),
    st.builds(ToolCall, texts, texts, texts),
    st.builds(ToolResult, texts, texts, texts, st.sampled_from(sorted(STATUSES))),
)
messages = st.builds(
    Message,
    st.sampled_from(sorted(ROLES)),
    st.lists(parts, max_size=5).map(tuple),
    st.sampled_from(sorted(ORIGINS)),
    objects,
)


@given(messages)
def test_every_message_survives(message: Message) -> None:
    raw = encode(message)
    assert decode(raw) == message
    assert "\0" not in raw
    raw.encode()  # every database can take it


@given(texts)
def test_plain_text_can_be_stored_everywhere_and_stays_itself_otherwise(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert "\0" not in shown
    shown.encode()
    assert plain(shown) == shown
    assert all(a == b for a, b in zip(text, shown, strict=True) if a != "\0" and not "\ud800" <= a <= "\udfff")


def test_halves_side_by_side_come_back_as_the_character_they_are() -> None:
    assert decode(encode(user("\ud83d\ude00"))) == user("😀")


def test_a_good_text_is_stored_readable() -> None:
    assert "哈勃" in encode(user("哈勃 😀"))


GOOD = json.loads(encode(Message("assistant", (Text("a"), Thinking("b", "c"), Media("m", {}), ToolCall("d", "e")))))
RESULT = json.loads(encode(Message("tool", (ToolResult("a", "b"),), "tool")))


@pytest.mark.parametrize(
    "raw",
    ["", "{", "[]", "null", "7", '"text"', "{}", '{"role": "user"}', "[" * 100_000, encode(user("a")) + "]"]
    + [json.dumps({**GOOD, field: wrong}) for field in ("role", "origin", "parts", "extra") for wrong in (7, "x", [7])]
    + [json.dumps({**GOOD, "parts": [{**part, "type": "x"}]}) for part in GOOD["parts"]]
    + [
        json.dumps({**GOOD, "parts": [{**part, field: 7}]})
        for part in [*GOOD["parts"], *RESULT["parts"]]
        for field in part
    ],
)
def test_what_is_no_message_is_a_typed_error(raw: str) -> None:
    with pytest.raises(BadRecord, match="message can't be stored or read"):
        decode(raw)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", {"deep": [object()]}, {(1, 2): 3}])
def test_what_is_no_json_is_a_typed_error(value: object) -> None:
    with pytest.raises(BadRecord, match="metadata can't be stored"):
        to_json(value, "metadata")


def test_a_value_that_holds_itself_is_a_typed_error() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(BadRecord):
        to_json(loop)

"""Histories and schemas that the tests of both wires share."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from hypothesis import strategies as st
from pydantic import TypeAdapter

from astroresearch.context.messages import (
    History,
    Media,
    Message,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    assistant,
    system,
    tool_result,
    user,
)

SEARCH = {
    "type": "function",
    "function": {
        "name": "search_library",
        "description": "Search the library.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}
PNG = Media("image", {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}})
ONE = ToolCall("call_1", "search_library", '{"query": "H0"}')
TWO = ToolCall("call_2", "read_paper", '{"id": "2022ApJ...934L...7R"}')
TALK: History = (
    system("You are an astronomer."),
    user("What is H0?"),
    Message("assistant", (Thinking("two searches", "SIG=="), Text("Let me look."), ONE, TWO), "model"),
    tool_result(ONE, "73.04 km/s/Mpc"),
    tool_result(TWO, "no such paper", "error"),
    user("Take the newest.", "reminder"),
    assistant("73.04 ± 1.04 km/s/Mpc."),
    user("Thanks. And in the CMB?"),
)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Valid histories: repeated ids, parallel calls, odd arguments, images, empty texts, thinking."""
    text = st.sampled_from(["", " ", "x", "H0 ± 1", "…\n", "half \ud800 pair"])
    ids = st.sampled_from(["", "a", "a", "list:0", "call_" + "9" * 60])
    arguments = st.sampled_from(["", "{}", '{"a": 1}', '{"a": ', "[1]", '{"a": NaN}', '"text"'])
    out: list[Message] = [system(t) for t in draw(st.lists(text, max_size=2))]
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(["user", "picture", "say", "think", "calls", "system"]))
        if kind == "user":
            out.append(user(draw(text), draw(st.sampled_from(["human", "reminder"]))))
        elif kind == "picture":
            out.append(Message("user", (Text(draw(text)), PNG)))
        elif kind == "say":
            out.append(assistant(draw(text)))
        elif kind == "think":
            out.append(Message("assistant", (Thinking("hm", draw(text)), Text(draw(text))), "model"))
        elif kind == "system":
            out.append(system(draw(text)))
        else:
            calls = tuple(ToolCall(draw(ids), "f", draw(arguments)) for _ in range(draw(st.integers(1, 3))))
            out.append(Message("assistant", (Text(draw(text)), *calls), "model"))
            for call in draw(st.permutations(calls)):
                shown = (PNG,) if draw(st.booleans()) else ()
                out.append(Message("tool", (ToolResult(call.id, draw(text), "f"), *shown), "tool"))
    return tuple(out)


def valid(schema: Any, value: Any) -> None:
    """Check *value* against an SDK's published type, its lazy parts too, and that the schema knows every key."""
    _same_keys(value, _adapter(schema).validate_python(value))


@cache
def _adapter(schema: Any) -> TypeAdapter[Any]:
    """Kept alive: the SDKs' lists are checked only as they are walked, by the adapter that made the walk."""
    return TypeAdapter(schema)


def _same_keys(given: Any, known: Any) -> None:
    if isinstance(given, dict):
        assert set(given) == set(known)
        for key in given:
            _same_keys(given[key], known[key])
    elif isinstance(given, list) and isinstance(known, Iterable):
        for one, other in zip(given, known, strict=True):
            _same_keys(one, other)

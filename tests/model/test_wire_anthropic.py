"""What goes over the wire to Anthropic: exact bodies, signed thinking, alternation, markers, stable prefixes."""

import json
from itertools import pairwise
from typing import Any

import pytest
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from hypothesis import given

from astroresearch.context.messages import (
    History,
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
from astroresearch.model.base import Request
from astroresearch.model.faults import ModelFailure
from astroresearch.model.transport import sendable
from astroresearch.model.wire_anthropic import body
from tests.model.histories import ONE, PNG, SEARCH, TALK, TWO, histories, valid

MARK = {"type": "ephemeral"}


def wire(history: History, **more: Any) -> dict[str, Any]:
    return body(Request(model="claude-x", history=history, **more))


def test_the_body_of_a_request_is_this() -> None:
    told = wire(TALK, tools=(SEARCH,), max_output=1_000, extra={"tool_choice": "none"})
    valid(MessageCreateParamsStreaming, told)
    function = SEARCH["function"]
    assert told == {
        "model": "claude-x",
        "max_tokens": 1_000,
        "stream": True,
        "system": [{"type": "text", "text": "You are an astronomer.", "cache_control": MARK}],
        "tools": [
            {
                "name": "search_library",
                "input_schema": function["parameters"],  # type: ignore[index]
                "description": "Search the library.",
            }
        ],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "What is H0?"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "two searches", "signature": "SIG=="},
                    {"type": "text", "text": "Let me look."},
                    {"type": "tool_use", "id": "call_1", "name": "search_library", "input": {"query": "H0"}},
                    {"type": "tool_use", "id": "call_2", "name": "read_paper", "input": {"id": "2022ApJ...934L...7R"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "call_1", "content": "73.04 km/s/Mpc"},
                    {"type": "tool_result", "tool_use_id": "call_2", "content": "no such paper", "is_error": True},
                    {"type": "text", "text": "Take the newest.", "cache_control": MARK},
                ],
            },
            {"role": "assistant", "content": [{"type": "text", "text": "73.04 ± 1.04 km/s/Mpc."}]},
            {
                "role": "user",
                "content": [{"type": "text", "text": "Thanks. And in the CMB?", "cache_control": MARK}],
            },
        ],
        "tool_choice": {"type": "none"},
    }


def test_signed_thinking_goes_back_byte_for_byte_to_the_model_that_signed_it() -> None:
    signed = Thinking("hm \u2028 ½\n ", "EqQB/+==", {"model": "claude-x"})
    redacted = Thinking("", "", {"type": "redacted_thinking", "data": "Enc==", "model": "claude-x"})
    history = (user("x"), Message("assistant", (signed, redacted, ONE), "model"), tool_result(ONE, "1"))
    assert wire(history)["messages"][1]["content"][:2] == [
        {"type": "thinking", "thinking": "hm \u2028 ½\n ", "signature": "EqQB/+=="},
        {"type": "redacted_thinking", "data": "Enc=="},
    ]
    other = body(Request(model="claude-y", history=history))["messages"][1]["content"]
    assert [b["type"] for b in other] == ["tool_use"]


def test_thinking_without_a_signature_is_not_sent() -> None:
    history = (user("x"), assistant("y", thought="of another provider"), user("z"))
    assert wire(history)["messages"][1]["content"] == [{"type": "text", "text": "y"}]


def test_neighbouring_users_are_merged_results_first() -> None:
    history = (user("x"), assistant("", ONE, TWO), tool_result(ONE, "1"), tool_result(TWO, "2"), user("a"), user("b"))
    last = wire(history)["messages"][-1]
    assert [b["type"] for b in last["content"]] == ["tool_result", "tool_result", "text", "text"]


def test_nothing_empty_is_sent() -> None:
    history = (user(""), assistant(" "), user("x"), assistant("", ONE), tool_result(ONE, ""))
    told = wire(history)["messages"]
    assert [m["role"] for m in told] == ["user", "assistant", "user"]
    assert [b["text"] for b in told[0]["content"]] == ["…", "x"]
    assert "content" not in told[2]["content"][0]


def test_a_history_that_begins_or_ends_with_the_model_is_put_between_users() -> None:
    assert [m["role"] for m in wire((assistant("a"),))["messages"]] == ["user", "assistant", "user"]


def test_an_image_is_turned_into_anthropics_form_also_inside_a_result() -> None:
    shown = Message("tool", (ToolResult("call_1", "a plot"), PNG), "tool")
    told = wire((Message("user", (Text("see"), PNG)), assistant("", ONE), shown))["messages"]
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    assert told[0]["content"][1] == image | {"cache_control": MARK}
    assert told[2]["content"][0]["content"] == [{"type": "text", "text": "a plot"}, image]


def test_arguments_that_are_no_object_are_carried_inside_one() -> None:
    bad = ToolCall("a", "f", '{"query": "H')
    told = wire((user("x"), assistant("", bad), tool_result(bad, "not JSON", "error")))
    assert told["messages"][1]["content"][0]["input"] == {"invalid_json": '{"query": "H'}


def test_a_later_system_message_becomes_the_users_in_its_place() -> None:
    told = wire((system("s"), user("x"), system("mind the units")))
    assert told["messages"][0]["content"][1]["text"] == "<system>\nmind the units\n</system>"


def test_calls_in_the_history_of_a_request_without_tools_are_declared_and_forbidden() -> None:
    told = wire((user("x"), assistant("", ONE), tool_result(ONE, "1")))
    assert [t["name"] for t in told["tools"]] == ["search_library"]
    assert told["tool_choice"] == {"type": "none"}


def test_what_is_rendered_anew_each_time_is_behind_the_last_marker() -> None:
    told = wire((system("static"), system("dynamic"), user("x"), user("[任务]", "tasks")))
    assert ["cache_control" in block for block in told["system"]] == [True, True]
    assert ["cache_control" in block for block in told["messages"][0]["content"]] == [True, False]


def test_a_call_alone_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ModelFailure, match="message 2"):
        wire((user("x"), assistant("", ONE), user("y")))


def flat(told: dict[str, Any]) -> list[str]:
    """All blocks with their role, without the cache markers, which move and do not count as content."""
    out = []
    for message in told["messages"]:
        for block in message["content"]:
            plain = {k: v for k, v in block.items() if k != "cache_control"}
            out.append(json.dumps([message["role"], plain]))
    return out


@given(histories())
def test_any_history_gives_a_valid_body(history: History) -> None:
    told = sendable(wire(history, tools=(SEARCH,)))
    valid(MessageCreateParamsStreaming, told)
    roles = [m["role"] for m in told["messages"]]
    assert roles[0] == roles[-1] == "user"
    assert all(one != other for one, other in pairwise(roles))
    assert json.dumps(told).count("cache_control") <= 4
    assert all(m["content"] for m in told["messages"])


@given(histories(), histories())
def test_two_consecutive_requests_share_their_prefix(before: History, after: History) -> None:
    later = tuple(m for m in after if m.role != "system")
    short, long = flat(wire(before)), flat(wire(before + later))
    padded = before[-1:] == () or all(m.role in ("assistant", "system") for m in before[-1:])
    kept = len(short) - 1 if padded else len(short)
    assert long[:kept] == short[:kept]

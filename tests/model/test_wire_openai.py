"""What goes over the wire to OpenAI-style servers: exact bodies, every quirk by name, stable prefixes."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageParam
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

from astroresearch.context.messages import (
    History,
    Media,
    Message,
    Text,
    ToolCall,
    ToolResult,
    assistant,
    system,
    tool_result,
    user,
)
from astroresearch.model.base import Request
from astroresearch.model.faults import ModelFailure
from astroresearch.model.quirks import ADAPTERS, adapted, quirks_for
from astroresearch.model.transport import sendable
from astroresearch.model.wire_openai import body, messages, object_text
from tests.model.histories import ONE, PNG, SEARCH, TALK, TWO, histories, valid

NAMES = st.sampled_from(["", *ADAPTERS])


def wire(history: History, *names: str) -> list[dict[str, Any]]:
    return messages(history, adapted(*names))


def call(wire_id: str, name: str, arguments: str) -> dict[str, object]:
    return {"id": wire_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_the_body_of_a_request_is_this() -> None:
    request = Request(model="gpt-x", history=TALK, tools=(SEARCH,), max_output=1_000, extra={"tool_choice": "none"})
    told = body(request, quirks_for("gpt-x"))
    valid(CompletionCreateParamsStreaming, told)
    assert told == {
        "model": "gpt-x",
        "messages": [
            {"role": "system", "content": "You are an astronomer."},
            {"role": "user", "content": "What is H0?"},
            {
                "role": "assistant",
                "content": "Let me look.",
                "tool_calls": [
                    call("call_1", "search_library", '{"query": "H0"}'),
                    call("call_2", "read_paper", '{"id": "2022ApJ...934L...7R"}'),
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "73.04 km/s/Mpc"},
            {"role": "tool", "tool_call_id": "call_2", "content": "no such paper"},
            {"role": "user", "content": "Take the newest."},
            {"role": "assistant", "content": "73.04 ± 1.04 km/s/Mpc."},
            {"role": "user", "content": "Thanks. And in the CMB?"},
        ],
        "max_completion_tokens": 1_000,
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [SEARCH],
        "tool_choice": "none",
    }


def test_a_choice_of_tools_goes_only_with_tools() -> None:
    assert "tool_choice" not in body(Request(model="m", history=(user("x"),), extra={"tool_choice": "none"}))


def test_ids_that_restart_each_turn_get_a_suffix_on_both_sides_and_the_first_keeps_its_own() -> None:
    again = ToolCall("list_dir:0", "list_dir", '{"path": "b"}')
    first = replace(again, arguments='{"path": "a"}')
    history = (user("x"), assistant("", first), tool_result(first, "A"), assistant("", again), tool_result(again, "B"))
    told = wire(history)
    ids = [c["id"] for m in told for c in m.get("tool_calls", ())]
    assert ids == ["list_dir_0", "list_dir_0_2"]
    assert [m["tool_call_id"] for m in told if m["role"] == "tool"] == ids
    assert [m["content"] for m in told if m["role"] == "tool"] == ["A", "B"]


def test_one_constant_id_for_parallel_calls_pairs_in_order() -> None:
    one, two = ToolCall("same", "f", '{"a": 1}'), ToolCall("same", "f", '{"a": 2}')
    told = wire((user("x"), assistant("", one, two), tool_result(one, "1"), tool_result(two, "2")))
    assert [c["id"] for c in told[1]["tool_calls"]] == [m["tool_call_id"] for m in told[2:]] == ["same", "same_2"]


@pytest.mark.parametrize("written", ["{'query': 'H0'}", '{"query": "H', "[1, 2]", '"H0"', '{"x": NaN}'])
def test_arguments_that_are_no_json_object_are_sent_inside_one_and_stored_as_written(written: str) -> None:
    bad = ToolCall("a", "f", written)
    told = wire((user("x"), assistant("", bad), tool_result(bad, "not JSON", "error")))
    assert json.loads(told[1]["tool_calls"][0]["function"]["arguments"]) == {"invalid_json": written}
    assert bad.arguments == written


def test_valid_arguments_stay_byte_for_byte() -> None:
    assert object_text('{ "b":1,\n"a" : "é" }') == '{ "b":1,\n"a" : "é" }'
    assert object_text("") == "{}"


def test_deepseek_gets_its_reasoning_back_with_the_calls_and_others_do_not() -> None:
    history = (user("x"), assistant("", ONE, thought="because"), tool_result(ONE, "1"), assistant("y"))
    told = wire(history, "deepseek")
    assert told[1]["reasoning_content"] == "because"
    assert "reasoning_content" not in told[3]
    assert all("reasoning_content" not in m for m in wire(history))


def test_deepseek_never_misses_the_field_when_another_model_made_the_call() -> None:
    assert wire((user("x"), assistant("", ONE), tool_result(ONE, "1")), "deepseek")[1]["reasoning_content"] == ""


def test_mistral_gets_a_bridge_between_a_result_and_a_user_on_the_wire_only() -> None:
    history = (user("x"), assistant("", ONE), tool_result(ONE, "1"), user("and?"))
    told = wire(history, "mistral")
    assert [m["role"] for m in told] == ["user", "assistant", "tool", "assistant", "user"]
    assert re.fullmatch("[A-Za-z0-9]{9}", told[2]["tool_call_id"])
    assert told[1]["tool_calls"][0]["id"] == told[2]["tool_call_id"]
    assert [m.role for m in history] == ["user", "assistant", "tool", "user"]


def test_content_beside_calls_is_null_or_empty_as_the_server_wants() -> None:
    history = (user("x"), assistant("", ONE), tool_result(ONE, "1"))
    assert wire(history)[1]["content"] is None
    assert wire(history, "ollama")[1]["content"] == ""


def test_the_system_role_has_the_name_that_the_model_knows() -> None:
    history = (system("s"), user("x"))
    for model, address, role in [
        ("gpt-5.6-luna", "", "developer"),
        ("gpt-4", "", "system"),
        ("o1-mini", "", "system"),
        ("gpt-5.6-luna", "http://localhost:8000/v1", "system"),
    ]:
        assert messages(history, quirks_for(model, address))[0]["role"] == role


def test_one_system_message_in_front_where_a_template_takes_no_more() -> None:
    told = wire((system("a"), system("b"), user("x"), system("c")), "llamacpp")
    assert [(m["role"], m["content"]) for m in told] == [("system", "a\n\nb"), ("user", "x"), ("user", "c")]


def test_roles_alternate_for_a_strict_template() -> None:
    told = wire(
        (system("s"), user("a"), user("b"), assistant(""), Message("user", (Text("c"), PNG))), "strict_template"
    )
    assert [m["role"] for m in told] == ["system", "user"]
    assert [p["type"] for p in told[1]["content"]] == ["text", "text", "image_url"]


def test_what_gemini_and_openrouter_signed_goes_back_unchanged_to_them_only() -> None:
    extra = {
        "calls": {"call_1": {"extra_content": {"google": {"thought_signature": "S"}}}},
        "reasoning_details": [{"d": 1}],
    }
    history = (user("x"), replace(assistant("", ONE), extra=extra), tool_result(ONE, "1"))
    assert wire(history, "gemini")[1]["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": "S"}}
    assert wire(history, "openrouter")[1]["reasoning_details"] == [{"d": 1}]
    assert "reasoning_details" not in wire(history)[1]
    assert "extra_content" not in wire(history)[1]["tool_calls"][0]


def test_what_a_tool_showed_follows_after_all_results_of_its_group() -> None:
    shown = Message("tool", (ToolResult("call_1", "a plot"), PNG), "tool")
    told = wire((user("x"), assistant("", ONE, TWO), shown, tool_result(TWO, "2"), assistant("y")))
    assert [m["role"] for m in told] == ["user", "assistant", "tool", "tool", "user", "assistant"]
    assert told[4]["content"][0]["type"] == "image_url"


def test_an_image_in_anthropics_form_is_turned() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    told = wire((Message("user", (Media("image", {"type": "image", "source": source}),)),))
    assert told[0]["content"] == [PNG.part]


@pytest.mark.parametrize(
    ("history", "index"),
    [
        ((user("x"), tool_result(ONE, "1")), 1),
        ((user("x"), assistant("", ONE), user("y")), 2),
        ((user("x"), assistant("", ONE)), 2),
        ((user("x"), assistant("", ONE), tool_result(ONE, "1"), tool_result(ONE, "1")), 3),
    ],
)
def test_a_call_or_a_result_alone_is_refused_before_it_is_sent(history: History, index: int) -> None:
    with pytest.raises(ModelFailure, match=f"message {index}") as caught:
        body(Request(model="m", history=history))
    assert caught.value.fault.kind == "InvalidRequest"
    assert not caught.value.fault.retryable


def test_adapters_are_chosen_by_address_model_and_hand() -> None:
    assert quirks_for("x", "https://api.mistral.ai/v1").names == ("mistral",)
    assert quirks_for("deepseek-r1:7b", "http://gpu.example:11434/v1").send_thought
    assert quirks_for("x", "http://localhost:8080/v1", ("no_end_marker",)).names == ("llamacpp", "no_end_marker")
    with pytest.raises(ValueError, match=r"unknown adapter nope.*deepseek"):
        adapted("nope")


@given(NAMES, histories())
def test_any_history_gives_a_valid_body_with_paired_unique_ids(name: str, history: History) -> None:
    told = wire(history, *([name] if name else []))
    asked = [c["id"] for m in told for c in m.get("tool_calls", ())]
    answered = [m["tool_call_id"] for m in told if m["role"] == "tool"]
    assert len(set(asked)) == len(asked)
    assert sorted(asked) == sorted(answered)
    for message in sendable({"messages": told})["messages"]:
        known = {k: v for k, v in message.items() if k != "reasoning_content"}
        valid(ChatCompletionMessageParam, known)


@given(NAMES, histories(), histories())
def test_two_consecutive_requests_share_their_prefix(name: str, before: History, after: History) -> None:
    later = tuple(m for m in after if m.role != "system")
    quirks = adapted(*([name] if name else []))
    short, long = messages(before, quirks), messages(before + later, quirks)
    grows = quirks.alternate and bool(short) and short[-1]["role"] == "user"
    assert long[: len(short) - grows] == short[: len(short) - grows]

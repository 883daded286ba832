"""Faults that public bug reports tell of other programs, each by its thread: ours is immune to the kind."""

import json
from dataclasses import replace

import pytest

from astroresearch.context.messages import ToolCall, assistant, tool_result, user
from astroresearch.model import shapes
from astroresearch.model.base import Model, Reply, Request, TextDelta
from astroresearch.model.choose import close_model, open_model
from astroresearch.model.faults import Fault, ModelFailure, classify_error
from astroresearch.model.faulty_server import FaultyServer, Play
from astroresearch.model.ladder import Attempts, Retry, Situation, Surface, next_rung
from astroresearch.model.quirks import adapted
from astroresearch.model.wire_ids import check_pairs
from astroresearch.model.wire_openai import messages

ASK = Request(model="m", history=(user("x"),))
TURN = Situation(key="s:1")
CALL = ToolCall("a", "write_note", '{"text": "a long text that is cut"}')


async def one_fault(play: Play) -> tuple[Fault, list[object]]:
    """Ask once; return the fault and the deltas before it."""
    seen: list[object] = []

    async def listen(model: Model) -> None:
        async for chunk in model.stream(ASK):
            seen.append(chunk)

    async with FaultyServer([play]) as server:
        model = open_model("openai/m", base_url=server.url, timeout=0.3)
        with pytest.raises(ModelFailure) as caught:
            await listen(model)
        await close_model(model)
    return caught.value.fault, seen


async def test_pi_5538_a_stop_within_a_calls_arguments_leaves_no_half_call() -> None:
    body = shapes.openai_events(assistant("I note it.", CALL), piece=9)
    half = body[: body.index(b"long")]
    async with FaultyServer([Play(body=half, then="silence"), Play(body=body)]) as server:
        model = open_model("openai/m", base_url=server.url)
        stream = model.stream(ASK)
        assert isinstance(await anext(stream), TextDelta)
        await stream.aclose()  # type: ignore[attr-defined]
        again = [chunk async for chunk in model.stream(ASK)][-1]
        await close_model(model)
    assert isinstance(again, Reply)
    assert again.message.calls == (CALL,)


async def test_agent_os_2137_an_error_event_after_deltas_is_no_normal_end() -> None:
    deltas = shapes.openai_events(assistant("part of the answer")).split(b"data: {")[:4]
    body = b"data: {".join(deltas) + shapes.anthropic_error("overloaded_error", "Overloaded")
    fault, seen = await one_fault(Play(body=body, framing="close"))
    assert fault.kind == "Overloaded"
    assert seen
    assert not any(isinstance(chunk, Reply) for chunk in seen)


async def test_agent_zero_1882_a_stream_that_falls_silent_for_ever_is_ended() -> None:
    body = shapes.openai_events(assistant("part of the answer"))
    fault, _ = await one_fault(Play(body=body, cut=300, then="silence"))
    assert (fault.kind, fault.cause) == ("Timeout", "silent")


def test_roo_code_5050_paperclip_2234_only_429s_are_no_success() -> None:
    attempts, rung = Attempts(), None
    for _ in range(30):
        rung, attempts = next_rung(classify_error(status=429), attempts, TURN)
        if isinstance(rung, Surface):
            break
    assert isinstance(rung, Surface)
    assert rung.tries == 10


@pytest.mark.parametrize("code", ["insufficient_quota", "content_filter"])
def test_pi_4172_bettafish_108_quota_and_filter_are_not_retried(code: str) -> None:
    fault = classify_error(status=429 if code == "insufficient_quota" else 400, body={"error": {"code": code}})
    rung, _ = next_rung(fault, Attempts(), TURN)
    assert rung == Surface("surface_never")


@pytest.mark.parametrize("asked", ["75", "120", "290"])
def test_pi_9595_jcode_1183_retry_after_is_neither_ignored_nor_cut_to_a_minute(asked: str) -> None:
    fault = classify_error(status=429, headers={"retry-after": asked})
    rung, _ = next_rung(fault, Attempts(), replace(TURN, max_wait=600))
    assert isinstance(rung, Retry)
    assert rung.delay >= float(asked)


def test_hermes_88324_open_webui_28305_picoclaw_2528_fireconnect_16_ids_that_restart_lose_no_result() -> None:
    history = [user("go")]
    for step in range(20):
        call = ToolCall("list_dir:0", "list_dir", json.dumps({"path": str(step)}))
        history += [assistant("", call), tool_result(call, f"result {step}")]
    told = messages(tuple(history), adapted())
    asked = [c["id"] for m in told for c in m.get("tool_calls", ())]
    assert len(set(asked)) == 20
    assert [(m["tool_call_id"], m["content"]) for m in told if m["role"] == "tool"] == [
        (id, f"result {step}") for step, id in enumerate(asked)
    ]


def test_openclaude_1052_gitnexus_43_reasoning_goes_back_with_its_calls() -> None:
    history = (user("x"), assistant("", CALL, thought="first"), tool_result(CALL, "ok"))
    assert messages(history, adapted("deepseek"))[1]["reasoning_content"] == "first"


def test_hermes_84944_pydantic_ai_1210_a_user_after_a_result_is_bridged_for_mistral() -> None:
    history = (user("x"), assistant("", CALL), tool_result(CALL, "ok"), user("and?"))
    assert [m["role"] for m in messages(history, adapted("mistral"))][2:] == ["tool", "assistant", "user"]


def test_oh_my_openagent_6605_the_body_about_to_be_sent_is_what_is_checked() -> None:
    with pytest.raises(ModelFailure, match="has no result"):
        check_pairs((user("summarise this"), assistant("", CALL)))

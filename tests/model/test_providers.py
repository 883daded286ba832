"""Both SDKs against a server that replays wire shapes: whole, broken anywhere, slow, silent, wrong."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from astroresearch.context.messages import Message, Text, Thinking, ToolCall, assistant, system, user
from astroresearch.model import shapes
from astroresearch.model.base import Chunk, Model, Reply, Request, TextDelta, ThoughtDelta
from astroresearch.model.choose import close_model, open_model
from astroresearch.model.faults import Fault, ModelFailure
from astroresearch.model.faulty_server import FaultyServer, Play

CALLS = (ToolCall("a1", "search", '{"query": "H₀ tension"}'), ToolCall("b2", "read", '{"id": "2022ApJ...934L...7R"}'))
SAID = Message("assistant", (Thinking("hm 思考"), Text("Let me look, 让我查."), *CALLS), "model")
SIGNED = Message("assistant", (Thinking("hm 思考", "EqQB+/=="), Text("Let me look, 让我查."), *CALLS), "model")
ASK = Request(model="m", history=(system("s"), user("What is H0?")), max_output=500)
JSON = "application/json"


@dataclass(frozen=True)
class Provider:
    """One SDK: how to open it, and how its servers answer."""

    name: str
    said: Message
    stream: Callable[..., bytes]
    usage: dict[str, Any]
    quirks: tuple[str, ...] = ()

    @asynccontextmanager
    async def against(self, *plays: Play, idle: float = 5.0, quirks: tuple[str, ...] = ()) -> AsyncIterator[Any]:
        async with FaultyServer(plays) as server:
            model = open_model(
                f"{self.name}/m", api_key="sk-test", base_url=server.url, timeout=idle, quirks=self.quirks + quirks
            )
            try:
                yield model, server
            finally:
                await close_model(model)

    def whole(self, **more: Any) -> bytes:
        return self.stream(self.said, usage=self.usage, **more)


OPENAI = Provider(
    "openai",
    SAID,
    shapes.openai_events,
    {"prompt_tokens": 100, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 64}},
)
ANTHROPIC = Provider(
    "anthropic",
    SIGNED,
    shapes.anthropic_events,
    {"input_tokens": 30, "cache_creation_input_tokens": 6, "cache_read_input_tokens": 64, "output_tokens": 9},
)
both = pytest.mark.parametrize("provider", [OPENAI, ANTHROPIC], ids=lambda p: p.name)


async def ask(model: Model, request: Request = ASK) -> list[Chunk]:
    return [chunk async for chunk in model.stream(request)]


async def fails(model: Model) -> Fault:
    with pytest.raises(ModelFailure) as caught:
        await ask(model)
    return caught.value.fault


async def outcome(model: Model) -> Reply | Fault:
    try:
        last = (await ask(model))[-1]
    except ModelFailure as failure:
        return failure.fault
    assert isinstance(last, Reply)
    return last


def spoken(chunks: list[Chunk]) -> tuple[str, str]:
    text = "".join(c.text for c in chunks if isinstance(c, TextDelta))
    return text, "".join(c.text for c in chunks if isinstance(c, ThoughtDelta))


@both
@pytest.mark.parametrize("pieces", [0, 1, 3, 50])
async def test_thinking_text_and_two_parallel_calls_are_read_however_the_bytes_are_cut(
    provider: Provider, pieces: int
) -> None:
    async with provider.against(Play(body=provider.whole(), pieces=pieces)) as (model, _):
        chunks = await ask(model)
    reply = chunks[-1]
    assert isinstance(reply, Reply)
    assert (reply.message.text, reply.message.thought) == spoken(chunks) == ("Let me look, 让我查.", "hm 思考")
    assert reply.message.calls == CALLS
    assert (reply.stop, reply.usage.estimated) == ("tool_use", False)
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.cached_tokens) == (100, 9, 64)


async def test_a_signature_is_kept_byte_for_byte_and_names_its_model() -> None:
    async with ANTHROPIC.against(Play(body=ANTHROPIC.whole())) as (model, _):
        reply = (await ask(model))[-1]
    assert isinstance(reply, Reply)
    assert reply.message.parts[0] == Thinking("hm 思考", "EqQB+/==", {"model": "m"})


@both
async def test_the_key_goes_where_the_provider_wants_it_and_nothing_is_retried(provider: Provider) -> None:
    async with provider.against(Play(status=529, body=b"{}", content_type=JSON)) as (model, server):
        assert (await fails(model)).kind == "Overloaded"
    assert len(server.asked) == 1
    headers = server.asked[0].headers
    assert "sk-test" in headers.get("authorization", "") + headers.get("x-api-key", "")
    assert server.asked[0].json["stream"] is True


@both
async def test_a_stream_cut_at_any_byte_gives_no_reply_and_no_half_call(provider: Provider) -> None:
    small = Message("assistant", (Text("ok"), ToolCall("a", "f", '{"a": 1}')), "model")
    body = provider.stream(small, piece=4)
    end = len(body.rstrip())  # the last mark; the blank line behind it says nothing more
    plays = [Play(body=body, cut=cut, framing="close") for cut in range(len(body) + 1)]
    async with provider.against(*plays) as (model, _):
        found = [await outcome(model) for _ in plays]
    assert {(f.kind, f.retryable) for f in found[:end] if isinstance(f, Fault)} == {("Network", True)}
    assert not any(isinstance(f, Reply) for f in found[:end])
    assert isinstance(found[-1], Reply)
    assert all(f.message == small for f in found if isinstance(f, Reply))


@both
@pytest.mark.parametrize("then", ["end", "close", "reset"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.97])
async def test_a_connection_that_breaks_is_a_network_fault(provider: Provider, then: Any, share: float) -> None:
    body = provider.whole()
    async with provider.against(Play(body=body, cut=int(share * len(body)), then=then)) as (model, _):
        fault = await fails(model)
    assert (fault.kind, fault.retryable) == ("Network", True)


@both
@pytest.mark.parametrize("share", [0.0, 0.5])
async def test_silence_is_ended_by_the_idle_time_limit(provider: Provider, share: float) -> None:
    body = provider.whole()
    play = Play(body=body, cut=int(share * len(body)), then="silence")
    async with provider.against(play, idle=0.2) as (model, server):
        fault = await fails(model)
        await asyncio.wait_for(server.hung_up.wait(), 5)
    assert (fault.kind, fault.cause, fault.retryable) == ("Timeout", "silent", True)


@both
async def test_keep_alives_without_end_are_silence_too(provider: Provider) -> None:
    play = Play(body=b": still here\n\n" * 400, pieces=14, pause=0.01)
    async with provider.against(play, idle=0.1) as (model, _):
        assert (await fails(model)).kind == "Timeout"


@both
async def test_a_slow_stream_is_no_silent_one(provider: Provider) -> None:
    body = provider.whole()
    async with provider.against(Play(body=body, pieces=len(body) // 30, pause=0.05), idle=1.0) as (model, _):
        assert isinstance((await ask(model))[-1], Reply)


@both
async def test_an_error_event_after_status_200_is_what_it_says(provider: Provider) -> None:
    head = provider.whole()[: provider.whole().find(b"\n\n", 400) + 2]
    async with provider.against(Play(body=head + shapes.anthropic_error("overloaded_error", "Overloaded"))) as (
        model,
        _,
    ):
        fault = await fails(model)
    assert (fault.kind, fault.retryable) == ("Overloaded", True)


@both
async def test_an_empty_stream_with_status_200_is_a_fault(provider: Provider) -> None:
    async with provider.against(Play(body=b""), Play(body=b"data: [DONE]\n\n")) as (model, _):
        assert [(await fails(model)).kind, (await fails(model)).kind] == ["Network", "Network"]


@both
async def test_a_web_page_with_status_200_says_that_the_address_is_wrong(provider: Provider) -> None:
    play = Play(body=b"<!DOCTYPE html><html><title>Log in</title></html>", content_type="text/html")
    async with provider.against(play) as (model, _):
        fault = await fails(model)
    assert (fault.kind, fault.cause, fault.retryable) == ("NotFound", "webpage", False)
    assert "OPENAI_BASE_URL" in fault.advice("en")


@both
async def test_a_gateways_page_with_status_502_is_waited_out(provider: Provider) -> None:
    page = b"<html><head><title>502 Bad Gateway</title></head></html>"
    async with provider.against(Play(status=502, body=page, content_type="text/html")) as (model, _):
        assert (await fails(model)).kind == "Overloaded"


@both
async def test_an_answer_cut_by_its_limit_keeps_its_text_and_no_call(provider: Provider) -> None:
    cut = {"finish": "length"} if provider is OPENAI else {"stop": "max_tokens"}
    async with provider.against(Play(body=provider.whole(**cut))) as (model, _):
        reply = (await ask(model))[-1]
    assert isinstance(reply, Reply)
    assert (reply.stop, reply.message.calls, reply.message.text) == ("length", (), "Let me look, 让我查.")
    assert reply.message.extra["dropped_calls"] == ["search", "read"]


@both
async def test_hanging_up_closes_the_connection_at_once(provider: Provider) -> None:
    body = provider.whole()
    async with provider.against(Play(body=body, pieces=20, pause=0.02, then="silence")) as (model, server):
        stream = model.stream(ASK)
        assert isinstance(await anext(stream), TextDelta | ThoughtDelta)
        await stream.aclose()
        await asyncio.wait_for(server.hung_up.wait(), 5)


@both
@pytest.mark.parametrize("cut", [0, 400])
async def test_cancelling_the_task_closes_the_connection_and_the_next_call_works(provider: Provider, cut: int) -> None:
    body = provider.whole()
    async with provider.against(Play(body=body, cut=cut, then="silence"), Play(body=body)) as (model, server):
        task = asyncio.ensure_future(ask(model))
        await server.arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.hung_up.wait(), 5)
        assert isinstance((await ask(model))[-1], Reply)


@both
async def test_half_a_surrogate_pair_does_not_break_the_session(provider: Provider) -> None:
    request = Request(model="m", history=(user("half \ud83d pair"),))
    async with provider.against(Play(body=provider.whole())) as (model, server):
        assert isinstance((await ask(model, request))[-1], Reply)
    assert "half \ufffd pair" in json.dumps(server.asked[0].json, ensure_ascii=False)


async def test_a_server_that_nobody_runs_is_a_network_fault() -> None:
    async with FaultyServer([Play()]) as server:
        url = server.url
    model = open_model("openai/m", base_url=url)
    fault = await fails(model)
    await close_model(model)
    assert (fault.kind, fault.retryable) == ("Network", True)


async def test_a_server_that_does_not_stream_is_read_too() -> None:
    document = shapes.openai_document(SAID, usage=OPENAI.usage)
    plays = (Play(body=document, content_type=JSON, framing="length"),)
    async with OPENAI.against(*plays, quirks=("no_stream",)) as (model, server):
        chunks = await ask(model)
    assert server.asked[0].json["stream"] is False
    assert chunks[-1].message == SAID  # type: ignore[union-attr]
    assert spoken(chunks) == (SAID.text, SAID.thought)


async def test_a_document_in_answer_to_a_stream_is_read_too() -> None:
    whole = {
        "type": "message",
        "role": "assistant",
        "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "hi"}],
    }
    play = Play(body=json.dumps(whole | {"usage": {"input_tokens": 3, "output_tokens": 1}}).encode(), content_type=JSON)
    async with ANTHROPIC.against(play) as (model, _):
        assert spoken(await ask(model)) == ("hi", "")


async def test_an_error_document_with_status_200_is_an_error() -> None:
    play = Play(body=b'{"error": {"code": "insufficient_quota", "message": "no money"}}', content_type=JSON)
    async with OPENAI.against(play) as (model, _):
        assert (await fails(model)).kind == "Quota"


async def test_a_server_without_an_end_mark_is_believed_only_by_its_adapter() -> None:
    body = shapes.openai_events(assistant("hi")).removesuffix(b"data: [DONE]\n\n")
    async with OPENAI.against(Play(body=body)) as (model, _):
        assert (await fails(model)).cause == "truncated"
    async with OPENAI.against(Play(body=body), quirks=("no_end_marker",)) as (model, _):
        assert spoken(await ask(model)) == ("hi", "")


def delta(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": ({"tool_calls": list(calls)} if calls else {}) | more}]}


def f(name: str | None, arguments: object) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


GOOD = '{"x": 1}'
FINISH = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}


@pytest.mark.parametrize(
    "chunks",
    [
        [delta({"index": 0, "id": "a", "function": f("g", '{"x"')}), delta({"index": 0, "function": f(None, ": 1}")})],
        [delta({"index": 0, "id": "a", "function": f("g", {"x": 1})})],
        [delta({"index": 0, "id": "a", "function": f("g", "{}")}), delta({"index": 0, "function": f("", '{"x": 1}')})],
        [delta({"id": "a", "function": f("g", '{"x"')}), delta({"function": f(None, ": 1}")})],
        [delta({"index": 0, "id": "a", "function": f("g", a)}) for a in (None, GOOD)],
        [{"choices": [{"index": 0, "delta": {"function_call": f("g", '{"x": 1}')}}]}],
    ],
)  # fmt: skip
async def test_arguments_come_in_pieces_as_an_object_or_after_an_empty_one(chunks: list[dict[str, Any]]) -> None:
    body = shapes.sse([("", c) for c in [*chunks, FINISH]]) + b"data: [DONE]\n\n"
    async with OPENAI.against(Play(body=body)) as (model, _):
        reply = (await ask(model))[-1]
    assert isinstance(reply, Reply)
    assert [(c.name, json.loads(c.arguments)) for c in reply.message.calls] == [("g", {"x": 1})]


async def test_whole_calls_that_all_have_number_0_are_kept_apart_by_their_ids() -> None:
    calls = [delta({"index": 0, "id": i, "function": f("g", f'{{"x": "{i}"}}')}) for i in "ab"]
    body = shapes.sse([("", c) for c in [*calls, FINISH]]) + b"data: [DONE]\n\n"
    async with OPENAI.against(Play(body=body)) as (model, _):
        reply = (await ask(model))[-1]
    assert isinstance(reply, Reply)
    assert [c.arguments for c in reply.message.calls] == ['{"x": "a"}', '{"x": "b"}']


async def test_invalid_arguments_are_kept_as_the_model_wrote_them() -> None:
    bad = assistant("", ToolCall("a", "f", "{'x': 1"))
    async with OPENAI.against(Play(body=shapes.openai_events(bad))) as (model, _):
        reply = (await ask(model))[-1]
    assert isinstance(reply, Reply)
    assert reply.message.calls[0].arguments == "{'x': 1"


@pytest.mark.parametrize(
    ("where", "cached"),
    [
        ({"usage": {"prompt_tokens": 50, "completion_tokens": 2, "prompt_cache_hit_tokens": 40}}, 40),
        ({"x_groq": {"usage": {"prompt_tokens": 50, "completion_tokens": 2}}}, 0),
        ({"choices": [{"index": 0, "delta": {}, "usage": {"prompt_tokens": 50, "cached_tokens": 7}}]}, 7),
    ],
)
async def test_usage_is_found_wherever_the_server_puts_it(where: dict[str, Any], cached: int) -> None:
    body = shapes.openai_events(assistant("hi")).replace(b"data: [DONE]", shapes.sse([("", where)]) + b"data: [DONE]")
    async with OPENAI.against(Play(body=body)) as (model, _):
        reply = (await ask(model))[-1]
    assert isinstance(reply, Reply)
    assert (reply.usage.prompt_tokens, reply.usage.cached_tokens, reply.usage.estimated) == (50, cached, False)


async def test_usage_that_never_comes_is_estimated_and_says_so() -> None:
    async with OPENAI.against(Play(body=shapes.openai_events(assistant("hi")))) as (model, _):
        reply = (await ask(model))[-1]
    assert isinstance(reply, Reply)
    assert reply.usage.estimated
    assert reply.usage.prompt_tokens > 0


@pytest.mark.parametrize(
    ("finish", "kind"),
    [("insufficient_system_resource", "Overloaded"), ("network_error", "Network"), ("error", "Network")],
)
async def test_a_stop_reason_that_is_no_stop_is_a_fault(finish: str, kind: str) -> None:
    async with OPENAI.against(Play(body=shapes.openai_events(assistant("hi"), finish=finish))) as (model, _):
        assert (await fails(model)).kind == kind


async def test_a_filtered_answer_says_so() -> None:
    async with OPENAI.against(Play(body=shapes.openai_events(assistant("hi"), finish="content_filter"))) as (model, _):
        assert (await ask(model))[-1].stop == "content_filter"  # type: ignore[union-attr]


async def test_two_consecutive_requests_share_their_bytes() -> None:
    first = Request(model="m", history=(system("s"), user("a")), tools=())
    then = Request(model="m", history=(*first.history, assistant("b"), user("c")), tools=())
    async with OPENAI.against(Play(body=OPENAI.whole())) as (model, server):
        await ask(model, first)
        await ask(model, then)
    one, two = (asked.body.decode().partition('"messages":[')[2].partition("]")[0] for asked in server.asked)
    assert two.startswith(one)

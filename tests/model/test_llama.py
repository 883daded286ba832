"""A real model behind a real server: it is asked, it streams, and its own overflow error is understood."""

from collections.abc import Iterator

import pytest

from astroresearch.context.messages import system, user
from astroresearch.model.base import Reply, Request, TextDelta
from astroresearch.model.choose import close_model, open_model
from astroresearch.model.faults import ModelFailure
from tests.llama import llama

WINDOW = 4_096


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with llama(WINDOW) as url:
        yield url


async def test_a_real_answer_is_streamed_with_its_usage(address: str) -> None:
    model = open_model("openai/smollm2", base_url=address)
    request = Request(
        model="smollm2", history=(system("Answer in one word."), user("What is the capital of France?")), max_output=32
    )
    chunks = [chunk async for chunk in model.stream(request)]
    again = [chunk async for chunk in model.stream(request)][-1]
    await close_model(model)
    reply = chunks[-1]
    assert isinstance(reply, Reply)
    assert isinstance(again, Reply)
    deltas = [c.text for c in chunks if isinstance(c, TextDelta)]
    assert len(deltas) > 1
    assert "".join(deltas) == reply.message.text != ""
    assert reply.usage.prompt_tokens > 10
    assert not reply.usage.estimated
    assert again.usage.cached_tokens > 0, "the same prefix is not read from the server's cache"


async def test_an_overflow_of_a_real_window_is_understood_and_its_size_learned(address: str) -> None:
    model = open_model("openai/smollm2", base_url=address)
    request = Request(model="smollm2", history=(user("The Hubble constant is not settled. " * 1_500),), max_output=64)
    with pytest.raises(ModelFailure) as caught:
        _ = [chunk async for chunk in model.stream(request)]
    await close_model(model)
    fault = caught.value.fault
    assert (fault.kind, fault.window, fault.cause) == ("PromptTooLong", WINDOW, "tokens")
    assert (fault.prompt_tokens or 0) > WINDOW
    assert not fault.retryable

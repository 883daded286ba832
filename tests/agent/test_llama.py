"""A real model with a window of 4,096 tokens takes over a session of 40,000: its own error drives the ladder."""

from collections.abc import Iterator

import pytest

from astroresearch.context.messages import assistant
from astroresearch.model.choose import close_model, open_model
from astroresearch.store.sessions import Store
from tests.llama import llama

from .harness import calling, check_pairs, lengthy, run, session_with, tool, transcript

WINDOW = 4_096
NEEDED = 40_000
TOOLS = (tool("lengthy", lengthy),)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with llama(WINDOW) as url:
        yield url


async def test_a_session_of_40_000_tokens_is_answered_in_a_window_of_4_096(store: Store, address: str) -> None:
    limits = {"max_tool_output_chars": 8_000, "token_soft_limit": 900_000, "token_hard_limit": 1_000_000}
    script = [calling((f"c{n}", "lengthy", f"{500 + n}"), text=f"I read list {n}.") for n in range(25)]
    before = await session_with(
        store,
        [*script, assistant("I have read them all.")],
        tools=TOOLS,
        max_steps=40,
        max_messages=500,
        context_window=200_000,
        **limits,
    )
    await run(before, "Read 25 long lists.")
    assert before.journal.window.tokens > NEEDED
    await before.close()

    model = open_model("openai/smollm2", base_url=address)
    session = await session_with(
        store,
        model,
        tools=TOOLS,
        session_id=before.id,
        max_output_tokens=48,
        max_messages=500,
        context_window=None,
        **limits,
    )
    assert session.journal.window.limits.window > NEEDED, "nobody knows how small the window is"
    events = [published.event.payload() for published in await run(session, "In one sentence: what did you read?")]
    await close_model(model)

    assert events[-1]["status"] == "answered", events[-3:]
    assert events[-1]["answer"]
    assert [e for e in events if e["type"] == "compaction"], "nothing was made smaller"
    assert session.journal.window.limits.window == WINDOW
    assert session.journal.window.tokens < WINDOW
    check_pairs(await transcript(store, session))
    await session.close()

"""A session that is taken up again with another model, or another window, lives by those."""

from astroresearch.context.messages import assistant
from astroresearch.model.faults import Fault, FaultKind
from astroresearch.model.scripted import ScriptedModel
from astroresearch.store.sessions import Store

from .harness import run, session_with

TOO_LONG = Fault(kind=FaultKind.PromptTooLong, message="too long", cause="tokens", window=9_000, prompt_tokens=9_500)


async def test_a_window_that_was_learned_stays_with_its_model(store: Store) -> None:
    first = ScriptedModel([TOO_LONG, assistant("Fits.")], name="first")
    session = await session_with(store, first, context_window=None)
    await run(session, "Go")
    assert session.journal.window.limits.window == 9_000
    again = await session_with(store, ScriptedModel([], name="first"), session_id=session.id, context_window=None)
    assert again.journal.window.limits.window == 9_000
    other = await session_with(store, ScriptedModel([], name="other"), session_id=session.id, context_window=None)
    assert other.journal.window.limits.window == 128_000


async def test_a_window_that_is_set_overrules_the_one_before(store: Store) -> None:
    session = await session_with(store, [assistant("Fine.")], context_window=64_000)
    await run(session, "Go")
    again = await session_with(store, [assistant("Fine.")], session_id=session.id, context_window=20_000)
    assert again.journal.window.limits.window == 20_000

"""Hooks around a whole turn: told of each moment in order, they change and stop what they may, and never end a turn."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astroresearch.agent.wiring import Agent
from astroresearch.config import BadSetting, Settings
from astroresearch.context.messages import assistant
from astroresearch.hooks.events import (
    EVENTS,
    Block,
    Event,
    MutateInput,
    MutateOutput,
    OnPreCompact,
    PostToolUse,
    PreToolUse,
)
from astroresearch.hooks.registry import Hooks
from astroresearch.store.sessions import Store

from .harness import calling, check_pairs, run, session_with, tool, transcript, types
from .test_compaction import Summarising

LIMIT = 4_000


def listening(*answers: tuple[type[Event], Callable[[Any], Any]]) -> tuple[Hooks, list[str]]:
    """Return hooks that write down what they are told of, and those that answer."""
    told: list[str] = []
    hooks = Hooks()
    for event in EVENTS.values():
        hooks.on(event, lambda event: told.append(event.name), order=-1)
    for event, answer in answers:
        hooks.on(event, answer)
    return hooks, told


async def failing(text: str) -> str:
    raise ValueError("no such star")


async def test_each_moment_is_told_in_its_order(store: Store) -> None:
    hooks, told = listening()
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(3)] + [assistant("Done.")]
    session = await session_with(store, Summarising(script), token_soft_limit=LIMIT, hooks=hooks)
    await run(session, "Read three papers")
    await session.close()
    step = ["PreToolUse", "PostToolUse", "OnStepComplete"]
    assert told[:2] == ["OnSessionStart", "UserPromptSubmit"]
    assert told[2:5] == step
    assert told[-2:] == ["OnStepComplete", "OnSessionStop"]
    assert told[told.index("OnPostCompact") - 1] == "OnPreCompact"
    assert told.count("OnStepComplete") == 4


async def test_a_call_is_changed_and_so_is_its_result(store: Store) -> None:
    hooks, _ = listening(
        (PreToolUse, lambda event: MutateInput({"text": "changed"})),
        (PostToolUse, lambda event: MutateOutput(event.output.upper())),
    )
    session = await session_with(store, [calling(("a", "echo", "hello")), assistant("Done.")], hooks=hooks)
    await run(session, "Go")
    (result,) = [m.result.text for m in await transcript(store, session) if m.result]
    assert result == "ECHO CHANGED"


async def test_a_blocked_call_gets_a_result_that_says_why_and_the_tool_does_not_run(store: Store) -> None:
    ran: list[str] = []

    async def act(text: str) -> str:
        ran.append(text)
        return "ran"

    hooks, told = listening((PreToolUse, lambda event: Block("not today")))
    session = await session_with(
        store, [calling(("a", "act", "x")), assistant("Done.")], tools=[tool("act", act)], hooks=hooks
    )
    events = await run(session, "Go")
    (result,) = [e.event.payload() for e in events if e.event.type == "tool_result"]
    assert ran == []
    assert result["status"] == "denied"
    assert "not today" in str(result["preview"])
    assert "PostToolUseFailure" in told
    check_pairs(await transcript(store, session))


async def test_a_failed_call_is_told_as_a_failure(store: Store) -> None:
    hooks, told = listening()
    session = await session_with(
        store, [calling(("a", "fail", "x")), assistant("Done.")], tools=[tool("fail", failing)], hooks=hooks
    )
    await run(session, "Go")
    assert told[2:4] == ["PreToolUse", "PostToolUseFailure"]


async def test_a_compaction_is_put_off_only_while_the_request_fits(store: Store) -> None:
    hooks, told = listening((OnPreCompact, lambda event: Block("in the middle of something")))
    script = [calling((f"c{k}", "lengthy", str(300 + k))) for k in range(4)] + [assistant("Done.")]
    session = await session_with(store, Summarising(script), token_soft_limit=LIMIT, hooks=hooks)
    events = await run(session, "Read four papers")
    assert "compaction" not in types(events)
    assert "hook" in [e.event.payload()["kind"] for e in events if e.event.type == "notice"]
    assert "OnPostCompact" not in told

    small = await session_with(
        store, Summarising([assistant("Fits.")]), session_id=session.id, context_window=5_000, hooks=hooks
    )
    assert small.journal.window.tokens > small.journal.window.limits.usable
    events = await run(small, "And now?")
    assert "compaction" in types(events)
    assert events[-1].event.payload()["answer"] == "Fits."


async def test_a_hook_that_fails_ends_no_turn(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    def broken(event: Event) -> None:
        raise RuntimeError("a bug in a hook")

    hooks, _ = listening(*((event, broken) for event in EVENTS.values() if event.__name__ != "PermissionRequest"))
    session = await session_with(store, [calling(("a", "echo", "hello")), assistant("Done.")], hooks=hooks)
    assert (await run(session, "Go"))[-1].event.payload()["answer"] == "Done."
    assert "a bug in a hook" in caplog.text


async def test_the_users_own_file_declares_hooks_and_a_bad_one_is_a_setting_to_mend(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    settings = Settings.model_validate({"AGENT_HOME": tmp_path / "home"})
    settings.home_folder.mkdir()
    file = settings.home_folder / "hooks.toml"
    file.write_text(f'[[hook]]\nevent = "UserPromptSubmit"\ncommand = ["sh", "-c", "cat > {seen}"]\n')
    async with Agent.open(settings) as agent:
        session = await agent.create_or_resume_session(None, "What is the Hubble constant?")
        await run(session, "What is the Hubble constant?")
    assert '"text": "What is the Hubble constant?"' in seen.read_text()

    file.write_text('[[hook]]\nevent = "OnLunch"\ncommand = ["true"]\n')
    async with Agent.open(settings) as agent:
        with pytest.raises(BadSetting, match=r"hooks\.toml"):
            await agent.create_or_resume_session(None, "And now?")

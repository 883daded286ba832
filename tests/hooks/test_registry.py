"""Hooks answer in order and within their time; whatever one does, the turn goes on."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from astroresearch.hooks import events
from astroresearch.hooks.events import (
    EVENTS,
    Block,
    MutateInput,
    MutateOutput,
    OnPreCompact,
    Override,
    PermissionRequest,
    PostToolUse,
    PreToolUse,
)
from astroresearch.hooks.registry import Hook, Hooks, from_entry_points

S8 = [
    "OnSessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "OnStepComplete",
    "OnPreCompact",
    "OnPostCompact",
    "OnSubagentStart",
    "OnSubagentStop",
    "PermissionRequest",
    "PermissionDenied",
    "OnSessionStop",
]


def pre(tool: str = "echo", **arguments: object) -> PreToolUse:
    return PreToolUse(session_id="s", call_id="c", tool=tool, arguments=arguments)


def request() -> PermissionRequest:
    return PermissionRequest(session_id="s", call_id="c", tool="download_paper", arguments={}, reason="")


def answering(answer: object) -> Callable[[Any], Any]:
    async def hook(event: object) -> object:
        return answer

    return hook


def test_there_are_the_13_events_of_the_document_each_frozen() -> None:
    assert list(EVENTS) == S8
    with pytest.raises(AttributeError):
        pre().tool = "other"  # type: ignore[misc]


async def test_hooks_run_by_order_and_each_sees_what_those_before_have_changed() -> None:
    seen = []

    async def last(event: PreToolUse) -> MutateInput:
        seen.append(("last", event.arguments))
        return MutateInput({"a": 3})

    def first(event: PreToolUse) -> MutateInput:
        seen.append(("first", event.arguments))
        return MutateInput({"a": 2})

    hooks = Hooks()
    hooks.on(PreToolUse, last, order=2)
    hooks.on(PreToolUse, first, order=1)
    fired = await hooks.fire(pre(a=1))
    assert seen == [("first", {"a": 1}), ("last", {"a": 2})]
    assert fired.event.arguments == {"a": 3}


async def test_a_block_stops_the_hooks_behind_it() -> None:
    hooks, seen = Hooks(), []
    hooks.on(PreToolUse, answering(Block("not on Sundays")))
    hooks.on(PreToolUse, lambda event: seen.append(event))
    assert (await hooks.fire(pre())).block == Block("not on Sundays")
    assert not seen


@pytest.mark.parametrize(
    ("pattern", "tool", "told"),
    [("*", "x", True), ("read_*", "read_paper", True), ("read_*", "search", False), ("a | read_*", "read_b", True)],
)
async def test_a_matcher_names_tools_by_pattern(pattern: str, tool: str, told: bool) -> None:
    hooks = Hooks([Hook(name="h", event=PreToolUse, run=answering(Block("b")), tools=pattern)])
    assert bool((await hooks.fire(pre(tool))).block) is told


async def test_results_and_focus_can_be_changed() -> None:
    hooks = Hooks()
    hooks.on(PostToolUse, answering(MutateOutput("shorter")))
    hooks.on(OnPreCompact, answering(MutateInput({"focus": "keep H0"})))
    hooks.on(OnPreCompact, answering(MutateInput({"focus": "keep z"})))
    result = PostToolUse(session_id="s", call_id="c", tool="t", arguments={}, output="long")
    assert (await hooks.fire(result)).event.output == "shorter"
    compaction = OnPreCompact(session_id="s", messages=9, tokens=9, manual=False, forced=False, focus="")
    assert (await hooks.fire(compaction)).event.focus == "keep H0\nkeep z"


def raises(event: object) -> None:
    raise RuntimeError("broken")


async def raises_later(event: object) -> None:
    await asyncio.sleep(0)
    raise KeyError("broken")


def exits(event: object) -> None:
    sys.exit(3)


async def exits_in_the_loop(event: object) -> None:
    sys.exit(3)


async def hangs(event: object) -> None:
    await asyncio.Event().wait()


async def ignores_its_end(event: object) -> None:
    for _ in range(3):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            continue


def hangs_in_its_thread(event: object) -> None:
    threading.Event().wait()


async def cancels_itself(event: object) -> None:
    raise asyncio.CancelledError


BROKEN = [
    raises,
    raises_later,
    exits,
    exits_in_the_loop,
    hangs,
    ignores_its_end,
    hangs_in_its_thread,
    cancels_itself,
    answering("rubbish"),
    answering(42),
    answering(MutateOutput("no output here")),
    answering(Override("allow")),
    answering(MutateInput(["not", "a", "mapping"])),  # type: ignore[arg-type]
    answering(Block(7)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda hook: getattr(hook, "__name__", "hook"))
async def test_a_broken_hook_is_logged_and_those_behind_it_still_run(
    broken: Callable[[Any], Any], caplog: pytest.LogCaptureFixture
) -> None:
    hooks, seen = Hooks(), []
    hooks.on(PreToolUse, broken, name="the broken one", timeout=0.05)
    hooks.on(PreToolUse, lambda event: seen.append(event.arguments))
    with caplog.at_level(logging.WARNING):
        fired = await hooks.fire(pre(a=1))
    assert (fired.block, fired.event.arguments, seen) == (None, {"a": 1}, [{"a": 1}])
    assert "the broken one" in caplog.text


@pytest.mark.parametrize("broken", [*BROKEN[:9], answering(Override("perhaps"))])  # type: ignore[arg-type]
async def test_a_broken_permission_hook_denies(broken: Callable[[Any], Any]) -> None:
    hooks = Hooks()
    hooks.on(PermissionRequest, answering(Override("allow")))
    hooks.on(PermissionRequest, broken, timeout=0.05)
    override = (await hooks.fire(request())).override
    assert override is not None
    assert override.decision == "deny"


async def test_a_hook_that_guards_a_tool_blocks_when_it_breaks() -> None:
    hooks = Hooks()
    hooks.on(PreToolUse, raises, name="guard", fails_closed=True)
    block = (await hooks.fire(pre())).block
    assert block is not None
    assert "guard" in block.reason


async def test_one_that_denies_cannot_be_overruled() -> None:
    hooks = Hooks()
    hooks.on(PermissionRequest, answering(Override("deny", "never")))
    hooks.on(PermissionRequest, answering(Override("allow")))
    fired = await hooks.fire(request())
    assert (fired.override, fired.event.decision) == (Override("deny", "never"), "deny")


async def test_an_event_that_takes_nothing_ignores_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    hooks = Hooks()
    hooks.on(events.UserPromptSubmit, answering(Block("no questions")))
    fired = await hooks.fire(events.UserPromptSubmit(session_id="s", text="?"))
    assert fired.block is None
    assert "takes nothing" in caplog.text


async def test_cancelling_the_turn_ends_the_hook_that_runs() -> None:
    ended, begun = asyncio.Event(), asyncio.Event()

    async def waits(event: object) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    hooks = Hooks()
    hooks.on(PreToolUse, waits)
    firing = asyncio.create_task(hooks.fire(pre()))
    await begun.wait()
    firing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await firing
    assert ended.is_set()


def test_hooks_come_from_installed_packages_and_a_broken_package_is_logged(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    info = tmp_path / "observatory-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: observatory\nVersion: 1.0\n")
    points = "[astroresearch.hooks]\nnight = observatory_hooks:register\nbroken = observatory_missing:register\n"
    (info / "entry_points.txt").write_text(points)
    (tmp_path / "observatory_hooks.py").write_text(
        "from astroresearch.hooks.events import PreToolUse\n"
        "def register(hooks):\n    hooks.on(PreToolUse, lambda event: None, name='night')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    hooks = Hooks()
    from_entry_points(hooks)
    assert [hook.name for hook in hooks] == ["night"]
    assert "observatory_missing" in caplog.text

"""A command as a hook: JSON in, JSON out, few variables, little time, and nothing from a folder that is not trusted."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from astroresearch.hooks.command import BadHooks, CommandHook, load, load_project, project_digest
from astroresearch.hooks.events import Block, MutateInput, MutateOutput, Override, PermissionRequest, PreToolUse
from astroresearch.hooks.registry import Hook, Hooks

EVENT = PreToolUse(session_id="s", call_id="c", tool="read_paper", arguments={"paper": "α Cen"})


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], CommandHook]:
    def write(code: str) -> CommandHook:
        path = tmp_path / "hook.py"
        path.write_text(code, encoding="utf-8")
        return CommandHook(argv=(sys.executable, "-S", str(path)), folder=tmp_path)

    return write


def hooks_of(run: CommandHook, event: type = PreToolUse, timeout: float = 20.0) -> Hooks:
    return Hooks([Hook(name="command", event=event, run=run, timeout=timeout)])


async def test_a_command_gets_the_event_and_its_answer_counts(script: Callable[[str], CommandHook]) -> None:
    run = script(
        "import json, sys\nevent = json.load(sys.stdin)\n"
        "print(json.dumps({'outcome': 'mutate_input', 'arguments': {'got': event}}))"
    )
    fired = await hooks_of(run).fire(EVENT)
    assert fired.event.arguments == {"got": json.loads(json.dumps(EVENT.json))}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("", None),
        ('{"outcome": "block", "reason": "r"}', Block("r")),
        ('{"outcome": "mutate_output", "output": "o"}', MutateOutput("o")),
        ('{"outcome": "override", "decision": "allow"}', Override("allow")),
        ('{"outcome": "mutate_input", "arguments": {"a": 1}}', MutateInput({"a": 1})),
    ],
)
async def test_every_outcome_can_be_written(script: Callable[[str], CommandHook], answer: str, outcome: object) -> None:
    assert await script(f"print({answer!r})")(EVENT) == outcome


@pytest.mark.parametrize(
    "code",
    [
        "print('hello')",
        'print(\'{"outcome": "block"}\')',
        'print(\'{"outcome": "mutate_input", "arguments": {}, "more": 1}\')',
        "import sys; sys.exit(1)",
        "import sys; sys.stdout.buffer.write(b'\\xff\\xfe')",
        "while True: print('x' * 100_000)",
        "import time; time.sleep(1000)",
    ],
)
async def test_a_command_that_breaks_or_hangs_changes_nothing_but_a_permission(
    script: Callable[[str], CommandHook], code: str
) -> None:
    run = script(code)
    limit = 0.5 if "1000" in code else 20.0
    assert (await hooks_of(run, timeout=limit).fire(EVENT)).event is EVENT
    request = PermissionRequest(session_id="s", call_id="c", tool="t", arguments={}, reason="")
    override = (await hooks_of(run, PermissionRequest, limit).fire(request)).override
    assert override is not None
    assert override.decision == "deny"


async def test_a_command_that_is_not_there_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = CommandHook(argv=("no-such-command-anywhere",), folder=tmp_path)
    assert (await hooks_of(run).fire(EVENT)).block is None
    assert "no-such-command-anywhere" in caplog.text


async def test_no_secret_is_in_the_environment(
    script: Callable[[str], CommandHook], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    run = script("import os, json; print(json.dumps({'outcome': 'block', 'reason': ' '.join(os.environ.values())}))")
    outcome = await run(EVENT)
    assert isinstance(outcome, Block)
    assert "canary" not in outcome.reason


async def test_what_a_hanging_command_started_ends_with_it(
    script: Callable[[str], CommandHook], tmp_path: Path
) -> None:
    pipe, grandchild = tmp_path / "pipe", tmp_path / "grandchild.py"
    os.mkfifo(pipe)
    grandchild.write_text(
        f"import time\nwith open({str(pipe)!r}, 'w') as f:\n    f.write('up')\n    f.flush()\n    time.sleep(1000)\n"
    )
    run = script(
        f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-S', {str(grandchild)!r}])\ntime.sleep(1000)"
    )
    reader = asyncio.create_task(asyncio.to_thread(pipe.read_text))
    firing = asyncio.create_task(hooks_of(run, timeout=2.0).fire(EVENT))
    assert await reader == "up"  # ends only when the grandchild has gone
    await firing


def test_settings_declare_hooks_in_the_users_own_file(tmp_path: Path) -> None:
    path = tmp_path / "hooks.toml"
    assert load(path, "en") == ()
    path.write_text('[[hook]]\nevent = "PreToolUse"\ncommand = ["check", "--strict"]\ntools = "read_*"\norder = 7\n')
    (hook,) = load(path, "en")
    assert (hook.event, hook.tools, hook.order, hook.timeout) == (PreToolUse, "read_*", 7, 10.0)


@pytest.mark.parametrize(
    "text",
    [
        "hook = 3",
        '[[hook]]\nevent = "OnLunch"\ncommand = ["x"]',
        '[[hook]]\nevent = "PreToolUse"\ncommand = "rm -rf /"',
        '[[hook]]\nevent = "PreToolUse"\ncommand = []',
        '[[hook]]\nevent = "PreToolUse"\ncommand = ["x"]\nshell = true',
        "not toml",
    ],
)
def test_a_bad_file_is_one_line_that_names_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hooks.toml"
    path.write_text(text)
    with pytest.raises(BadHooks, match=r"hooks\.toml") as caught:
        load(path, "en")
    assert "\n" not in str(caught.value)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".astroresearch").mkdir(parents=True)
    (folder / "tool.py").write_text('print(\'{"outcome": "block", "reason": "ran"}\')')
    declared = f'[[hook]]\nevent = "PreToolUse"\ncommand = ["{sys.executable}", "-S", "tool.py"]\ntimeout = 20\n'
    (folder / ".astroresearch" / "hooks.toml").write_text(declared)
    return folder


async def test_a_projects_hooks_are_inert_until_trusted(project: Path) -> None:
    hooks, notices = load_project(project, "en", lambda path, digest: False)
    assert hooks == ()
    assert "astroresearch trust" in notices[0]


@pytest.mark.parametrize("changed", ["tool.py", ".astroresearch/hooks.toml", ".astroresearch/hooks/new.py"])
async def test_any_change_takes_the_trust_away_also_from_hooks_that_are_loaded(project: Path, changed: str) -> None:
    trusted = project_digest(project)
    hooks, notices = load_project(project, "en", lambda path, digest: digest == trusted)
    assert notices == ()
    assert (await Hooks(hooks).fire(EVENT)).block == Block("ran")
    path = project / changed
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + "\n# changed\n")
    assert (await Hooks(hooks).fire(EVENT)).block is None
    assert load_project(project, "en", lambda path, digest: digest == trusted)[0] == ()


def test_a_link_cannot_be_trusted_since_its_target_may_change_unseen(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text("")
    (project / "tool.py").unlink()
    (project / "tool.py").symlink_to(tmp_path / "elsewhere.py")
    assert project_digest(project) == ""

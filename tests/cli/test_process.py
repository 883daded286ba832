"""What only a process of its own shows: signals, pipes, terminals, and how long it takes to say hello."""

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from astroresearch.context.messages import assistant
from astroresearch.model.faulty_server import FaultyServer, Play
from astroresearch.model.shapes import openai_events

PROMPT = "› "
COMMAND = [sys.executable, "-m", "astroresearch"]


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "HOME", "SYSTEMROOT")}
    return {**kept, "AGENT_HOME": str(home), "LANG": "C.UTF-8", **more}


def call(home: Path, args: Sequence[str], stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [*COMMAND, *args], input=stdin, capture_output=True, env=environment(home, **more), timeout=60, check=False
    )
    assert b"Traceback" not in done.stderr
    return done


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "script.jsonl"
    path.write_text(json.dumps({"text": "67.4 ± 0.5 km/s/Mpc"}) + "\n", encoding="utf-8")
    return f"scripted/{path}"


def test_a_question_comes_from_stdin(tmp_path: Path, model: str) -> None:
    done = call(tmp_path, ["ask", "-", "--model", model], "What is H₀?\n".encode())
    assert (done.returncode, done.stdout.decode()) == (0, "67.4 ± 0.5 km/s/Mpc\n")
    assert call(tmp_path, ["ask", "-"], b"\xff\xfe\x00").returncode == 2


def test_a_terminal_without_unicode_gets_codes_and_json_stays_json(tmp_path: Path, model: str) -> None:
    done = call(tmp_path, ["ask", "H0?", "--model", model], PYTHONIOENCODING="ascii")
    assert done.stdout == b"67.4 \\xb1 0.5 km/s/Mpc\n"
    done = call(tmp_path, ["ask", "H0?", "--model", model, "--json"], PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout.splitlines()[-1])["answer"] == "67.4 ± 0.5 km/s/Mpc"


def test_a_reader_that_leaves_is_no_error(tmp_path: Path, model: str) -> None:
    command = [*COMMAND, "ask", "H0?", "--json", "--model", model]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path)
    ) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == b""
    assert process.returncode == 130


def test_the_language_of_the_terminal(tmp_path: Path) -> None:
    done = call(tmp_path, ["sessions", "show", "abcdef"], LANG="zh_CN.UTF-8")
    assert done.stderr.decode() == "错误：没有会话 abcdef；`astroresearch sessions list` 可列出全部\n"


def test_chat_through_a_pipe(tmp_path: Path, model: str) -> None:
    typed = "What is H0?\n/context\n/recall m0\n/recall m99\n/nope\n/compact\n/model\n/help\n/quit\nnever read\n"
    done = call(tmp_path, ["chat", "--model", model], typed.encode())
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0
    assert out.startswith("67.4 ± 0.5 km/s/Mpc\n")
    assert "system prompt" in out
    assert "[m0 user]\nWhat is H0?" in out
    assert "m99 names nothing" in err
    assert "there is no command /nope" in err
    assert "never read" not in out + err


def test_chat_on_a_terminal_shows_markdown_and_leaves_with_the_end_of_input(tmp_path: Path, model: str) -> None:
    leader, follower = pty.openpty()
    env = environment(tmp_path, TERM="xterm", NO_COLOR="1", COLUMNS="40")
    command = [*COMMAND, "chat", "--model", model]
    with subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=env, start_new_session=True
    ) as process:
        os.close(follower)
        seen = _read_until(leader, "", PROMPT)  # what is typed before the line editor is there may be lost
        os.write(leader, b"What is H0?\n")
        seen = _read_until(leader, seen, "context: ")
        seen = _read_until(leader, seen, PROMPT, after="context: ")
        os.write(leader, b"\x04")
        seen = _read_until(leader, seen, "session: ", after="context: ")
    os.close(leader)
    assert process.returncode == 0
    assert "67.4 ± 0.5 km/s/Mpc" in seen
    assert "Traceback" not in seen


def _read_until(leader: int, seen: str, text: str, *, after: str = "") -> str:
    """Read on from *seen* until *text* stands behind *after*, or nothing more comes."""
    raw = seen.encode()
    while text not in raw.decode("utf-8", "replace").rpartition(after or "\0")[2]:
        try:
            piece = os.read(leader, 4_096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        raw += piece
    return raw.decode("utf-8", "replace")


async def test_a_terminal_counts_the_seconds_down_while_the_provider_is_waited_for(tmp_path: Path) -> None:
    limited = Play(status=429, headers=(("retry-after", "1"),), body=b'{"error": {"message": "Slow down"}}')
    async with FaultyServer([limited, Play(body=openai_events(assistant("Whole.")))]) as server:
        leader, follower = pty.openpty()
        env = environment(tmp_path, TERM="xterm", OPENAI_BASE_URL=server.url, AGENT_MODEL="openai/test")
        process = await asyncio.create_subprocess_exec(
            *COMMAND, "ask", "Q?", stdin=follower, stdout=follower, stderr=follower, env=env, start_new_session=True
        )
        os.close(follower)
        seen = await asyncio.to_thread(_read_until, leader, "", "context: ")
        assert await process.wait() == 0
        os.close(leader)
    assert "1 s left (Ctrl-C ends the turn)" in seen
    assert "Whole." in seen


async def test_ctrl_c_ends_at_once_and_the_session_goes_on(tmp_path: Path) -> None:
    told = openai_events(assistant("Half of the ans" + "wer " * 20))
    plays = [Play(body=told, cut=len(told) // 2, then="silence"), Play(body=openai_events(assistant("Whole.")))]
    async with FaultyServer(plays) as server:
        env = environment(tmp_path, OPENAI_BASE_URL=server.url, AGENT_MODEL="openai/test")
        process = await asyncio.create_subprocess_exec(
            *COMMAND, "ask", "Q?", "--json", env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        assert process.stdout
        while json.loads(await process.stdout.readline())["type"] != "text_delta":
            pass
        process.send_signal(signal.SIGINT)
        rest, err = await asyncio.wait_for(process.communicate(), 30)
        assert process.returncode == 130
        assert err == b""
        done = json.loads(rest.splitlines()[-1])
        assert (done["type"], done["status"]) == ("done", "cancelled")
        assert done["answer"].startswith("Half of the ans")
        again = await asyncio.to_thread(
            call, tmp_path, ["ask", "Q?", "--continue"], OPENAI_BASE_URL=server.url, AGENT_MODEL="openai/test"
        )
        assert (again.returncode, again.stdout) == (0, b"Whole.\n")
        sent = server.asked[-1].json["messages"]
        assert [m["role"] for m in sent] == ["system", "user", "assistant", "user"]
        assert sent[2]["content"].endswith("[cancelled by the user]")


def test_help_imports_nothing_heavy() -> None:
    heavy = ("pydantic", "sqlalchemy", "openai", "anthropic", "rich", "httpx", "asyncio", "sqlite3", "alembic")
    code = (
        f"import sys; from astroresearch.cli.app import run; run(['--help']); print([*{{*{heavy}}} & {{*sys.modules}}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Commands:" in done.stdout

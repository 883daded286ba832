import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from astroresearch.cli.app import run


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Cli = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty AGENT_HOME, and an environment that sets nothing else of ours."""
    for name in os.environ:
        if name.startswith("AGENT_") or name.endswith(("_API_KEY", "_BASE_URL", "_DEV_KEY")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AGENT_HOME", str(tmp_path / "home"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Give what runs a command line in this process and returns what it said."""

    def call(*args: str) -> Said:
        capsys.readouterr()
        code = run(args)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Said(code, out, err)

    return call


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Give what writes a script and returns the name of the model that plays it."""

    def write(*steps: object) -> str:
        path = tmp_path / f"script{len(list(tmp_path.glob('script*')))}.jsonl"
        path.write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
        return f"scripted/{path}"

    return write


SEARCH = {
    "thought": "Look it up.",
    "calls": [
        {"id": "a", "name": "search_library", "arguments": {"query": "Hubble constant"}},
        {"id": "b", "name": "todo_write", "arguments": {"todos": [{"content": "read", "status": "in_progress"}]}},
    ],
}
ANSWER = {"text": "It is **67.4** km/s/Mpc."}

"""One environment for each peer, made once by uv in an ignored folder; what fails is skipped with its reason."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEWER = {"openhands": "3.12"}  # peers that need a newer Python than ours


class Unavailable(Exception):
    """An environment that could not be made: the last line of what uv said."""


def python_of(folder: str) -> Path:
    """Return the interpreter of a peer; ours runs in the environment that asks."""
    if folder == "astroresearch":
        return Path(sys.executable)
    return HERE / ".envs" / folder / "bin" / "python"


def make(folder: str, requirements: Path | None = None) -> None:
    """Make the environment of *folder* unless its pinned requirements are already in it."""
    requirements = requirements or HERE / "peers" / folder / "requirements.txt"
    target = HERE / ".envs" / folder
    stamp = target / "made-from.txt"
    if stamp.is_file() and stamp.read_text() == requirements.read_text():
        return
    _uv("venv", "--quiet", "--clear", "--python", NEWER.get(folder, "3.11"), str(target))
    _uv("pip", "install", "--quiet", "--requirement", str(requirements), VIRTUAL_ENV=str(target))
    stamp.write_text(requirements.read_text())


def versions(folder: str) -> str:
    """Return the pinned requirements in one line."""
    return ", ".join((HERE / "peers" / folder / "requirements.txt").read_text().split())


def _uv(*arguments: str, **environment: str) -> None:
    run = subprocess.run(
        ["uv", *arguments], capture_output=True, text=True, env={**os.environ, "PATH": _path(), **environment}
    )
    if run.returncode:
        raise Unavailable(run.stderr.strip().splitlines()[-1])


def _path() -> str:
    """The uv beside our own Python, and the interpreters that pyenv keeps, which are not on PATH under their names."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    kept = [str(folder) for folder in sorted((root / "versions").glob("3.1*/bin"))]
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", ""), *kept])

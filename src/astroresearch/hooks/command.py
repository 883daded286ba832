"""Hooks that are commands: an argument list, the event as JSON on stdin, the answer as JSON on stdout.

They are declared in a ``hooks.toml``. The one in ``$AGENT_HOME`` is the user's own. One that came with a project folder
is inert until the user trusts its content; so is each of its hooks again as soon as any of that content changes.
"""

import asyncio
import json
import logging
import os
import signal
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from ..files import Unreadable, digest, files_below, read_text
from ..locales import Locale, say
from .events import EVENTS, Block, Event, MutateInput, MutateOutput, Outcome, Override
from .registry import GRACE, USUAL, Hook, HookFailed

LOG = logging.getLogger(__name__)
FILE_NAME = "hooks.toml"
PROJECT = ".astroresearch"  # a project's own folder
MOST_SETTINGS = 100_000  # bytes
MOST_SCRIPT = 5_000_000
MOST_ANSWER = 1_000_000
KEPT = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")  # no key and no token is among them

Word = Annotated[str, StringConstraints(min_length=1, max_length=4_000, pattern=r"^[^\x00]+$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Entry(_Strict):
    event: Literal[tuple(EVENTS)]  # type: ignore[valid-type]
    command: tuple[Word, ...] = Field(min_length=1, max_length=100)
    tools: Word = "*"
    order: int = USUAL
    timeout: float = Field(default=10.0, gt=0, le=600)
    fails_closed: bool = False


class _File(_Strict):
    hook: tuple[_Entry, ...] = Field(default=(), max_length=100)


class _MutateInput(_Strict):
    outcome: Literal["mutate_input"]
    arguments: dict[str, Any]


class _Block(_Strict):
    outcome: Literal["block"]
    reason: str = Field(max_length=2_000)


class _MutateOutput(_Strict):
    outcome: Literal["mutate_output"]
    output: str


class _Override(_Strict):
    outcome: Literal["override"]
    decision: Literal["allow", "deny"]
    reason: str = Field(default="", max_length=2_000)


_ANSWER: TypeAdapter[_MutateInput | _Block | _MutateOutput | _Override] = TypeAdapter(
    Annotated[_MutateInput | _Block | _MutateOutput | _Override, Field(discriminator="outcome")]
)


class BadHooks(Exception):
    """A ``hooks.toml`` that cannot be used; the text is one line, ready to be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandHook:
    """Runs *argv* in *folder*; *trusted* is asked before each run."""

    argv: tuple[str, ...]
    folder: Path
    trusted: Callable[[], bool] = lambda: True

    async def __call__(self, event: Event) -> Outcome | None:
        if not self.trusted():
            raise HookFailed("its files have changed since they were trusted")
        given = json.dumps(event.json, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass")
        status, out, err = await _run(self.argv, self.folder, given)
        if status:
            first = next(iter(err.decode("utf-8", "replace").strip().splitlines()), "")
            raise HookFailed(f"it ended with status {status}: {first[:300]}")
        return decoded(out)


async def _run(argv: tuple[str, ...], folder: Path, given: bytes) -> tuple[int, bytes, bytes]:
    """Return status, stdout and stderr; whatever ends this early ends the command and all that it started."""
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env={name: os.environ[name] for name in KEPT if name in os.environ},
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    pipes = (_feed(process.stdin, given), _all(process.stdout), _all(process.stderr))
    talking = [asyncio.ensure_future(pipe) for pipe in pipes]
    try:
        _, out, err = await asyncio.gather(*talking)
        return await process.wait(), out or b"", err or b""
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await _end(process, talking)


async def _end(process: asyncio.subprocess.Process, talking: Sequence["asyncio.Future[bytes | None]"]) -> None:
    """Wait for a killed process: its end is only seen once its pipes are read to theirs."""
    for talk in talking:
        talk.cancel()
    await asyncio.gather(*talking, return_exceptions=True)
    ends = [_emptied(pipe) for pipe in (process.stdout, process.stderr) if pipe]
    with suppress(TimeoutError):  # what left the command's group may hold a pipe open for ever
        await asyncio.wait_for(asyncio.gather(*ends, process.wait()), GRACE)


async def _emptied(pipe: asyncio.StreamReader) -> None:
    while await pipe.read(65_536):
        pass


async def _feed(pipe: asyncio.StreamWriter, given: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # a command need not read what it is told
        pipe.write(given)
        await pipe.drain()
    pipe.close()


async def _all(pipe: asyncio.StreamReader) -> bytes:
    pieces, total = [], 0
    while piece := await pipe.read(65_536):
        pieces.append(piece)
        total += len(piece)
        if total > MOST_ANSWER:
            raise HookFailed(f"it wrote more than {MOST_ANSWER:,} bytes")
    return b"".join(pieces)


def decoded(out: bytes) -> Outcome | None:
    """Return the outcome that a command wrote, None for nothing; raises ``HookFailed`` for anything else."""
    if not out.strip():
        return None
    try:
        answer = _ANSWER.validate_json(out)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise HookFailed(f"its answer cannot be used: {first['msg']}") from None
    match answer:
        case _MutateInput(arguments=arguments):
            return MutateInput(arguments)
        case _Block(reason=reason):
            return Block(reason)
        case _MutateOutput(output=output):
            return MutateOutput(output)
        case _Override(decision=decision, reason=reason):
            return Override(decision, reason)


def load(path: Path, locale: Locale, folder: Path | None = None) -> tuple[Hook, ...]:
    """Return the hooks that *path* declares, none if it is not there; raises ``BadHooks``. They run in *folder*."""
    if not path.exists() and not path.is_symlink():
        return ()
    try:
        declared = _File.model_validate(tomllib.loads(read_text(path, MOST_SETTINGS)))
    except Unreadable as unreadable:
        raise BadHooks(say(locale, unreadable.key, **unreadable.details)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadHooks(say(locale, "hooks.bad_file", path=path, why=error)) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise BadHooks(say(locale, "hooks.bad_file", path=path, why=f"{where}: {first['msg']}")) from None
    return tuple(_hook(path, entry, folder or path.parent) for entry in declared.hook)


def _hook(path: Path, entry: Any, folder: Path) -> Hook:
    return Hook(
        name=f"{path.name}: {entry.command[0]}",
        event=EVENTS[entry.event],
        run=CommandHook(argv=entry.command, folder=folder),
        tools=entry.tools,
        order=entry.order,
        timeout=entry.timeout,
        fails_closed=entry.fails_closed,
    )


def load_project(
    project: Path, locale: Locale, trusted: Callable[[Path, str], bool]
) -> tuple[tuple[Hook, ...], tuple[str, ...]]:
    """Return the hooks of a project folder, and notices. *trusted* says whether the user trusts a file's digest.

    Hooks that are not trusted are not even parsed. Raises ``BadHooks`` for a trusted file that cannot be used.
    """
    path = project / PROJECT / FILE_NAME
    if not path.exists() and not path.is_symlink():
        return (), ()
    if not trusted(path, project_digest(project)):
        return (), (say(locale, "hooks.not_trusted", path=path),)

    def unchanged() -> bool:
        return trusted(path, project_digest(project))

    hooks = load(path, locale, project)
    return tuple(replace(hook, run=replace(hook.run, trusted=unchanged)) for hook in hooks), ()  # type: ignore[type-var]


def project_digest(project: Path) -> str:
    """Return the digest that trust is bound to: ``hooks.toml``, all in ``.astroresearch/hooks``, and every file of the
    project that a command names. "" if one of them is no plain file, or too long: then nothing can be trusted."""
    path = project / PROJECT / FILE_NAME
    try:
        words = _words(tomllib.loads(read_text(path, MOST_SETTINGS)))
        named = {file for word in words if _is_inside(file := project / word, project)}
        return digest(project, {path, *files_below(path.parent / "hooks"), *named}, MOST_SCRIPT)
    except (Unreadable, tomllib.TOMLDecodeError):
        return ""


def _words(declared: dict[str, Any]) -> Iterator[str]:
    hooks = declared.get("hook")
    for entry in hooks if isinstance(hooks, list) else ():
        command = entry.get("command") if isinstance(entry, dict) else None
        yield from (word for word in command if isinstance(word, str)) if isinstance(command, list) else ()


def _is_inside(file: Path, project: Path) -> bool:
    try:
        return file.is_relative_to(project) and ".." not in file.parts and (file.is_file() or file.is_symlink())
    except (OSError, ValueError):
        return False


def declared_in(hooks: Iterable[Hook]) -> tuple[str, ...]:
    """Return a line a command hook, for the user to judge before trusting."""
    lines = (
        (hook.event.__name__, hook.tools, " ".join(hook.run.argv))
        for hook in hooks
        if isinstance(hook.run, CommandHook)
    )
    return tuple(f"{event} [{tools}] {command}" for event, tools, command in lines)

"""kill -9 in the middle of a turn: nothing that was shown is lost, and the session goes on with a valid transcript."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from astroresearch.context.messages import assistant
from astroresearch.model.scripted import ScriptedModel

from .harness import check_pairs, opened, run, session_with, transcript, types

ROOT = Path(__file__).parent.parent.parent
POINTS = (
    1.5,
    2.5,
    3.0,
    3.5,
    4.0,
    4.5,
    5.0,
    5.5,
    6.5,
    7.5,
    8.0,
    8.5,
    9.5,
)  # of a turn's commits; n.5 is right after the nth
TEXT_IS_SHOWN = 10.0  # before the last commit, which has the answer and the end of the turn

Die = Callable[[Path, str, Path, float], list[int]]


@pytest.fixture(scope="module")
def die() -> Iterator[Die]:
    """Give what runs a turn to its death and returns the numbers of the events that it had shown."""
    command = [sys.executable, "-m", "tests.agent.child"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdin
        assert parent.stdout

        def run(database: Path, session_id: str, ledger: Path, at: float) -> list[int]:
            print(database, session_id, ledger, at, sep="\t", file=parent.stdin, flush=True)
            ended, *seen = map(int, parent.stdout.readline().split())
            assert ended == -signal.SIGKILL
            return seen

        yield run
        parent.stdin.close()


@pytest.mark.parametrize("at", POINTS)
async def test_killed_and_resumed(tmp_path: Path, die: Die, at: float) -> None:
    database, ledger = tmp_path / "sessions.db", tmp_path / "ledger"
    async with opened(database) as store:
        session_id = (await store.create_session(title="killed", model="scripted")).session_id
    seen = die(database, session_id, ledger, at)
    written = ledger.read_text(encoding="utf-8").split() if ledger.exists() else []
    async with opened(database) as store:
        kept = [event.seq for event in await store.events(session_id)]
        assert set(seen) <= set(kept)
        model = ScriptedModel([assistant("Going on.")])
        session = await session_with(store, model, session_id=session_id)
        messages = await transcript(store, session)
        check_pairs(messages)
        events = [event.payload for event in await store.events(session_id)]
        assert [e["type"] for e in events].count("session") == 1
        assert events[-1]["type"] == "done"
        healed = len(events)
        session = await session_with(store, model, session_id=session_id)
        assert len(await store.events(session_id)) == healed, "healed twice"
        assert types(await run(session, "Go on")) == ["session", "text_delta", "usage", "done"]
        check_pairs(model.requests[0].history)
        assert [e.seq for e in await store.events(session_id)] == list(range(1, healed + 5))
    assert written == sorted(set(written), key=written.index), "a side effect happened twice"
    after = ledger.read_text(encoding="utf-8").split() if ledger.exists() else []
    assert after == written, "resuming ran a tool again"


async def test_text_that_was_shown_is_kept(tmp_path: Path, die: Die) -> None:
    database = tmp_path / "sessions.db"
    async with opened(database) as store:
        session_id = (await store.create_session(title="killed", model="scripted")).session_id
    die(database, session_id, tmp_path / "ledger", TEXT_IS_SHOWN)
    async with opened(database) as store:
        session = await session_with(store, [assistant("Next.")], session_id=session_id)
        last = (await transcript(store, session))[-1]
        assert last.text == "All is written.\n\n[interrupted: the answer is not complete]"

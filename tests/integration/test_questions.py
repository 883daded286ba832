"""The embedded researcher at the whole: real papers and the starter library in, cited answers out (issue 2)."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from astroresearch.agent.events import Compacted, Finished, ToolCalled
from astroresearch.agent.session import recall_original
from astroresearch.agent.wiring import Agent
from astroresearch.astro.library import Library
from astroresearch.astro.parse import parse_paper
from astroresearch.astro.tools import library_tools
from astroresearch.config import load_settings
from astroresearch.context.tokens import estimate_message, estimate_text
from astroresearch.model.base import Chunk, Request
from astroresearch.model.local import LocalModel
from astroresearch.tools.base import CallContext
from astroresearch.tools.builtin.recall import recall_context
from astroresearch.tools.builtin.todo import Task, todo_write

from ..agent.harness import check_pairs, opened, run, session_with, transcript
from ..conftest import SHARED

ASKED = Path(__file__).parent.parent / "astro"
PAPERS = json.loads((ASKED / "paper_questions.json").read_text(encoding="utf-8"))[::2]  # retrieval is asked them all
STARTER = json.loads((ASKED / "starter_questions.json").read_text(encoding="utf-8"))
ANSWERED = [asked for asked in STARTER if asked["quote"]][::3]
UNKNOWN = [asked["question"] for asked in STARTER if not asked["quote"]][::4]
NOT_IN_PAPERS = (
    "What is the albedo of Enceladus?",  # named in a paper, beside another moon's albedo
    "土星环的厚度是多少？",  # the same of a ring
    "What is the mass of Perdita?",  # its radius is there
    "Why is the sky blue?",  # something else is blue
    "Who won the World Cup in 2018?",
)
NONE = {"en": "not found in the library", "zh": "文库中没有找到"}
HEAD = {"en": "The library", "zh": "文库中"}
SOFT = 4_000


@dataclass
class Asker:
    """One agent over one library, for all questions of this file."""

    agent: Agent
    keys: Mapping[str, str]
    runner: asyncio.Runner

    def ask(self, question: str) -> Finished:
        return self.runner.run(self._ask(question))

    async def _ask(self, question: str) -> Finished:
        session = await self.agent.create_or_resume_session(None, question)
        running = session.send(question)
        async for _ in running:
            pass
        return await running.finished()


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("questions") / "home"


@pytest.fixture(scope="session")
def asker(home: Path) -> Iterator[Asker]:
    """The starter library, and the recorded papers where they are."""
    folder = SHARED / "data/papers"
    files = sorted(p for p in folder.iterdir() if p.suffix in (".tex", ".md")) if folder.is_dir() else []
    settings = load_settings(environ={}, flags={"AGENT_HOME": str(home), "AGENT_MODEL": "local"}).settings
    with asyncio.Runner() as runner:
        opening = Agent.open(settings)
        agent = runner.run(opening.__aenter__())
        keys = {path.name: agent.library.add(parse_paper(path.read_bytes(), path.name)).key for path in files}
        yield Asker(agent, keys, runner)
        runner.run(opening.__aexit__(None, None, None))


def test_there_is_enough_to_ask() -> None:
    assert len(PAPERS) >= 12
    assert len({asked["paper_file"] for asked in PAPERS}) >= 6
    assert len(ANSWERED) >= 12
    assert {asked["locale"] for asked in ANSWERED} == {"en", "zh"}
    assert len(UNKNOWN) + len(NOT_IN_PAPERS) >= 6


@pytest.mark.parametrize("asked", PAPERS, ids=lambda asked: asked["question"])
def test_a_paper_answers(shared: Path, asker: Asker, asked: dict[str, Any]) -> None:
    done = asker.ask(asked["question"])
    assert any(quote in done.answer for quote in asked["expect_text"]), done.answer
    check_answer(done, asker.keys[asked["paper_file"]], asked["locale"])


@pytest.mark.parametrize("asked", ANSWERED, ids=lambda asked: asked["question"])
def test_the_starter_library_answers(asker: Asker, asked: dict[str, Any]) -> None:
    done = asker.ask(asked["question"])
    assert asked["quote"] in done.answer
    check_answer(done, asked["paper"], asked["locale"])


def check_answer(done: Finished, paper: str, locale: str) -> None:
    """Answered in the question's language, each quotation with its paper, and the papers as citations."""
    assert done.status == "answered"
    assert done.answer.startswith(HEAD[locale])
    quotes = [line for line in done.answer.splitlines() if line.startswith("- ") or line.startswith("  |")]
    cited = re.findall(r"— \[(\S+)\] ", "\n".join(quotes))
    assert paper in cited
    assert {citation["id"] for citation in done.citations} == set(cited)
    assert all(re.search(r"— \[\S+\] \S", line) for line in quotes if not line.startswith("- |"))


@pytest.mark.parametrize("question", [*UNKNOWN, *NOT_IN_PAPERS])
def test_what_no_paper_answers_is_said_to_be_missing(asker: Asker, question: str) -> None:
    done = asker.ask(question)
    assert done.status == "answered"
    locale = "zh" if re.search("[\u4e00-\u9fff]", question) else "en"
    assert NONE[locale] in done.answer
    assert "“" not in done.answer
    assert not done.citations


def command(home: Path, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "HOME")}
    return subprocess.run(
        [sys.executable, "-m", "astroresearch", *args],
        env={**env, "AGENT_HOME": str(home), "AGENT_MODEL": "local", "LANG": "C.UTF-8", **more},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def test_a_paper_is_added_and_asked_on_the_command_line(shared: Path, tmp_path: Path) -> None:
    command(tmp_path, "library", "add", str(shared / "data/papers/ColmTalbot__gwpopulation__joss.md"))
    done = command(tmp_path, "ask", "How many events does the gravitational-wave transient catalog hold?")
    assert "nearly 100 events" in done.stdout
    assert "context: " in done.stderr


def test_three_papers_are_compared_under_a_small_limit_on_the_command_line(asker: Asker, home: Path) -> None:
    question = "比较普朗克、SH0ES和哈勃空间望远镜重点项目三篇论文给出的哈勃常数"
    said = command(home, "ask", "--json", question, AGENT_TOKEN_SOFT_LIMIT=str(SOFT)).stdout
    events = [json.loads(line) for line in said.splitlines()]
    kinds = [event["type"] for event in events]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert "compaction" in kinds
    calls = [event["id"] for event in events if event["type"] == "tool_call"]
    assert len(set(calls)) == len(calls)
    assert sorted(calls) == sorted(event["id"] for event in events if event["type"] == "tool_result")
    done = events[-1]
    assert (done["type"], done["status"]) == ("done", "answered")
    for value in ("67.4 ± 0.5 km/s/Mpc", "73.04 ± 1.04 km/s/Mpc", "72 ± 8 km/s/Mpc"):
        assert value in done["answer"]


async def test_a_long_session_answers_on_under_a_small_limit(tmp_path: Path) -> None:
    flags = {"AGENT_HOME": str(tmp_path), "AGENT_MODEL": "local", "AGENT_TOKEN_SOFT_LIMIT": str(SOFT)}
    turns = (
        ("What is the mass of PSR J0740+6620?", "2.08 ± 0.07 M_sun"),
        ("What is the orbital period of 51 Pegasi b?", "4.23 days"),
        ("Who baked the first sourdough bread?", NONE["en"]),
        ("Compare the Hubble constant from Planck and SH0ES", "67.4 ± 0.5 km/s/Mpc"),
    )
    async with Agent.open(load_settings(environ={}, flags=flags).settings) as agent:
        session = await agent.create_or_resume_session(None, turns[0][0])
        events = []
        for question, expected in turns:
            events += await run(session, question)
            done = events[-1].event
            assert isinstance(done, Finished)
            assert expected in done.answer
    assert sum(isinstance(published.event, Compacted) for published in events) >= 3
    ids = [published.event.id for published in events if isinstance(published.event, ToolCalled)]
    assert len(set(ids)) == len(ids)


@dataclass
class Recorded:
    """The researcher, with every request that it got."""

    name: str = "local"
    requests: list[Request] = field(default_factory=list)
    model: LocalModel = field(default_factory=LocalModel)

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        self.requests.append(request)
        async for chunk in self.model.stream(request):
            yield chunk


async def test_no_request_is_over_the_limit_by_more_than_the_last_result(tmp_path: Path) -> None:
    model = Recorded()
    with Library.open(tmp_path / "papers.db") as library:
        async with opened(tmp_path / "sessions.db") as store:

            async def save(context: CallContext, tasks: tuple[Task, ...]) -> None:
                return None

            async def recall(context: CallContext, ref: str, query: str, offset: int) -> str:
                return await recall_original(store, context.session_id, ref, query, offset, "en")

            tools = (*library_tools(library, "en"), todo_write(save, "en"), recall_context(recall, "en"))
            session = await session_with(store, model, tools=tools, token_soft_limit=SOFT)
            question = (
                "Compare the Hubble constant from Planck, from SH0ES and from the HST Key Project in three papers"
            )
            events = await run(session, question)
            said = await transcript(store, session)
    assert any(isinstance(published.event, Compacted) for published in events)
    last = events[-1].event
    assert isinstance(last, Finished)
    assert (last.status, len(last.citations)) == ("answered", 3)
    check_pairs(said)
    assert {"read_paper", "recall_context"} <= {call.name for message in said for call in message.calls}
    assert all(message.result.status == "ok" for message in said if message.result)
    for request in model.requests:
        check_request(request)


def check_request(request: Request) -> None:
    check_pairs(request.history[1:])
    schemas = sum(estimate_text(json.dumps(schema, ensure_ascii=False)) for schema in request.tools)
    newest = max((i for i, message in enumerate(request.history) if message.role == "assistant"), default=0)
    results = [estimate_message(message) for message in request.history[newest:] if message.result]
    assert schemas + sum(map(estimate_message, request.history)) <= SOFT + max(results, default=0)

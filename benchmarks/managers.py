"""The managers that are compared: ours in this process, each peer in its own environment behind JSON lines.

To the player of ``astroresearch replay`` all look the same: ``fit`` gives the request, ``recall`` an original.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from astroresearch.context import Engine, Policy
from astroresearch.replay.counters import COUNTERS, counter
from astroresearch.replay.player import FakeSummariser

from .histories import WINDOW, History, Plain
from .line import Refused, line_to

RESERVE = 8_000
START = 0.85  # the share of its window at which a peer begins, where it is asked to hold a limit below the window
COUNT = counter("chars4")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a manager would send, with the references that stand in it."""

    messages: Sequence[Plain]
    references: Sequence[str] = ()


class Session(Protocol):
    """One manager on one history, as the player wants it. *views*: the requests so far."""

    @property
    def summariser(self) -> FakeSummariser: ...
    @property
    def views(self) -> list[Sequence[Plain]]: ...

    def fit(self, messages: list[Plain], tools: Any = None) -> Any: ...


class Manager(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def folder(self) -> str: ...

    def session(self, history: History) -> Session: ...


@dataclass(frozen=True, slots=True)
class NoManager:
    """Sends everything, always."""

    name: str = "none"
    folder: str = ""

    def session(self, history: History) -> "EverythingSession":
        return EverythingSession()


@dataclass(frozen=True, slots=True)
class EverythingSession:
    summariser: FakeSummariser = field(default_factory=lambda: FakeSummariser(COUNT))
    views: list[Sequence[Plain]] = field(default_factory=list)

    def fit(self, messages: list[Plain], tools: Any = None) -> Shown:
        self.views.append(messages)
        return Shown(messages)


@dataclass(frozen=True, slots=True)
class Ours:
    """The engine as ``astroresearch replay`` runs it: a limit below the window is its soft limit."""

    name: str
    policy: str
    summaries: bool
    folder: str = ""

    def session(self, history: History) -> "OurSession":
        summariser = FakeSummariser(COUNT)
        soft = {"soft_limit": history.limit} if history.limit < WINDOW else {}
        policy = Policy.named(self.policy, **soft)
        asked = summariser if self.summaries else None
        return OurSession(Engine(policy, WINDOW, RESERVE, asked, counter=COUNTERS["chars4"]), summariser)


@dataclass(frozen=True, slots=True)
class OurSession:
    engine: Engine
    summariser: FakeSummariser
    views: list[Sequence[Plain]] = field(default_factory=list)

    def fit(self, messages: list[Plain], tools: Any = None) -> Any:
        fitted = self.engine.fit(messages, tools)
        self.views.append(fitted.messages)
        return fitted

    def recall(self, ref: str, query: str | None = None) -> str:
        return self.engine.recall(ref, query)


class Told(FakeSummariser):
    """Counts what a peer says that its summariser was sent: four characters a token."""

    def spend(self, calls: Sequence[Sequence[int]]) -> None:
        self.tokens_in += sum(given for given, _ in calls) // 4
        self.tokens_out += sum(told for _, told in calls) // 4


@dataclass(frozen=True, slots=True)
class Peer:
    """*folder* under ``peers/``; *variant*: which of its managers."""

    name: str
    folder: str
    variant: str

    def session(self, history: History) -> "PeerSession":
        return PeerSession(line_to(self.folder).ask({**self.order(history), "mode": "grow"}))

    def order(self, history: History) -> dict[str, Any]:
        """Peers that begin at a share of their window are told the window at which that share is the limit."""
        limit = history.limit if history.limit >= WINDOW else int(history.limit / START)
        hold = history.limit if history.limit < WINDOW else None
        return {"variant": self.variant, "limit": limit, "hold": hold, "messages": history.messages}


@dataclass(slots=True)
class PeerSession:
    """Reads the peer's requests one by one, each as what changed since the last."""

    lines: Iterator[dict[str, Any]]
    summariser: Told = field(default_factory=lambda: Told(COUNT))
    views: list[Sequence[Plain]] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)

    def fit(self, messages: list[Plain], tools: Any = None) -> Shown:
        line = next(self.lines, None)
        if line is None or line["at"] != len(messages):
            raise Refused("its requests do not follow the history")
        last = self.views[-1] if self.views else ()
        self.views.append([*last[: line["keep"]], *line["add"]])
        self.kept.update(line["kept"])
        self.summariser.spend(line["summaries"])
        return Shown(self.views[-1], tuple(self.kept))

    def recall(self, ref: str, query: str | None = None) -> str:
        """What is kept under *ref*; with *query* the passages around it, cut as ours are."""
        text, found, end = self.kept[ref], list[str](), -1
        if not query:
            return text
        for match in re.finditer(re.escape(query), text):
            if match.start() >= end:
                start, end = max(match.start() - 300, 0), match.end() + 500
                found.append(text[start:end])
        return "\n".join(found)


OURS = (
    Ours("astroresearch adaptive", "adaptive", True),
    Ours("astroresearch adaptive, no summariser", "adaptive", False),
    Ours("astroresearch document", "document", True),
)
PEERS = (
    Peer("langchain summarization", "langchain", "summarise"),
    Peer("langchain summarization, untrimmed", "langchain", "untrimmed"),
    Peer("langchain clear-tool-uses", "langchain", "clear"),
    Peer("deepagents", "deepagents", "auto"),
    Peer("pydantic-ai summarizing", "pydantic_ai", "summarise"),
    Peer("pydantic-ai tiered", "pydantic_ai", "tiered"),
    Peer("agent-framework context window", "agent_framework", "window"),
    Peer("agent-framework token budget", "agent_framework", "budget"),
    Peer("strands auto", "strands", "auto"),
    Peer("openhands condenser", "openhands", "default"),
)

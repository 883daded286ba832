"""The engine for other people's agents: plain OpenAI-style dicts in and out (``interface.md``)."""

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..locales import Locale, say
from . import journal
from .dicts import InvalidTranscript, parse, to_dict
from .drive import drive, drive_sync
from .messages import Message
from .policy import Policy
from .summarise import Summarise, SummaryFailed
from .tokens import Counter, estimate_text
from .view import Item
from .window import Compacted, Limits, Window

Dict = dict[str, Any]
Summariser = Callable[[list[Dict], str], "str | Awaitable[str]"]


@dataclass(frozen=True, slots=True)
class Fitted:
    """*messages*: what to send; *tokens*: their calibrated count, schemas included; *applied*: the layers that ran."""

    messages: list[Dict]
    tokens: int
    applied: tuple[str, ...]
    references: tuple[str, ...]


class Engine:
    """Keeps an append-only transcript inside a model's window.

    *summarise* ``(messages, instruction) -> text`` may be async (then use ``afit``) or None: the state block is filled
    by code alone. *clock* returns seconds and lets an open breaker close again; without one every call counts a minute.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        window: int = 128_000,
        reserve: int = 8_000,
        summarise: Summariser | None = None,
        *,
        counter: Counter | None = None,
        locale: Locale = "en",
        identity: str = "",
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._window = Window(
            policy or Policy.document(),
            Limits(window=window, reserve=reserve),
            count=counter,
            locale=locale,
            identity=identity,
        )
        self._summarise, self._clock, self._calls = summarise, clock, 0
        self._seen: list[Dict] = []
        self._schemas: list[Any] = []
        self._fitted: Fitted | None = None
        self._pending: tuple[str, ...] = ()

    def fit(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] | None = None) -> Fitted:
        """Return what to send for the whole transcript *messages*: free if nothing is new, else O(new).

        Raises ``InvalidTranscript`` (naming the index) for what no chat API takes, ``ContextOverflow`` if nothing can
        make the request fit, ``TypeError`` if the summariser is async.
        """
        if unchanged := self._unchanged(messages, tools):
            return unchanged
        self._take(messages, tools)
        compaction = self._window.compaction(now=self._now(), summarise=self._summarise is not None)
        done = drive_sync(compaction, self._ask, self) if compaction else None
        return self._settled(done)

    async def afit(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] | None = None
    ) -> Fitted:
        """As ``fit``, for a summariser that may be async."""
        if unchanged := self._unchanged(messages, tools):
            return unchanged
        self._take(messages, tools)
        compaction = self._window.compaction(now=self._now(), summarise=self._summarise is not None)
        done = await drive(compaction, self._aask, self) if compaction else None
        return self._settled(done)

    def compact(self, focus: str = "") -> Fitted:
        """Compact now, whatever the limits say (S3.3); *focus* tells the summary what to keep."""
        compaction = self._window.compaction(
            manual=True, focus=focus, now=self._now(), summarise=self._summarise is not None
        )
        return self._settled(drive_sync(compaction, self._ask, self) if compaction else None)

    def observe(self, prompt_tokens: int) -> None:
        """Tell what the model reported for the last fitted request; later counts follow it."""
        self._window.observe(prompt_tokens)

    def recall(self, ref: str, query: str | None = None, offset: int = 0) -> str:
        """Return the original that *ref* (`m42`, `m40-m61`) stands for; only the passages with *query* if given."""
        return self._window.recall(ref, query or "", offset)

    @property
    def tool(self) -> Dict:
        """The schema of ``recall_context``, to hand to the model; its arguments are those of ``recall``."""
        locale = self._window.locale
        properties = {
            "ref": {"type": "string", "description": say(locale, "context.recall_ref")},
            "query": {"type": "string", "description": say(locale, "context.recall_query")},
            "offset": {"type": "integer", "description": say(locale, "context.recall_offset")},
        }
        parameters = {"type": "object", "properties": properties, "required": ["ref"]}
        description = say(locale, "context.recall_description")
        return {
            "type": "function",
            "function": {"name": "recall_context", "description": description, "parameters": parameters},
        }

    # -- the steps of a fit -----------------------------------------------------------------------------------------

    def _unchanged(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] | None
    ) -> Fitted | None:
        known = len(self._seen)
        same = len(messages) == known and self._same_tools(tools) and self._continues(messages, known)
        return self._fitted if same else None

    def _same_tools(self, tools: Sequence[Mapping[str, Any]] | None) -> bool:
        return tools is self._schemas or list(tools or ()) == self._schemas

    def _continues(self, messages: Sequence[Mapping[str, Any]], known: int) -> bool:
        """Whether *messages* begins with what was seen: looked at in places that double their distance to the end."""
        back = 1
        while back <= known:
            if messages[known - back] != self._seen[known - back]:
                return False
            back *= 2
        return known == 0 or messages[0] == self._seen[0]

    def _take(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] | None) -> None:
        known = len(self._seen)
        if len(messages) < known or not self._continues(messages, known):
            raise InvalidTranscript(
                min(len(messages), known),
                "the transcript is not a continuation of the last one; it is append-only: use a new Engine for another",
            )
        new = [parse(messages[i], i) for i in range(known, len(messages))]
        for i, message in enumerate(new, known):
            self._window.append(message)
            self._seen.append(messages[i])  # type: ignore[arg-type]
        if not self._same_tools(tools):
            self._offer(list(tools or ()))

    def _offer(self, tools: list[Any]) -> None:
        self._schemas = tools
        self._window.set_overhead(estimate_text(json.dumps(tools, ensure_ascii=False)) if tools else 0)

    def _settled(self, done: Compacted | None) -> Fitted:
        if done is not None:
            self._window.apply(done.record)
        self._fitted = Fitted(
            [self._dict(item) for item in self._window.view],
            self._window.tokens,
            done.applied if done else (),
            self._window.references,
        )
        return self._fitted

    def _dict(self, item: Item) -> Dict:
        return self._seen[item.first] if item.kind == "whole" else to_dict(item.message)

    def _now(self) -> float:
        self._calls += 1
        return self._clock() if self._clock else 60.0 * self._calls

    def _ask(self, ask: Summarise) -> str:
        text = self._called(ask)
        if not isinstance(text, str):
            if inspect.isawaitable(text):
                raise TypeError("the summariser is async: call afit, not fit")
            raise SummaryFailed(f"the summariser returned {type(text).__name__}, not text")
        return text

    async def _aask(self, ask: Summarise) -> str:
        text = self._called(ask)
        try:
            return await text if not isinstance(text, str) else text
        except Exception as error:  # the summariser is the caller's code: whatever it raises is a failed summary
            raise SummaryFailed(str(error)) from error

    def _called(self, ask: Summarise) -> "str | Awaitable[str]":
        assert self._summarise is not None
        try:
            return self._summarise([to_dict(message) for message in ask.messages], ask.instruction)
        except Exception as error:  # as above
            raise SummaryFailed(str(error)) from error

    # -- over a restart ---------------------------------------------------------------------------------------------

    def dump(self) -> Dict:
        """Return everything the engine knows, JSON-able: the transcript, the view, the calibration."""
        window = self._window
        view = {
            "version": journal.VERSION,
            "upto": len(self._seen),
            "view": journal.view_to_json(window.view),
            "states": [journal.state_to_json(state) for state in window.states],
            "breaker": window.breaker_json(),
            "barren": window.barren,
        }
        return {
            "messages": list(self._seen),
            "tools": self._schemas,
            "view": view,
            "window": window.dump(),
            "calls": self._calls,
        }

    @classmethod
    def load(cls, state: Mapping[str, Any], **options: Any) -> "Engine":
        """Return the engine that ``dump`` described; *options* are those of the constructor (policy, summarise, …)."""
        engine = cls(**options)
        engine._seen = [dict(message) for message in state["messages"]]
        for i, raw in enumerate(engine._seen):
            engine._window.append(parse(raw, i))
        engine._window.apply(state["view"])
        engine._window.load(state["window"])
        engine._calls = state["calls"]
        engine._offer(state["tools"])
        engine._settled(None)
        return engine


__all__ = ["Engine", "Fitted", "InvalidTranscript", "Message", "replace"]

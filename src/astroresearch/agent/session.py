"""A session: one question at a time goes in, events come out, and it can be taken up again at any moment (R1.4)."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from ..context.budget import TokenBudget
from ..context.messages import History, user
from ..context.references import parse_reference, recall
from ..locales import Locale, say
from ..store.sessions import Store
from .compaction import compact
from .events import Failed, Finished, SessionStarted
from .finalize import close
from .journal import Journal, Published
from .loop import run_turn
from .plan import open_items, plan_message
from .ports import Ports, Turn
from .streaming import Cancelled
from .watch import TODO, Watch

LOG = logging.getLogger(__name__)


class SessionBusy(Exception):
    """A turn of this session is under way; the next question has to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLimits:
    """*soft* and *hard*: tokens that one turn may newly process before it is nudged, and stopped."""

    max_steps: int = 8
    soft: int = 32_000
    hard: int = 40_000


class Running:
    """A turn under way. Iterate for its events; to stop iterating stops nothing."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._queue: asyncio.Queue[Published | None] = asyncio.Queue()
        journal.listeners.append(self._queue.put_nowait)
        self._task: asyncio.Task[Finished] | None = None

    def watch(self, task: "asyncio.Task[Finished]") -> None:
        self._task = task
        task.add_done_callback(self._end)

    def _end(self, task: "asyncio.Task[Finished]") -> None:
        self._journal.listeners.remove(self._queue.put_nowait)
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Published]:
        while (published := await self._queue.get()) is not None:
            yield published

    async def finished(self) -> Finished:
        """Wait for the turn's end; raises only what kept even the end from being committed."""
        assert self._task is not None
        return await asyncio.shield(self._task)


class Session:
    """Made by ``wiring.Agent``. One turn at a time."""

    def __init__(
        self, session_id: str, ports: Ports, *, locale: Locale, limits: TurnLimits, polling: frozenset[str]
    ) -> None:
        self.id, self.ports, self.locale, self.limits = session_id, ports, locale, limits
        self._polling = polling
        self._ended = ""  # how the last turn did
        self.turn: Turn | None = None

    @property
    def journal(self) -> Journal:
        return self.ports.journal

    def send(self, text: str) -> Running:
        """Start the turn for a question in a task of its own; ``SessionBusy`` if one is under way."""
        turn = self._begin()
        running = Running(self.journal)
        running.watch(asyncio.create_task(self._run(turn, text), name=f"turn of {self.id}"))
        return running

    def cancel(self) -> None:
        """Ask the turn under way, if there is one, to stop at once."""
        if self.turn is not None:
            self.turn.cancel.ask()

    async def close(self) -> None:
        """Tell hooks, and let other processes write to this session again."""
        await self.ports.moments.stop(self.journal.turn, self._ended)
        if self.journal.claim:
            await self.journal.claim.release()

    async def compact(self, focus: str = "") -> bool | None:
        """Compact now, between turns; return whether the view changed, None if that was cancelled."""
        turn = self._begin()
        try:
            turn.tasks = tuple(await self.journal.store.tasks(self.id))
            return await compact(turn, self.ports, manual=True, focus=focus)
        except Cancelled:
            return None
        finally:
            await self._end()

    async def recall(self, ref: str, query: str = "", offset: int = 0) -> str:
        """Return the original that *ref* stands for; raises ``context.UnknownReference``."""
        return await recall_original(self.journal.store, self.id, ref, query, offset, self.locale)

    def _begin(self) -> Turn:
        if self.turn is not None:
            raise SessionBusy(say(self.locale, "agent.busy"))
        window = self.journal.window
        budget = TokenBudget(self.limits.soft, self.limits.hard)
        if self.journal.position:  # earlier turns have paid for the history
            budget = replace(budget, last_prompt=window.tokens)
        has_todo = any(schema["function"]["name"] == TODO for schema in self.ports.schemas)  # type: ignore[index]
        watch = Watch(locale=self.locale, budget=budget, has_todo=has_todo, polling=self._polling)
        self.turn = Turn(
            max_steps=self.limits.max_steps,
            locale=self.locale,
            watch=watch,
            model=self.ports.models[0],
            max_output=self.ports.max_output,
        )
        return self.turn

    async def _end(self) -> None:
        """Keep what the view was measured by; a crash before this only costs a longer look back."""
        model = self.ports.models[0].name
        state = {"window": self.journal.window.dump(), "seq": self.journal.seq, "model": model}
        await self.journal.store.update_session(self.id, engine_state=state, fence=self.journal.fence)
        self.turn = None

    async def _run(self, turn: Turn, text: str) -> Finished:
        """The boundary of a turn: the unexpected becomes its error event, as long as that can be committed."""
        try:
            await self._ask(turn, text)
            done = await run_turn(turn, self.ports)
        except Exception as error:
            LOG.error("turn of session %s failed", self.id, exc_info=error)
            what = f"{type(error).__name__}: {error}".splitlines()[0][:500]
            failed = Failed("Internal", what, say(self.locale, "agent.internal_advice"))
            done = await close(turn, self.ports, "failed", failed)
        finally:
            await self._end()
        self._ended = done.status
        return done

    async def _ask(self, turn: Turn, text: str) -> None:
        """Commit the question, then the plan as it stands (R1.1)."""
        started = SessionStarted(self.id, self.journal.turn + 1, self.ports.models[0].name)
        await self.journal.begin(user(text), started)
        await self.ports.moments.question(text, started.model, resumed=started.turn > 1)
        turn.tasks = tuple(await self.journal.store.tasks(self.id))
        turn.watch.open_items = open_items(turn.tasks)
        if plan := plan_message(turn.tasks, self.locale):
            await self.journal.append(*plan)


async def recall_original(
    store: Store, session_id: str, ref: str, query: str, offset: int, locale: Locale, agent_name: str = "lead"
) -> str:
    """Return from the store, whole, what *ref* stands for: a page of it, or the passages that hold *query* (R3.10).

    ``m42`` is of *agent_name* itself, ``sub_1_2/m42`` of that sub-agent.
    """
    agent, _, own = ref.rpartition("/")
    reference = parse_reference(own)
    originals = await store.originals(session_id, reference.first, reference.last, agent or agent_name)
    kept = {entry.position: entry.message for entry in originals}
    return recall(reference, kept.get, query=query, offset=offset, locale=locale)


async def load_history_for_agent(store: Store, session_id: str, agent_name: str = "lead") -> History:
    """Return the transcript of one agent, '*' for all, with every field as it was (R1.4)."""
    return tuple(entry.message for entry in await store.history(session_id, agent_name))

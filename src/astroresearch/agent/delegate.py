"""Sub-agents (S6): the same loop with a view, a budget and a breaker of its own; only its conclusion comes back.

A sub-agent writes to the parent's session under its own name, so that whatever it read can be recalled by the parent
(``sub_2_1/m5``), after a restart too. It never has more tools than its parent, and none to delegate with.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..context.budget import TokenBudget
from ..context.messages import Status, user
from ..locales import Locale, say
from ..tools.base import CallContext, Citation, Outcome
from ..tools.builtin.delegate import DelegateResearch
from .events import Event, Finished, Thought, ToolCalled, ToolReturned
from .loop import run_turn
from .ports import Ports, Turn
from .session import Session
from .watch import Watch

AT_ONCE = 4  # sub-agents that run side by side; more wait
MOST = 16  # of one turn
ENDING = 0.05  # seconds that a cancelled sub-agent gets to close its transcript
SHOWN = 40  # calls that its report names


@dataclass(slots=True)
class Activity:
    """What a sub-agent did: passes its events on, under the call that started it."""

    agent: str
    parent: str
    calls: list[ToolReturned] = field(default_factory=list)

    def nested(self, event: Event) -> Event | None:
        """Return *event* as the parent's clients see it; None for what only the sub-agent's own turn is about."""
        match event:
            case Thought() | ToolCalled():
                return replace(event, agent=self.agent, parent=self.parent)
            case ToolReturned(ref=ref):
                told = replace(event, agent=self.agent, parent=self.parent, ref=f"{self.agent}/{ref}" if ref else None)
                self.calls.append(told)
                return told
        return None

    def lines(self) -> str:
        lines = [f"{call.ref} {call.name} {call.status}: {call.preview[:80]}" for call in self.calls[:SHOWN]]
        return "\n".join(lines + ["…"] * (len(self.calls) > SHOWN)) or "–"


Make = Callable[[Activity, tuple[str, ...] | None], Ports]  # (who, names of its tools or None for all) -> its effects


class Delegates:
    """Runs the sub-agents of one session. ``bind`` it before the first turn."""

    def __init__(self, locale: Locale) -> None:
        self._locale = locale
        self._free = asyncio.Semaphore(AT_ONCE)
        self._turn = self._made = 0
        self._session: Session | None = None
        self._make: Make | None = None

    def bind(self, session: Session, make: Make) -> None:
        self._session, self._make = session, make

    async def run(self, context: CallContext, asked: DelegateResearch) -> Outcome:
        """Answer a question with a sub-agent; ``KeyError`` becomes a result that names the tools there are."""
        if self._session is None or self._make is None:
            raise RuntimeError("sub-agents are not bound to a session")
        who = Activity(self._name(), context.call_id)
        if self._made > MOST:
            return Outcome(say(self._locale, "tools.delegate_too_many", most=MOST), "error")
        try:
            ports = self._make(who, asked.tools)
        except KeyError as unknown:
            return Outcome(say(self._locale, "tools.delegate_unknown_tool", name=unknown.args[0]), "error")
        async with self._free:
            await self._session.ports.moments.subagent_starts(who.agent, who.parent, asked.question)
            done = await self._research(ports, asked)
        report = self._report(who, done, ports.journal.position)
        await self._session.ports.moments.subagent_stops(who.agent, who.parent, done.status, report)
        status: Status = "error" if done.status in ("failed", "cancelled") else "ok"
        return Outcome(report, status, tuple(_citation(known) for known in done.citations))

    def _name(self) -> str:
        session = self._session
        turn = session.journal.turn if session else 0
        self._turn, self._made = turn, self._made + 1 if turn == self._turn else 1
        return f"sub_{turn}_{self._made}"

    async def _research(self, ports: Ports, asked: DelegateResearch) -> Finished:
        """Run the sub-agent's turn; a cancel of the call cancels it too, so that its transcript stays valid."""
        session = self._session
        assert session is not None
        limits = session.limits
        turn = Turn(
            max_steps=min(asked.max_steps or limits.max_steps, limits.max_steps),
            locale=self._locale,
            watch=Watch(locale=self._locale, budget=TokenBudget(limits.soft, limits.hard), has_todo=False),
            model=ports.models[0],
            max_output=ports.max_output,
        )
        ports.journal.turn = session.journal.turn
        await ports.journal.append(user(asked.question))
        working = asyncio.ensure_future(run_turn(turn, ports))
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            turn.cancel.ask()
            await asyncio.wait({working}, timeout=ENDING)
            raise

    def _report(self, who: Activity, done: Finished, messages: int) -> str:
        answer = done.answer.strip() or say(self._locale, "tools.delegate_no_answer", status=done.status)
        refs = f"{who.agent}/m0-m{messages - 1}"
        return say(self._locale, "tools.delegate_report", activity=who.lines(), answer=answer, refs=refs)


def _citation(known: object) -> Citation:
    values = known if isinstance(known, dict) else {}
    return Citation(str(values["id"]), str(values["title"]), values.get("year"), str(values.get("place", "")))

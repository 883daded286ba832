"""Where the loop tells hooks what happens (S8), and follows what they answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..context.messages import ToolCall
from ..context.window import Compacted, Window
from ..hooks.events import (
    OnPostCompact,
    OnPreCompact,
    OnSessionStart,
    OnSessionStop,
    OnStepComplete,
    OnSubagentStart,
    OnSubagentStop,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    UserPromptSubmit,
)
from ..hooks.registry import Hooks
from ..locales import Locale, say
from ..tools.base import CallContext, Outcome
from .present import arguments_of


@dataclass(frozen=True, slots=True)
class PutOff:
    """What hooks want of a compaction that is due: *focus* for its summary, or, with a *reason*, to put it off."""

    focus: str = ""
    reason: str = ""


class Moments:
    """Fires the hooks of one agent in one session."""

    def __init__(self, hooks: Hooks, session_id: str, locale: Locale, agent_name: str = "lead") -> None:
        self.hooks, self._locale = hooks, locale
        self._who = {"session_id": session_id, "agent_name": agent_name}
        self._started = False

    async def question(self, text: str, model: str, *, resumed: bool) -> None:
        if not self._started:
            self._started = True
            await self.hooks.fire(OnSessionStart(**self._who, model=model, resumed=resumed))
        await self.hooks.fire(UserPromptSubmit(**self._who, text=text))

    async def stop(self, turns: int, reason: str) -> None:
        """Tell that the process lets go of the session; nothing if nobody asked it anything."""
        if self._started:
            self._started = False
            await self.hooks.fire(OnSessionStop(**self._who, turns=turns, reason=reason))

    async def before(self, call: ToolCall, context: CallContext) -> ToolCall | Outcome:
        """Return the call as hooks want it, or a result that says why it does not run."""
        event = PreToolUse(**self._who, call_id=call.id, tool=call.name, arguments=arguments_of(call))
        fired = await self.hooks.fire(event)
        if fired.block:
            told = say(self._locale, "hooks.blocked", tool=call.name, reason=fired.block.reason)
            return Outcome(told, "denied")
        if fired.event.arguments == event.arguments:
            return call
        return replace(call, arguments=json.dumps(fired.event.arguments, ensure_ascii=False))

    async def after(self, call: ToolCall, outcome: Outcome, context: CallContext) -> Outcome:
        what: Mapping[str, object] = {"call_id": call.id, "tool": call.name, "arguments": arguments_of(call)}
        if outcome.status == "ok":
            fired = await self.hooks.fire(PostToolUse(**self._who, **what, output=outcome.text))  # type: ignore[arg-type]
            return replace(outcome, text=fired.event.output)
        failed = PostToolUseFailure(**self._who, **what, output=outcome.text, status=outcome.status)  # type: ignore[arg-type]
        return replace(outcome, text=(await self.hooks.fire(failed)).event.output)

    async def step(self, number: int, window: Window, spent: int, budget: int) -> None:
        event = OnStepComplete(
            **self._who,
            step=number,
            messages=len(window.messages),
            tokens=window.tokens,
            window=window.limits.window,
            spent=spent,
            budget=budget,
        )
        await self.hooks.fire(event)

    async def subagent_starts(self, subagent: str, call_id: str, question: str) -> None:
        await self.hooks.fire(OnSubagentStart(**self._who, subagent=subagent, call_id=call_id, question=question))

    async def subagent_stops(self, subagent: str, call_id: str, status: str, summary: str) -> None:
        event = OnSubagentStop(**self._who, subagent=subagent, call_id=call_id, status=status, summary=summary)
        await self.hooks.fire(event)

    async def before_compaction(self, window: Window, *, manual: bool, forced: bool, focus: str) -> PutOff:
        event = OnPreCompact(
            **self._who,
            messages=len(window.messages),
            tokens=window.tokens,
            manual=manual,
            forced=forced,
            focus=focus,
        )
        fired = await self.hooks.fire(event)
        return PutOff(fired.event.focus, fired.block.reason if fired.block else "")

    async def after_compaction(self, done: Compacted) -> None:
        event = OnPostCompact(
            **self._who,
            before_messages=done.before_messages,
            after_messages=done.after_messages,
            before_tokens=done.before_tokens,
            after_tokens=done.after_tokens,
            layers=tuple(done.applied),
        )
        await self.hooks.fire(event)

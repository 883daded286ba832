"""A compaction as an effect: the pure generator driven with a model, its record committed, then the view swapped."""

from collections.abc import Mapping
from contextlib import aclosing

from ..context.drive import drive
from ..context.messages import user
from ..context.summarise import Summarise, SummaryFailed
from ..context.window import Compacted
from ..locales import say
from ..model.base import Reply, Request
from ..model.faults import ModelFailure
from . import events
from .plan import plan_of
from .ports import Ports, Turn
from .streaming import coalesced


def without_tools(ports: Ports) -> Mapping[str, object]:
    """Return what forbids calls while the tools stay in the request, where the cached prefix wants them."""
    return {"tool_choice": "none"} if ports.schemas else {}


async def compact(turn: Turn, ports: Ports, *, manual: bool = False, focus: str = "", summarise: bool = True) -> bool:
    """Compact if that is due or wished for; return whether the view changed.

    Raises ``ContextOverflow``, ``Cancelled``.
    """
    wish, ports.wishes.compress = ports.wishes.compress, None
    manual, focus = manual or wish is not None, focus or wish or ""
    window = ports.journal.window
    boundary = turn.step == 1  # what the turn before needed may go
    if not (manual or window.due(boundary=boundary)):
        return False
    told = await _hooks_say(turn, ports, manual=manual, focus=focus)
    if told is None:
        return False
    plan = plan_of(turn.tasks, turn.locale)
    steps = window.compaction(manual=manual, focus=told, now=ports.now(), pinned=plan, summarise=summarise, due=True)
    if steps is None:
        return False
    done = await drive(steps, lambda asked: _summary(asked, turn, ports), window)
    if done is None:
        return False
    await ports.journal.fold(done.record, _event(done))
    await ports.moments.after_compaction(done)
    turn.watch.compacted(done.before_tokens, window.tokens)
    if done.summary_failed:
        text = say(turn.locale, "agent.summary_failed")
        await ports.journal.append(events=[events.Notice("summary_failed", text)])
    return True


async def _hooks_say(turn: Turn, ports: Ports, *, manual: bool, focus: str) -> str | None:
    """Return the focus that hooks have added to, None if they put the compaction off and the request fits without."""
    window = ports.journal.window
    forced = window.tokens > window.limits.usable
    told = await ports.moments.before_compaction(window, manual=manual, forced=forced, focus=focus)
    if not told.reason:
        return told.focus
    key = "hooks.compaction_needed" if forced else "hooks.compaction_blocked"
    await ports.journal.append(events=[events.Notice("hook", say(turn.locale, key, reason=told.reason))])
    return told.focus if forced else None


def _event(done: Compacted) -> events.Compacted:
    return events.Compacted(
        layers=done.applied,
        before_tokens=done.before_tokens,
        after_tokens=done.after_tokens,
        before_messages=done.before_messages,
        after_messages=done.after_messages,
        references=done.references,
        manual=done.manual,
    )


async def _summary(asked: Summarise, turn: Turn, ports: Ports) -> str:
    """Ask the model for a summary: system prompt and tools as ever, so that its cached prefix is used (R3.14)."""
    request = Request(
        model=turn.model.name,
        history=(ports.system, *asked.messages, user(asked.instruction, "reminder")),
        tools=ports.schemas,
        max_output=turn.max_output,
        extra=without_tools(ports),
    )
    try:
        reply = await _whole_reply(request, turn)
    except ModelFailure as failure:
        raise SummaryFailed(str(failure)) from failure
    turn.spent = turn.spent.add(reply.usage)
    return reply.message.text


async def _whole_reply(request: Request, turn: Turn) -> Reply:
    async with aclosing(coalesced(turn.model.stream(request), turn.cancel)) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, Reply):
                return chunk
    raise SummaryFailed

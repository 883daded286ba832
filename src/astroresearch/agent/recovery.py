"""One model call that ends in a whole reply, whatever the ladder takes (S5): waits, smaller requests, another model."""

from contextlib import aclosing
from dataclasses import replace

from ..context.messages import History, Media, Message, Text, ToolCall, assistant, user
from ..locales import say
from ..model.base import Reply, Request, TextDelta
from ..model.faults import Fault, FaultKind, ModelFailure, noticed
from ..model.ladder import (
    AggressiveCompact,
    ClampOutput,
    DegradeMedia,
    EscalateTokens,
    Fallback,
    MultiTurn,
    ReactiveCompact,
    Retry,
    Rung,
    Situation,
    Surface,
    next_rung,
)
from . import events
from .compaction import compact, without_tools
from .ports import Ports, Turn
from .streaming import coalesced


async def ask(turn: Turn, ports: Ports, *, tools: bool = True) -> Reply:
    """Ask for the next step. Raises ``ModelFailure`` when nothing helped, ``Cancelled``, ``ContextOverflow``."""
    turn.attempt, turn.shown, said = 0, "", ""
    while True:
        try:
            reply = await _stream(turn, ports, said, tools)
        except ModelFailure as failure:
            await _climb(turn, ports, failure.fault, bool(said))
            await _restart(turn, ports, said)
            continue
        _account(turn, ports, reply)
        if reply.stop != "length":
            return _joined(said, reply)
        said += reply.message.text
        if not await _goes_on(turn, ports, said):
            return _joined("", replace(reply, message=assistant(said)))


async def _stream(turn: Turn, ports: Ports, said: str, tools: bool) -> Reply:
    """Send one request and show what comes; return the reply once it is whole."""
    history: History = (ports.system, *ports.journal.window.messages)
    if turn.degraded:
        history = tuple(_without_media(message, turn) for message in history)
    if said:
        history += (assistant(said), user(say(turn.locale, "agent.continue"), "reminder"))
    request = Request(
        model=turn.model.name,
        history=history,
        tools=ports.schemas,
        max_output=turn.max_output,
        extra={} if tools else without_tools(ports),
    )
    async with aclosing(coalesced(turn.model.stream(request), turn.cancel)) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, Reply):
                return await _checked(turn, ports, said, chunk)
            await _show(turn, ports, chunk.text, thought=not isinstance(chunk, TextDelta))
    raise ModelFailure(noticed("truncated"))


async def _show(turn: Turn, ports: Ports, text: str, *, thought: bool = False) -> None:
    if thought:
        await ports.journal.append(events=[events.Thought(text)])
        return
    await ports.journal.append(events=[events.TextDelta(text, turn.attempt or None)])
    turn.shown += text


async def _checked(turn: Turn, ports: Ports, said: str, reply: Reply) -> Reply:
    """Refuse a reply that says nothing; show what of it no delta brought."""
    text = reply.message.text
    if reply.stop == "content_filter":
        raise ModelFailure(Fault(kind=FaultKind.ContentFilter))
    if reply.stop != "length" and not text.strip() and not reply.message.calls:
        raise ModelFailure(noticed("empty"))
    if missing := (said + text).removeprefix(turn.shown) if (said + text).startswith(turn.shown) else "":
        await _show(turn, ports, missing)
    return reply


def _account(turn: Turn, ports: Ports, reply: Reply) -> None:
    turn.attempts = turn.attempts.answered()
    turn.spent = turn.spent.add(reply.usage)
    turn.watch.charge(reply.usage)
    if not reply.usage.estimated:
        ports.journal.window.observe(reply.usage.prompt_tokens)


def _joined(said: str, reply: Reply) -> Reply:
    """Return the reply with the text of the cut ones before it."""
    if not said:
        return reply
    parts = reply.message.parts
    first = next((k for k, part in enumerate(parts) if isinstance(part, Text | ToolCall)), len(parts))
    return replace(reply, message=replace(reply.message, parts=(*parts[:first], Text(said), *parts[first:])))


async def _restart(turn: Turn, ports: Ports, said: str) -> None:
    """Begin a new attempt: clients drop what an earlier one showed, so what stands from cut answers is shown again."""
    if turn.shown == said:
        return
    turn.attempt, turn.shown = turn.attempt + 1, ""
    if said:
        await _show(turn, ports, said)


async def _goes_on(turn: Turn, ports: Ports, said: str) -> bool:
    """Decide on an answer cut at its limit: go on from its text, or with more room; half a call is never run."""
    rung, turn.attempts = next_rung(noticed("cut"), turn.attempts, _situation(turn, ports, bool(said.strip())))
    match rung:
        case EscalateTokens(limit):
            turn.max_output = limit
        case MultiTurn():
            pass
        case _ if said.strip():
            await _notice(ports, "cut", say(turn.locale, "agent.cut"))
            return False
        case _:
            raise ModelFailure(noticed("cut"))
    return True


async def _climb(turn: Turn, ports: Ports, fault: Fault, has_text: bool) -> None:
    """Do what helps against *fault*, or raise it."""
    _learn(ports, fault)
    while True:
        rung, turn.attempts = next_rung(fault, turn.attempts, _situation(turn, ports, has_text))
        if await _done(rung, turn, ports, fault):
            return


def _learn(ports: Ports, fault: Fault) -> None:
    """Take from the error what it reveals of the window and of our count."""
    window = ports.journal.window
    if fault.prompt_tokens:
        window.observe(fault.prompt_tokens)
    if fault.window:
        window.observe_window(fault.window)


async def _done(rung: Rung, turn: Turn, ports: Ports, fault: Fault) -> bool:
    """Take one rung; return whether the request is worth sending again."""
    match rung:
        case Retry(delay):
            text = say(
                turn.locale, "agent.retrying", what=fault.told(turn.locale), seconds=delay, attempt=turn.attempts.tries
            )
            await ports.journal.append(events=[events.Notice("retry", text, round(delay, 3))])
            await turn.cancel.race(ports.sleep(delay))
        case AggressiveCompact() | ReactiveCompact():
            return await compact(turn, ports, manual=True, summarise=isinstance(rung, ReactiveCompact))
        case ClampOutput(most):
            turn.max_output = most
        case DegradeMedia():
            turn.degraded = True
        case EscalateTokens(limit):
            turn.watch.budget = replace(turn.watch.budget, hard=max(turn.watch.budget.hard, limit))
        case MultiTurn():
            await ports.journal.append(user(say(turn.locale, "agent.in_parts"), "reminder"))
        case Fallback():
            await _fall_back(rung, turn, ports, fault)
        case Surface():
            if rung.reason != "surface_never":
                await _notice(ports, "gave_up", _why(rung, turn))
            raise ModelFailure(fault)
    return True


async def _fall_back(rung: Fallback, turn: Turn, ports: Ports, fault: Fault) -> None:
    turn.model = next(model for model in ports.models if model.name == rung.model)
    values = {"model": rung.model, "count": rung.count, "seconds": rung.seconds, "tries": rung.tries}
    text = f"{fault.told(turn.locale)}. {say(turn.locale, f'model.{rung.reason}', **values)}"
    await _notice(ports, "fallback", text)


def _why(rung: Surface, turn: Turn) -> str:
    values = {"seconds": rung.seconds, "tries": rung.tries, "limit": rung.limit}
    return say(turn.locale, f"model.{rung.reason}", **values)


async def _notice(ports: Ports, kind: str, text: str) -> None:
    await ports.journal.append(events=[events.Notice(kind, text)])


def _situation(turn: Turn, ports: Ports, has_text: bool) -> Situation:
    journal = ports.journal
    others = [model.name for model in ports.models if model is not turn.model]
    media = any(isinstance(part, Media) for message in journal.window.messages for part in message.parts)
    return Situation(
        key=f"{journal.session_id}:{journal.turn}:{turn.step}",
        fallback=others[0] if others else "",
        has_media=media and not turn.degraded,
        has_text=has_text,
        max_output=turn.max_output,
        hard_limit=turn.watch.budget.hard,
        window=journal.window.limits.window,
        max_wait=ports.max_wait,
    )


def _without_media(message: Message, turn: Turn) -> Message:
    """Say in words that there was an image or a file; the transcript keeps it."""
    if not any(isinstance(part, Media) for part in message.parts):
        return message
    told = (
        Text(say(turn.locale, "agent.media_left_out", kind=p.kind)) if isinstance(p, Media) else p
        for p in message.parts
    )
    return replace(message, parts=tuple(told))

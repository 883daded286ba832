"""The ReAct loop: all of one turn, top to bottom."""

from contextlib import aclosing
from dataclasses import replace

from ..context.messages import Message, Text, ToolCall, tool_result, user
from ..context.window import ContextOverflow
from ..locales import say
from ..model.faults import ModelFailure
from ..store.sessions import AuditRow
from ..tools.executor import Executed
from .citations import quoted, with_citations
from .compaction import compact
from .events import Done, Failed, Finished, Notice, ToolCalled, ToolReturned
from .finalize import close, finish
from .plan import open_items
from .ports import Ports, Turn
from .present import arguments_of, preview_of, public_status
from .recovery import ask
from .streaming import Cancelled
from .watch import Hint


async def run_turn(turn: Turn, ports: Ports) -> Finished:
    """Run the turn whose question the journal has just taken; every way out ends in exactly one ``Finished`` event.

    Everything is committed before it is published, and only waits that change nothing are given up on cancel, so the
    session is valid whenever this stops.
    """
    try:
        return await _steps(turn, ports)
    except Cancelled:
        return await close(turn, ports, "cancelled")
    except ModelFailure as failure:
        fault = failure.fault
        return await close(
            turn, ports, "failed", Failed(fault.kind, fault.told(turn.locale), fault.advice(turn.locale))
        )
    except ContextOverflow as overflow:
        advice = say(turn.locale, "agent.overflow_advice")
        return await close(turn, ports, "failed", Failed("PromptTooLong", str(overflow), advice))


async def _steps(turn: Turn, ports: Ports) -> Finished:
    while turn.step < turn.max_steps:
        if hint := turn.watch.must_finish():
            return await _final_answer_without_tools(turn, ports, "budget", hint)
        turn.step += 1
        await _take_notifications(ports)
        await compact(turn, ports)
        await _remind(turn, ports)
        reply = await ask(turn, ports, tools=turn.watch.tools_allowed)
        if not reply.message.calls:
            await _end_step(turn, ports)
            return await finish(turn, ports, "answered", reply.message)
        await _append_intent(turn, ports, reply.message)
        await _run_tools(turn, ports, reply.message.calls)
        turn.watch.end_step()
        await _end_step(turn, ports)
    limit = Hint("step_limit", say(turn.locale, "agent.step_limit", steps=turn.max_steps))
    return await _final_answer_without_tools(turn, ports, "step_limit", limit)


async def _end_step(turn: Turn, ports: Ports) -> None:
    budget = turn.watch.budget
    await ports.moments.step(turn.step, ports.journal.window, budget.spent, budget.hard)


async def _take_notifications(ports: Ports) -> None:
    if finished := await ports.notifications():
        await ports.journal.append(*finished)


async def _remind(turn: Turn, ports: Ports) -> None:
    """Reminders are appended and stay: no earlier message changes, so the cached prefix holds (R2.6)."""
    for hint in turn.watch.hints(last_step=turn.step == turn.max_steps):
        await _tell(ports, hint)


async def _tell(ports: Ports, hint: Hint) -> None:
    await ports.journal.append(user(hint.text, "reminder"), events=[Notice(hint.kind, hint.text)])


async def _append_intent(turn: Turn, ports: Ports, message: Message) -> None:
    """Commit the calls: no tool starts before its intent is durable (security.md P0 1)."""
    events = [ToolCalled(call.id, call.name, arguments_of(call)) for call in message.calls]
    await ports.journal.append(message, events=events)
    turn.shown = ""


async def _run_tools(turn: Turn, ports: Ports, calls: tuple[ToolCall, ...]) -> None:
    results = turn.cancel.with_grace(ports.run_tools(calls, turn.cancel.event, turn.watch.instead_of))
    async with aclosing(results):
        async for executed in results:
            await _append_result(turn, ports, executed)
    if turn.cancel.asked:
        raise Cancelled


async def _append_result(turn: Turn, ports: Ports, executed: Executed) -> None:
    """Commit one result, and with it whatever the tool changed in the session itself."""
    call, outcome = executed.call, executed.outcome
    message = with_citations(tool_result(call, outcome.text, outcome.status), outcome.citations)
    preview = preview_of(outcome.text)
    status = public_status(outcome.status)
    event = ToolReturned(call.id, call.name, status, preview, ref=f"m{ports.journal.position}")
    audit = AuditRow(
        session_id=ports.journal.session_id,
        step=turn.step,
        tool_name=call.name,
        call_id=call.id,
        agent_name=ports.journal.agent_name,
        status=outcome.status,
        elapsed_ms=executed.elapsed_ms,
        output_preview=preview,
    )
    tasks, ports.wishes.tasks = ports.wishes.tasks, None
    await ports.journal.append(message, events=[event], tasks=tasks, audit=[audit])
    turn.tasks = turn.tasks if tasks is None else tasks
    turn.watch.saw(executed, open_items=open_items(turn.tasks))
    ports.citations.update(quoted(outcome.citations))


async def _final_answer_without_tools(turn: Turn, ports: Ports, status: Done, hint: Hint) -> Finished:
    """Ask once more, for the answer itself: the tools stay in the request, where the cached prefix wants them."""
    await _tell(ports, hint)
    await compact(turn, ports)
    message = (await ask(turn, ports, tools=False)).message
    said = tuple(part for part in message.parts if not isinstance(part, ToolCall))
    if not message.text.strip():
        said += (Text(say(turn.locale, "agent.no_answer")),)
    return await finish(turn, ports, status, replace(message, parts=said))

"""How a turn ends: what it cost, what its answer cites, and a transcript that is valid however it was left."""

from collections.abc import Iterable

from ..context.messages import Message, Status, ToolCall, assistant, tool_result
from ..locales import Locale, say
from .citations import cited
from .events import Done, Event, Finished, ToolReturned, UsageReported
from .ports import Ports, Turn
from .present import preview_of, public_status


async def finish(turn: Turn, ports: Ports, status: Done, answer: Message) -> Finished:
    """Commit answer, usage and end as one: an answer without its end would be taken for a crash."""
    done = Finished(status, answer.text, cited(answer.text, ports.citations))
    await ports.journal.append(answer, events=[usage_of(turn, ports), done])
    return done


async def close(turn: Turn, ports: Ports, status: Done, *events: Event) -> Finished:
    """End a turn that did not get to its answer: open calls get a result, text that was shown is kept and marked."""
    journal = ports.journal
    word: Status = "cancelled" if status == "cancelled" else "interrupted"
    results, returned = close_calls(journal.open, word, turn.locale, journal.position)
    done = Finished(status, turn.shown, cited(turn.shown, ports.citations))
    mark = marked(turn.shown, status, turn.locale)
    await journal.append(*results, mark, events=[*returned, *events, usage_of(turn, ports), done])
    return done


def marked(text: str, status: Done, locale: Locale) -> Message:
    """Return what was said so far as a message that says, to the model too, that it is not whole."""
    return assistant("\n\n".join(filter(None, (text.rstrip(), say(locale, f"agent.mark_{status}")))))


def close_calls(
    calls: Iterable[ToolCall], status: Status, locale: Locale, position: int
) -> tuple[tuple[Message, ...], tuple[Event, ...]]:
    """Return results for calls that will get none, and their events; *position* is that of the first."""
    messages = tuple(tool_result(c, say(locale, f"agent.call_{status}", name=c.name), status) for c in calls)
    events = tuple(
        ToolReturned(r.call_id, r.name, public_status(status), preview_of(r.text), ref=f"m{position + k}")
        for k, r in enumerate(m.result for m in messages if m.result)
    )
    return messages, events


def usage_of(turn: Turn, ports: Ports) -> UsageReported:
    window, spent = ports.journal.window, turn.spent
    return UsageReported(
        prompt_tokens=spent.prompt,
        completion_tokens=spent.completion,
        cached_tokens=spent.cached,
        total_spent=turn.watch.budget.spent,
        context_tokens=window.tokens,
        window=window.limits.window,
        estimated=spent.estimated or None,
    )


def title_of(question: str) -> str:
    """Return a session's title: the beginning of its first question in one line."""
    line = " ".join(question[:400].split())
    return line if len(line) <= 80 else line[:79] + "…"

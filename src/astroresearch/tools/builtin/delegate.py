"""``delegate_research``: a sub-agent with a view of its own answers one question (S6)."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from pydantic import Field

from ...locales import Locale, say
from ..base import Arguments, CallContext, Outcome, Tool

NAME = "delegate_research"


class DelegateResearch(Arguments):
    question: str = Field(min_length=3, max_length=4_000)
    tools: tuple[str, ...] | None = Field(default=None, max_length=50)
    max_steps: int | None = Field(default=None, ge=1, le=50)


Delegate: TypeAlias = Callable[[CallContext, DelegateResearch], Awaitable[Outcome]]


def delegate_research(delegate: Delegate, locale: Locale, timeout: float) -> Tool:
    """Return the tool; *delegate* runs the sub-agent, *timeout* is how many seconds each gets."""

    async def run(arguments: DelegateResearch, context: CallContext) -> Outcome:
        return await delegate(context, arguments)

    return Tool(
        name=NAME,
        summary=say(locale, "tools.delegate_summary"),
        description=say(locale, "tools.delegate_description"),
        arguments=DelegateResearch,
        run=run,
        clearing="never",
        timeout=timeout,
        subject=_subject,
    )


def _subject(arguments: Mapping[str, object]) -> str:
    return str(arguments.get("question", ""))[:80]

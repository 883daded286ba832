"""``recall_context``: the way back to whatever a placeholder or a summary stands for (R3.10)."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from pydantic import Field

from ...locales import Locale, say
from ..base import Arguments, CallContext, Outcome, Tool


class RecallContext(Arguments):
    ref: str = Field(pattern=r"^\s*(sub_\d{1,6}_\d{1,4}/)?m\d{1,9}(\s*-\s*m\d{1,9})?\s*$", examples=["m42"])
    query: str | None = Field(default=None, max_length=500)
    offset: int = Field(default=0, ge=0)


class NoSuchReference(LookupError):
    """Nothing is kept under this reference; the message says which there are."""


Recall: TypeAlias = Callable[[CallContext, str, str, int], Awaitable[str]]  # (context, ref, query, offset) -> text


def recall_context(recall: Recall, locale: Locale) -> Tool:
    """Return the tool; *recall* gives the original text or raises ``NoSuchReference``."""

    async def run(arguments: RecallContext, context: CallContext) -> Outcome:
        ref = "".join(arguments.ref.split())
        try:
            return Outcome(await recall(context, ref, arguments.query or "", arguments.offset))
        except NoSuchReference as error:
            return Outcome(say(context.locale, "tools.recall_unknown", ref=ref, reason=str(error)), "error")

    return Tool(
        name="recall_context",
        summary=say(locale, "tools.recall_summary"),
        description=say(locale, "tools.recall_description"),
        arguments=RecallContext,
        run=run,
        subject=_subject,
    )


def _subject(arguments: Mapping[str, object]) -> str:
    return str(arguments.get("ref", ""))

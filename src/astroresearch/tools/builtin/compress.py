"""``compress_context``: the model asks for a compaction; the loop does it after the whole batch of results is in."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from pydantic import Field

from ...locales import Locale, say
from ..base import Arguments, CallContext, Outcome, Tool


class CompressContext(Arguments):
    focus: str | None = Field(default=None, max_length=500)


Compress: TypeAlias = Callable[[CallContext, str], Awaitable[None]]  # (context, focus): note that it was asked for


def compress_context(compress: Compress, locale: Locale) -> Tool:
    """Return the tool; *compress* only notes the wish, since replacing the history now would orphan this very call."""

    async def run(arguments: CompressContext, context: CallContext) -> Outcome:
        await compress(context, arguments.focus or "")
        return Outcome(say(context.locale, "tools.compress_noted"))

    return Tool(
        name="compress_context",
        summary=say(locale, "tools.compress_summary"),
        description=say(locale, "tools.compress_description"),
        arguments=CompressContext,
        run=run,
        read_only=False,
        clearing="never",
    )

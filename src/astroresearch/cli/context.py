"""``astroresearch context``, ``compact``, ``recall``: a session's window, looked at and managed by hand."""

from typing import Annotated

import typer

from .sessions import Id, Json
from .words import t


def register(app: typer.Typer) -> None:
    app.command(help=t("help_context"))(context)
    app.command(help=t("help_compact"))(compact)
    app.command(help=t("help_recall"))(recall)


def context(session: Id, as_json: Json = False) -> None:
    import asyncio

    from .windows import show_context

    asyncio.run(show_context(session, as_json))


def compact(session: Id, focus: Annotated[str, typer.Option("--focus", help=t("help_focus"))] = "") -> int:
    import asyncio

    from .windows import compact_now

    return asyncio.run(compact_now(session, focus))


def recall(
    session: Id,
    reference: Annotated[str, typer.Argument(metavar="REF", help=t("help_ref"))],
    query: Annotated[str, typer.Option("--query", help=t("help_query"))] = "",
) -> None:
    import asyncio

    from .windows import recall_now

    asyncio.run(recall_now(session, reference, query))

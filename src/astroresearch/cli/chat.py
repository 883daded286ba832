"""``astroresearch chat``: a conversation in the terminal, or through a pipe."""

from typing import Annotated

import typer

from .words import t


def register(app: typer.Typer) -> None:
    app.command(help=t("help_chat"))(chat)


def chat(
    session: Annotated[str | None, typer.Option("--session", help=t("help_session"))] = None,
    go_on: Annotated[bool, typer.Option("--continue", help=t("help_continue"))] = False,
    model: Annotated[str | None, typer.Option("--model", help=t("help_model"))] = None,
    locale: Annotated[str | None, typer.Option("--locale", metavar="zh|en", help=t("help_locale"))] = None,
) -> int:
    import asyncio

    from .conversation import converse
    from .failures import Stop

    if session and go_on:
        raise Stop(2, t("session_and_continue"))
    flags = {"AGENT_MODEL": model, "AGENT_LOCALE": locale}
    return asyncio.run(converse(session=session, go_on=go_on, flags=flags))

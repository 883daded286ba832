"""``astroresearch ask``: one question, one answer."""

from typing import Annotated

import typer

from .words import t


def register(app: typer.Typer) -> None:
    app.command(help=t("help_ask"))(ask)


def ask(
    question: Annotated[str, typer.Argument(help=t("help_question"))],
    session: Annotated[str | None, typer.Option("--session", help=t("help_session"))] = None,
    go_on: Annotated[bool, typer.Option("--continue", help=t("help_continue"))] = False,
    model: Annotated[str | None, typer.Option("--model", help=t("help_model"))] = None,
    json_lines: Annotated[bool, typer.Option("--json", help=t("help_json"))] = False,
    max_steps: Annotated[str | None, typer.Option("--max-steps", metavar="N", help=t("help_max_steps"))] = None,
    locale: Annotated[str | None, typer.Option("--locale", metavar="zh|en", help=t("help_locale"))] = None,
) -> int:
    import asyncio

    from . import question as asked
    from .failures import Stop
    from .turns import answer

    if session and go_on:
        raise Stop(2, t("session_and_continue"))
    text = asked.read(question)
    flags = {"AGENT_MODEL": model, "AGENT_MAX_STEPS": max_steps, "AGENT_LOCALE": locale}
    return asyncio.run(answer(text, session=session, go_on=go_on, json_lines=json_lines, flags=flags))

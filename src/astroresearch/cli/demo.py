"""``astroresearch demo``: the main job on the starter library, under a limit that makes it manage its context."""

import typer

from .words import t

LIMITS = {"AGENT_TOKEN_SOFT_LIMIT": "4500", "AGENT_CONTEXT_WINDOW": "16000"}  # reading two papers goes beyond them


def register(app: typer.Typer) -> None:
    app.command(help=t("help_demo"), hidden=True)(demo)


def demo() -> int:
    import asyncio

    from .output import hint
    from .turns import answer

    question = t("demo_question")
    hint(t("demo_asks", question=question))
    return asyncio.run(answer(question, session=None, go_on=False, json_lines=False, flags=LIMITS))

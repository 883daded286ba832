"""``astroresearch sessions``: list, show, export, remove."""

from collections.abc import Coroutine
from typing import Annotated, Any

import typer

from .words import t

Id = Annotated[str, typer.Argument(metavar="ID", help=t("help_id"))]
Json = Annotated[bool, typer.Option("--json", help=t("help_json_document"))]


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=t("help_sessions"), no_args_is_help=True, rich_markup_mode=None)
    group.command("list", help=t("help_sessions_list"))(list_sessions)
    group.command("show", help=t("help_sessions_show"))(show)
    group.command("export", help=t("help_sessions_export"))(export)
    group.command("rm", help=t("help_sessions_rm"))(remove)
    app.add_typer(group, name="sessions")


def _run(work: Coroutine[Any, Any, None]) -> None:
    import asyncio

    asyncio.run(work)


def list_sessions(limit: Annotated[int, typer.Option("--limit", min=1)] = 20, as_json: Json = False) -> None:
    from .stored import list_sessions

    _run(list_sessions(limit, as_json))


def show(session: Id) -> None:
    from .stored import show

    _run(show(session))


def export(session: Id) -> None:
    from .exported import export

    _run(export(session))


def remove(session: Id) -> None:
    from .stored import remove

    _run(remove(session))

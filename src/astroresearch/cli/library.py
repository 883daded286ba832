"""``astroresearch library``: the papers that answers come from."""

from typing import Annotated

import typer

from .sessions import Json
from .words import t


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=t("help_library"), no_args_is_help=True, rich_markup_mode=None)
    group.command("add", help=t("help_library_add"))(add)
    group.command("list", help=t("help_library_list"))(list_papers)
    group.command("search", help=t("help_library_search"))(search)
    group.command("show", help=t("help_library_show"))(show)
    app.add_typer(group, name="library")


def add(
    sources: Annotated[list[str], typer.Argument(metavar="FILE|BIBCODE|ARXIV_ID|DOI...", help=t("help_sources"))],
) -> int:
    from .shelf import add

    return add(sources)


def list_papers(as_json: Json = False) -> None:
    from .shelf import list_papers

    list_papers(as_json)


def search(
    query: Annotated[str, typer.Argument(help=t("help_library_query"))],
    limit: Annotated[int, typer.Option("--limit", min=1, max=100)] = 10,
    as_json: Json = False,
) -> None:
    from .shelf import search

    search(query, limit, as_json)


def show(paper: Annotated[str, typer.Argument(metavar="ID", help=t("help_paper"))]) -> None:
    from .shelf import show

    show(paper)

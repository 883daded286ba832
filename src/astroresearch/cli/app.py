"""All commands, and what a command's end looks like from outside: one line for an error, and its exit code."""

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

import typer

from .. import __version__
from .failures import Failure, explain
from .output import ReaderLeft, flush, forget, hint, tell
from .words import t

ROOMS = ("ask", "chat", "sessions", "context", "library", "settings", "doctor", "demo")
NEIGHBOURS = (
    "replay",
    "skills",
    "memory",
    "server",
    "tasks",
)  # packages whose module ``command`` has commands of their own
ClickException: type[Exception] = typer.BadParameter.__mro__[2]  # typer has its own copy of click, under a private name
LOG_FILE = "astroresearch.log"


def build() -> typer.Typer:
    """Return the application; a room's module only declares its commands, and imports what they need when they run."""
    app = typer.Typer(
        name="astroresearch",
        help=t("help"),
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    @app.callback()
    def main(
        version: Annotated[
            bool, typer.Option("--version", help=t("help_version"), is_eager=True, callback=_version)
        ] = False,
    ) -> None: ...

    house = __package__.rpartition(".")[0]
    modules = [f"{__package__}.{room}" for room in ROOMS]
    modules += [name for room in NEIGHBOURS if find_spec(name := f"{house}.{room}.command")]
    for module in modules:
        import_module(module).register(app)
    return app


def _version(asked: bool) -> None:
    if asked:
        tell(__version__)
        raise typer.Exit


def run(args: Sequence[str]) -> int:
    """Run one command line; return its exit code. Whatever goes wrong is said in one line on stderr."""
    _prepare_streams()
    try:
        code = typer.main.get_command(build()).main(list(args), prog_name="astroresearch", standalone_mode=False)
        flush()
        return code if isinstance(code, int) else 0
    except ReaderLeft:
        forget()
        return 130
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except ClickException as error:
        return _usage(error)
    except Exception as error:
        return _say(explain(error, _log_file()))


def _usage(error: Exception) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command: what it can do is the answer
        hint(getattr(error, "message", str(error)))
        return 2
    context = getattr(error, "ctx", None)
    where = context.command_path if context else "astroresearch"
    message = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    return _say(Failure(2, t("usage", message=message.rstrip("."), command=where)))


def _say(failure: Failure) -> int:
    hint(t("error", text=failure.line))
    return failure.code


def _prepare_streams() -> None:
    """A terminal that can't show a character shows its code: a number without its ± would be another number."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    logging.getLogger("astroresearch").addHandler(_LazyFile())
    logging.getLogger("astroresearch").propagate = False


def _log_file() -> str:
    return os.path.join(os.path.expanduser(os.environ.get("AGENT_HOME") or "~/.astroresearch"), LOG_FILE)  # noqa: PTH111, PTH118


class _LazyFile(logging.Handler):
    """Opens the log file with the first thing to be logged: most commands log nothing."""

    def emit(self, record: logging.LogRecord) -> None:
        path = _log_file()
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
            with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:  # noqa: PTH123
                file.write(f"{self.format(record)}\n")
        except OSError:
            self.handleError(record)

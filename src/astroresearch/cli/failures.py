"""From any exception to one line and an exit code (interface.md): 2 usage, 3 settings, 4 failed, 5 nothing there."""

import logging
import sys
from dataclasses import dataclass

from .words import language, t

LOG = logging.getLogger("astroresearch.cli")


@dataclass(frozen=True, slots=True)
class Failure:
    code: int
    line: str


class Stop(Exception):
    """Ends a command with a line for the user."""

    def __init__(self, code: int, line: str) -> None:
        super().__init__(line)
        self.failure = Failure(code, line)


def explain(error: Exception, log_file: str) -> Failure:
    """Return what to say of *error*; what nobody expected is logged whole in *log_file*."""
    if isinstance(error, Stop):
        return error.failure
    known = _settings(error) or _missing(error) or _store(error) or _busy(error)
    if known:
        return known
    LOG.error("unexpected", exc_info=error)
    return Failure(4, t("unexpected", kind=type(error).__name__, what=_first_line(error), log=log_file))


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), "")[:300]


def _settings(error: Exception) -> Failure | None:
    from ..config import BadFlag, BadSetting

    if isinstance(error, BadSetting):
        return Failure(2 if isinstance(error, BadFlag) else 3, str(error))
    return None


def _missing(error: Exception) -> Failure | None:
    from ..astro.library import NoSuchPaper
    from ..context import UnknownReference
    from ..store.rows import AmbiguousSession, NoSuchSession

    if isinstance(error, NoSuchSession) and not isinstance(error, AmbiguousSession):
        return Failure(5, t("no_session", id=error.args[0]))
    if isinstance(error, NoSuchPaper):
        near = "; ".join(f"{head.key} ({head.title})" for head in error.near)
        return Failure(5, t("no_paper_near" if near else "no_paper", name=error.name, near=near))
    if isinstance(error, UnknownReference):
        return Failure(5, str(error))
    return None


def _store(error: Exception) -> Failure | None:
    import sqlite3

    from ..store.rows import AmbiguousSession, StoreError, StoreUnavailable

    if isinstance(error, StoreError):
        code = 5 if isinstance(error, AmbiguousSession) else 3 if isinstance(error, StoreUnavailable) else 4
        return Failure(code, error.said(language()))
    if isinstance(error, sqlite3.Error):
        return Failure(3, t("no_store", what=_first_line(error)))
    if isinstance(error, OSError):
        return Failure(3, t("no_file", what=error.strerror or type(error).__name__, file=error.filename or ""))
    return None


def _busy(error: Exception) -> Failure | None:
    if "astroresearch.agent.session" not in sys.modules:
        return None
    from ..agent.session import SessionBusy

    return Failure(4, str(error)) if isinstance(error, SessionBusy) else None

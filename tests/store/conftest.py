"""Every test of the store runs on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from astroresearch.store.sessions import Store

from ..postgres import Postgres, postgres


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    with postgres(tmp_path_factory.mktemp("pg")) as running:
        yield running


@pytest.fixture(scope="session")
def shared_database(server: Postgres) -> str:
    return server.database("shared")


@pytest.fixture(params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fresh_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'sessions.db'}"
    make: Callable[[str], str] = request.getfixturevalue("server").database
    return make(f"t{uuid4().hex[:12]}")


@pytest.fixture
def url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that other tests may have sessions in."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'sessions.db'}"
    return str(request.getfixturevalue("shared_database"))


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with await Store.open(url) as opened:
        yield opened

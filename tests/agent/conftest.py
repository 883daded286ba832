from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from astroresearch.store.sessions import Store

from .harness import opened


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(tmp_path / "sessions.db") as store:
        yield store

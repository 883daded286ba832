"""What all tests share: where the recorded material lies."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("ASTRORESEARCH_SHARED", ROOT.parent / "shared"))

settings.register_profile("test", max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "laws",
    max_examples=100_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded sessions, provider errors and papers; tests that need it skip where it is absent."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"no recorded material at {SHARED} (set ASTRORESEARCH_SHARED)")
    return SHARED

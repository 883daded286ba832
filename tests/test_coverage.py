"""docs/coverage.md names modules and tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    line.split("|")[1:-1]
    for line in (ROOT / "docs/coverage.md").read_text("utf-8").splitlines()
    if line.startswith("| S")
]
TESTS = {
    name
    for file in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
}


def test_every_section_has_a_row() -> None:
    sections = {row[0].strip().split(".")[0] for row in ROWS}
    assert sections == {f"S{n}" for n in range(1, 12)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0].strip()} {row[1].strip()[:40]}")
def test_a_row_names_what_exists(row: list[str]) -> None:
    _, _, where, shown = row
    if "**not there**" in where:
        assert not shown.strip()
        return
    modules, tests = re.findall(r"`([^`]+)`", where), re.findall(r"`(test_\w+)`", shown)
    assert modules
    assert tests
    for module in modules:
        assert (ROOT / "src/astroresearch" / module).exists(), module
    assert set(tests) <= TESTS, set(tests) - TESTS

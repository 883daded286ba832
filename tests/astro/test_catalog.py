"""The starter library: enough entries, each in its form, and none that the record of its check does not name."""

import json
import re
from pathlib import Path

import pytest

from astroresearch.astro.catalog import CatalogError, load_catalog, parse_catalog

ROOT = Path(__file__).parent.parent.parent
LINES = (ROOT / "src/astroresearch/astro/catalog/papers.jsonl").read_text("utf-8").splitlines()
ENTRIES = [json.loads(line) for line in LINES]
RECORD = (ROOT / "docs/starter-library.md").read_text("utf-8")
MEASURED = re.compile(r"\d[\d.]*\)? (?:± \d[\d.]*|\+\d[\d.]* −\d[\d.]*)")


def test_the_library_is_large_enough_to_start_with() -> None:
    assert len(load_catalog()) >= 60


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["bibcode"])
def test_an_entry_was_checked_and_says_when_what_and_how(entry: dict) -> None:  # type: ignore[type-arg]
    (row,) = [line for line in RECORD.splitlines() if line.startswith(f"| `{entry['bibcode']}` |")]
    _, _, checked, how, date, _ = row.split("|")
    assert "bibcode" in checked
    assert len(how.strip()) > 20
    assert re.fullmatch(r" \d{4}-\d\d-\d\d ", date)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["bibcode"])
def test_the_bibcode_has_the_first_authors_initial(entry: dict) -> None:  # type: ignore[type-arg]
    assert entry["bibcode"][-1] == entry["authors"][0][0].upper()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["bibcode"])
def test_a_value_of_the_chinese_summary_stands_among_the_values(entry: dict) -> None:  # type: ignore[type-arg]
    values = " ".join(entry["values"])
    for measured in MEASURED.findall(entry.get("zh", "")):
        assert measured in values


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("{", "line 2: no JSON"),
        (LINES[0], "is there twice"),
        (json.dumps(ENTRIES[1] | {"year": 1900}), "differs from the bibcode's"),
        (json.dumps(ENTRIES[1] | {"bibcode": "1965ApJ"}), "is no bibcode"),
        (json.dumps(ENTRIES[1] | {"kind": "measurement", "values": []}), "without measured values"),
        (json.dumps(ENTRIES[1] | {"rating": 5}), "rating"),
    ],
)
def test_a_bad_line_is_named(line: str, wrong: str) -> None:
    with pytest.raises(CatalogError, match=re.escape(wrong)) as raised:
        parse_catalog(f"{LINES[0]}\n{line}\n")
    assert "line 2" in str(raised.value)

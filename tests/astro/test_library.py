"""The library as its users see it: kept once, found by any name, searched in words, shared by processes."""

import multiprocessing
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.astro.library import Library, NoSuchPaper
from astroresearch.astro.library.database import journal_mode
from astroresearch.astro.papers import Block, Paper, Section


def paper(key: str, title: str, abstract: str = "", *, sha256: str = "", **given: str) -> Paper:
    section = Section("Results", 1, (Block("text", given.pop("text", "")),), "3") if "text" in given else None
    return Paper(
        key, title, ("Ada One", "Ben Two", "Cy Three"), 2020, abstract=abstract, sha256=sha256 or key,
        sections=(section,) if section else (), **given,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "papers.db", starter=False) as opened:
        yield opened


PLANCK = paper(
    "2020A&A...641A...6P", "Planck 2018 results. VI. Cosmological parameters", r"We find $H_0 = 67.4\pm 0.5$ km/s/Mpc.",
    bibcode="2020A&A...641A...6P", arxiv="1807.06209", doi="10.1051/0004-6361/201833910",
)  # fmt: skip


def test_the_same_content_is_kept_once(library: Library) -> None:
    assert library.add(PLANCK).new
    again = library.add(PLANCK)
    assert (again.key, again.new) == ("2020A&A...641A...6P", False)
    assert len(library.papers()) == 1


def test_other_content_under_the_same_identifier_is_the_next_version(library: Library) -> None:
    library.add(PLANCK)
    newer = paper("1807.06209", "Planck 2018 results. VI", "A new text.", sha256="other", arxiv="1807.06209")
    added = library.add(newer)
    assert (added.key, added.new, added.version) == ("2020A&A...641A...6P", True, 2)
    assert library.paper("10.1051/0004-6361/201833910").abstract == "A new text."
    assert library.search("Hubble constant") == []


@pytest.mark.parametrize(
    "name",
    [
        "2020A&A...641A...6P",
        "1807.06209",
        "arXiv:1807.06209v4",
        "https://arxiv.org/abs/1807.06209",
        "cosmological parameters",
        "10.1051/0004-6361/201833910",
        "https://doi.org/10.1051/0004-6361/201833910",
        "2018arXiv180706209P",
    ],
)
def test_a_paper_has_many_names(library: Library, name: str) -> None:
    library.add(PLANCK)
    library.add(paper("b", "Modeling coronal loops"))
    assert library.paper(name) == PLANCK


def test_a_name_that_fits_none_brings_near_ones(library: Library) -> None:
    library.add(PLANCK)
    library.add(paper("b", "Planck 2018 results. I. Overview"))
    with pytest.raises(NoSuchPaper) as missing:
        library.paper("Planck results")
    assert {head.key for head in missing.value.near} == {"2020A&A...641A...6P", "b"}
    with pytest.raises(NoSuchPaper) as missing:
        library.paper("zebra")
    assert missing.value.near == ()


def test_a_removed_paper_is_gone(library: Library) -> None:
    library.add(PLANCK)
    assert library.remove("1807.06209") == "2020A&A...641A...6P"
    assert library.papers() == []
    assert library.search("cosmological parameters") == []
    with pytest.raises(NoSuchPaper):
        library.paper("1807.06209")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("H0", r"$H_{\rm 0}$"),
        ("H_0", "H0"),
        ("Hubble constant", "H0"),
        ("lya forest", r"the Ly$\alpha$ forest"),
        ("Lyα", "Lyman-alpha"),
        ("NGC4151", "NGC 4151"),
        ("NGC 4151", "NGC4151"),
        ("Omega_m", r"$\Omega_{\rm m}$"),
        ("M31", "M 31"),
        ("HD-189733", "HD 189733"),
        ("C/2025 N1", "comet C/2025 N1"),
        ("it's AND OR NOT \" NEAR( *", "it's near"),
        ("哈勃常数", "Hubble constant"),
        ("红移", "redshift"),
        ("系外行星", "exoplanets"),
        ("redshift", "该星系的红移"),
        ("暗物质晕", "暗物质晕的质量"),
        ("Msun", r"$M_\odot$"),
    ],
)
def test_notation_and_language_do_not_hide_a_paper(library: Library, query: str, text: str) -> None:
    library.add(paper("wanted", "One", text=f"Here {text} is measured."))
    library.add(paper("other", "Two", text="Nothing of that kind."))
    assert library.search(query)[0].paper == "wanted"


def test_the_score_tells_how_much_of_the_question_was_found(library: Library) -> None:
    library.add(PLANCK)
    (whole, *_) = library.search("What is the Hubble constant?")
    (part, *_) = library.search("What is the Hubble constant of chocolate cake?")
    assert whole.score == 1.0
    assert part.score < 0.6
    assert library.search("Who bakes chocolate cake?") == []
    assert library.search("???") == library.search("what is the") == []


def test_passages_are_whole_sentences_with_their_place(library: Library) -> None:
    filler = "Unrelated words stand here to fill the paragraph, e.g. about Fig. 3 and Eq. 4. " * 12
    library.add(paper("p", "One", text=f"{filler}The mass is $1.5 \\pm 0.1$ kg, i.e. small. {filler}"))
    (hit,) = library.search("mass in kg")
    assert "The mass is $1.5 \\pm 0.1$ kg, i.e. small." in hit.text
    assert hit.place == "§3 Results"
    assert len(hit.text) < 700


def test_equations_and_tables_are_passages_of_their_own(library: Library) -> None:
    blocks = (
        Block("text", "Other words. The chirp mass is given by"), Block("equation", "M_c = x", number="7"),
        Block("caption", "Table 2. Stellar properties", number="2"),
        Block("table", "| Parameter | Value |\n| --- | --- |\n| Distance | 13.7 pc |\n| Radius | 0.1 |", number="2"),
    )  # fmt: skip
    library.add(Paper("p", "One", sections=(Section("Methods", 1, blocks, "2"),), sha256="p"))
    assert [hit.text for hit in library.search("chirp mass") if hit.place == "eq. 7"] == [
        "The chirp mass is given by $$ M_c = x $$"
    ]
    assert "| Distance | 13.7 pc |" in next(
        hit.text for hit in library.search("stellar distance", paper="p") if hit.text.startswith("| Parameter")
    )


def test_an_outline_lists_places_and_sizes(library: Library) -> None:
    library.add(paper("p", "One", "Abs", text="Four"))
    assert [(entry.place, entry.characters) for entry in library.outline("p")] == [("abstract", 3), ("§3 Results", 4)]


def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    with Library.open(tmp_path / "papers.db", starter=False) as first:
        first.add(PLANCK)
    with Library.open(tmp_path / "papers.db", starter=False) as second:
        assert second.paper("1807.06209") == PLANCK


def test_a_file_that_is_no_library_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "papers.db").write_text("these are no pages of a database, whatever its name says" * 20)
    with pytest.raises(sqlite3.DatabaseError):
        Library.open(tmp_path / "papers.db", starter=False)


def test_the_write_ahead_log_is_used_only_where_it_is_safe() -> None:
    safe = [(3, 51, 3), (3, 52, 0), (3, 50, 7), (3, 44, 6)]
    unsafe = [(3, 40, 1), (3, 51, 2), (3, 50, 6), (3, 44, 5), (3, 45, 0)]
    assert [journal_mode(version) for version in safe] == ["wal"] * 4
    assert [journal_mode(version) for version in unsafe] == ["delete"] * 5


def add_many(path: Path, name: str) -> None:
    with Library.open(path, starter=False) as opened:
        for number in range(15):
            opened.add(paper(f"{name}{number}", f"Paper {name} {number}", text=f"Comet number {number}."))
            opened.search("comet")


def test_several_processes_share_one_library(tmp_path: Path) -> None:
    path = tmp_path / "papers.db"
    spawned = multiprocessing.get_context("spawn")
    writers = [spawned.Process(target=add_many, args=(path, name)) for name in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with Library.open(path, starter=False) as opened:
        assert len(opened.papers()) == 45


@given(st.text(max_size=80))
def test_any_question_is_answered_without_a_syntax_error(query: str) -> None:
    with Library.open(Path(":memory:"), starter=False) as opened:
        opened.add(PLANCK)
        for hit in opened.search(query):
            assert 0.0 <= hit.score <= 1.0

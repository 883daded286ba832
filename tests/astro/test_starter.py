"""The starter catalogue in the library: there from the first open, behind what the user has in full."""

from dataclasses import replace
from pathlib import Path

from astroresearch.astro.catalog import load_catalog
from astroresearch.astro.library import Library


def test_the_catalogue_is_there_from_the_first_open(tmp_path: Path) -> None:
    with Library.open(tmp_path / "papers.db") as library:
        assert {head.key for head in library.papers()} == {paper.key for paper in load_catalog()}
        assert {head.origin for head in library.papers()} == {"catalog"}
    with Library.open(tmp_path / "papers.db") as again:
        assert len(again.papers()) == len(load_catalog())


def test_every_entry_is_found_by_its_title(tmp_path: Path) -> None:
    with Library.open(tmp_path / "papers.db") as library:
        lost = [paper.key for paper in load_catalog() if library.search(paper.title, 3)[0].score < 0.9]
        first = [paper.key in {hit.paper for hit in library.search(paper.title, 3)} for paper in load_catalog()]
    assert lost == []
    assert all(first)


def test_the_users_own_copy_comes_first_and_its_removal_brings_the_entry_back(tmp_path: Path) -> None:
    entry = load_catalog()[0]
    mine = replace(entry, abstract="My own full text.", sha256="mine", format="latex")
    with Library.open(tmp_path / "papers.db") as library:
        added = library.add(mine)
        assert (added.key, added.new, added.version) == (entry.key, True, 2)
        assert library.paper(entry.key).abstract == "My own full text."
    with Library.open(tmp_path / "papers.db") as library:
        assert library.paper(entry.key).abstract == "My own full text."
        library.remove(entry.key)
        assert library.paper(entry.key) == entry
        library.remove(entry.key)
        assert len(library.papers()) == len(load_catalog()) - 1

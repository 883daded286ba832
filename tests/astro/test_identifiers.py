"""Identifiers of papers: what is one, what is none, and one form for each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.astro.identifiers import Identifier, arxiv_of_bibcode, parse_identifier


@pytest.mark.parametrize(
    "text",
    ["2022ApJ...934L...7R", "2020A&A...641A...6P", "2021ascl.soft07027B", "2018SPIE10702E..6DS", "2020MNRAS.tmp.1191K",
     "2005oasp.book.....G", "1907AN....174...59."],
)  # fmt: skip
def test_bibcodes_keep_every_character(text: str) -> None:
    assert parse_identifier(text) == Identifier("bibcode", text)
    url = f"https://ui.adsabs.harvard.edu/abs/{text.replace('&', '%26')}/abstract"
    assert parse_identifier(url) == Identifier("bibcode", text)


@pytest.mark.parametrize(
    ("text", "value", "version"),
    [
        ("2112.04510", "2112.04510", None),
        ("arXiv:1207.6212v3", "1207.6212", 3),
        ("https://arxiv.org/pdf/2112.04510v2.pdf", "2112.04510", 2),
        ("https://arxiv.org/abs/astro-ph/9812133", "astro-ph/9812133", None),
        ("astro-ph.CO/9812133v1", "astro-ph/9812133", 1),
        ("10.48550/arXiv.2112.04510", "2112.04510", None),
    ],
)
def test_arxiv_ids(text: str, value: str, version: int | None) -> None:
    assert parse_identifier(text) == Identifier("arxiv", value, version)


@pytest.mark.parametrize(
    "text", ["1207.62129", "1501.1234", "2113.12345", "0703.1234", "math/9913133", "food/9812133", "H0", ""]
)
def test_what_looks_like_an_arxiv_id_and_is_none(text: str) -> None:
    assert parse_identifier(text) is None


def test_dois_are_one_in_any_case() -> None:
    forms = ("10.3847/2041-8213/AC5C5B", "doi: 10.3847/2041-8213/ac5c5b", "https://doi.org/10.3847/2041-8213/ac5c5b")
    assert {parse_identifier(form) for form in forms} == {Identifier("doi", "10.3847/2041-8213/ac5c5b")}
    assert parse_identifier("10.1016/0370-2693(75)90203-3") == Identifier("doi", "10.1016/0370-2693(75)90203-3")


def test_an_arxiv_bibcode_names_its_preprint() -> None:
    assert arxiv_of_bibcode("2019arXiv190807875X") == "1908.07875"
    assert arxiv_of_bibcode("2022ApJ...934L...7R") == ""


@given(st.text(max_size=60))
def test_any_text_is_an_identifier_or_none(text: str) -> None:
    found = parse_identifier(text)
    if found is not None:
        again = parse_identifier(found.value)
        assert again is not None
        assert (again.kind, again.value) == (found.kind, found.value)

"""The two tools as a model sees them: rows and blocks in a form that does not change, with their citations."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from astroresearch.astro.library import Library
from astroresearch.astro.papers import Block, Paper, Section
from astroresearch.astro.tools import library_tools
from astroresearch.tools.base import CallContext, Outcome, Tool

LONG = "The comet is bright, and this sentence fills the page of a long paper. "
PAPER = Paper(
    "2025ApJ...989L..36S",
    "A comet from afar",
    ("Darryl Z. Seligman", "Imke de Pater", "Wu, X."),
    2025,
    bibcode="2025ApJ...989L..36S",
    abstract="We find an eccentricity of $e = 6.1$.",
    sections=(
        Section("Results", 1, (Block("text", LONG * 90), Block("equation", "e = mc^2", number="1")), "3"),
        Section("Orbit", 2, (Block("text", "The perihelion is $q = 1.36$ au."),), "3.1"),
        Section("Discussion", 1, (Block("text", "It came fast."),), "4"),
    ),
    sha256="1",
    notices=("a drawing (tikzpicture) was left out",),
)
SMALL = Paper("small", "A small entry", ("Imke de Pater", "Jane Doe"), abstract="Mab has a radius of 6 km.", sha256="2")


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[tuple[Tool, Tool]]:
    with Library.open(tmp_path / "papers.db", starter=False) as library:
        library.add(PAPER)
        library.add(SMALL)
        yield library_tools(library)


async def call(tool: Tool, locale: str = "en", **arguments: object) -> Outcome:
    context = CallContext(session_id="s", call_id="c", locale="zh" if locale == "zh" else "en")
    return await tool.run(tool.arguments(**arguments), context)


async def test_search_rows_have_one_form(tools: tuple[Tool, Tool]) -> None:
    found = await call(tools[0], query="What is the perihelion of the comet?")
    lines = found.text.splitlines()
    assert lines[0] == "[1] 2025ApJ...989L..36S · Seligman et al. · 2025 · A comet from afar · match 1.00"
    assert lines[1] == "    §3.1 Orbit: The perihelion is $q = 1.36$ au."
    assert all(re.match(r"\[\d+\] .+ · match \d\.\d\d$|    [^:]+: ", line) for line in lines)
    assert (found.citations[0].id, found.citations[0].place) == ("2025ApJ...989L..36S", "§3.1 Orbit")


async def test_a_paper_without_a_year_and_with_two_authors(tools: tuple[Tool, Tool]) -> None:
    found = await call(tools[0], query="radius of Mab", limit=1)
    assert found.text.splitlines()[0] == "[1] small · de Pater & Doe · n.d. · A small entry · match 1.00"


async def test_nothing_found_says_so_in_the_users_language(tools: tuple[Tool, Tool]) -> None:
    assert (await call(tools[0], query="sourdough bread")).text.startswith("0 results")
    assert (await call(tools[0], "zh", query="面包")).text.startswith("0 条结果")
    assert (await call(tools[1], paper="small", query="sourdough bread")).text.startswith("0 results")


async def test_a_long_paper_opens_with_its_outline(tools: tuple[Tool, Tool]) -> None:
    found = await call(tools[1], paper="2025ApJ...989L..36S")
    lines = found.text.splitlines()
    assert lines[0] == "# 2025ApJ...989L..36S · A comet from afar"
    assert "Not read: a drawing (tikzpicture) was left out" in lines
    assert lines[lines.index("## abstract") + 1] == "We find an eccentricity of $e = 6.1$."
    outline = lines[lines.index("## outline") + 1 : -1]
    assert [line.split(" (")[0] for line in outline] == ["- §3 Results", "  - §3.1 Orbit", "- §4 Discussion"]
    assert LONG.strip() not in found.text


async def test_a_section_comes_in_pages_with_its_subsections(tools: tuple[Tool, Tool]) -> None:
    pages, offset, text = 0, 0, ""
    while True:
        found = await call(tools[1], paper="A comet", section="3", offset=offset)
        assert found.text.startswith("# 2025ApJ...989L..36S · A comet from afar\n## §3")
        assert len(found.text) < 4_000
        pages, text = pages + 1, text + found.text
        following = re.search(r"\n\(continues: offset=(\d+)\)\Z", found.text)
        if following is None:
            break
        offset = int(following[1])
    assert pages > 1
    assert text.count(LONG.strip()) == 90
    assert "$$\ne = mc^2\n$$ (eq. 1)" in text
    assert "## §3.1 Orbit\nThe perihelion is $q = 1.36$ au." in text
    assert "It came fast." not in text


@pytest.mark.parametrize("name", ["4", "§4", "Discussion", "§4 Discussion", "discuss"])
async def test_a_section_has_many_names(tools: tuple[Tool, Tool], name: str) -> None:
    found = await call(tools[1], paper="2025ApJ...989L..36S", section=name)
    assert found.text.splitlines()[1:] == ["## §4 Discussion", "It came fast."]
    assert [citation.place for citation in found.citations] == ["§4 Discussion"]


async def test_a_query_brings_only_the_passages_about_it(tools: tuple[Tool, Tool]) -> None:
    found = await call(tools[1], paper="2025ApJ...989L..36S", query="perihelion")
    assert found.text.splitlines()[1:] == ["## §3.1 Orbit", "The perihelion is $q = 1.36$ au."]


async def test_a_page_of_text_and_a_short_entry_whole(tools: tuple[Tool, Tool]) -> None:
    first = await call(tools[1], paper="2025ApJ...989L..36S", page=1)
    assert first.text.splitlines()[1] == "## abstract"
    assert len(first.text) < 4_000
    whole = await call(tools[1], paper="small")
    assert whole.text.splitlines() == ["# small · A small entry", "## abstract", "Mab has a radius of 6 km."]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"paper": "zebra"}, "search_library"),
        ({"paper": "2025ApJ...989L..36S", "section": "Methods"}, "§3.1 Orbit"),
        ({"paper": "2025ApJ...989L..36S", "page": 99}, "p. 99"),
        ({"paper": "2025ApJ...989L..36S", "section": "4", "offset": 7}, "past the end"),
    ],
)
async def test_errors_say_what_there_is(tools: tuple[Tool, Tool], arguments: dict[str, object], word: str) -> None:
    found = await call(tools[1], **arguments)
    assert found.status == "error"
    assert word in found.text


def test_subjects_and_schemas(tools: tuple[Tool, Tool]) -> None:
    assert tools[0].subject({"query": "H0"}) == "H0"
    assert tools[1].subject({"paper": "2022ApJ...934L...7R", "section": "3"}) == "2022ApJ...934L...7R §3"
    assert [(tool.name, tool.clearing, tool.read_only) for tool in tools] == [
        ("search_library", "eager", True),
        ("read_paper", "normal", True),
    ]
    with pytest.raises(ValidationError):
        tools[0].arguments(query="x", limit=500)

"""Real papers: every section, equation, table and citation of the source is in the parsed paper."""

import re
from functools import cache
from pathlib import Path

import pytest

from astroresearch.astro.papers import Block, Paper
from astroresearch.astro.parse import parse_paper

SOURCES = (
    "3I-ATLAS__discovery-paper.tex",
    "TeamLEGWORK__LEGWORK-paper.tex",
    "ekaterinailin__xmm_for_tic277.tex",
    "emolter__mab.tex",
    "jwreep__ebtel_abundances.tex",
    "katiebreivik__hush.tex",
)
DISPLAY = re.compile(
    r"\\begin\{(equation|align|eqnarray|gather|multline)(\*?)\}(.*?)\\end\{\1\2\}|\\\[(.*?)\\\]", re.DOTALL
)


def source(shared: Path, name: str) -> str:
    """The body of a paper's source without comments, read independently of the parser."""
    text = (shared / "data/papers" / name).read_text(encoding="utf-8")
    text = "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in text.splitlines())
    return text[text.index(r"\begin{document}") :]


@cache
def parsed(shared: Path, name: str) -> Paper:
    return parse_paper((shared / "data/papers" / name).read_bytes(), name)


def blocks(paper: Paper, kind: str) -> list[Block]:
    return [block for section in paper.sections for block in section.blocks if block.kind == kind]


def squeezed(equation: str) -> str:
    """An equation without blanks and without what only numbers it."""
    equation = equation.replace("\\referee{", "{")  # marks a change
    equation = re.sub(r"\\label\{[^{}]*\}|\\nonumber|\\notag|\\numberthis", "", equation)
    equation = re.sub(r"\A\s*\{(?:[^{}]|\{[^{}]*\})*\}(?!\s*[_^])", "", equation)  # LEGWORK's own argument: a link
    return "".join(equation.split())


@pytest.mark.parametrize("name", SOURCES)
def test_every_section_is_found(shared: Path, name: str) -> None:
    wanted = re.findall(r"\\((?:sub)*)section\*?\s*\{([^{}\\$]+)\}", source(shared, name))
    found = [(section.level, section.title) for section in parsed(shared, name).sections]
    plain = [(1 + prefix.count("sub"), " ".join(title.replace("--", "–").split())) for prefix, title in wanted]
    assert [entry for entry in plain if entry not in found] == []
    everything = len(re.findall(r"\\(?:sub)*section\*?\s*\{", source(shared, name)))
    given = sum(title not in ("", "Acknowledgments", "Acknowledgements", "Contributions") for _, title in found)
    acknowledged = sum("cknowledg" in title for _, title in plain)
    assert given + acknowledged == everything


@pytest.mark.parametrize("name", SOURCES)
def test_every_displayed_equation_is_kept_as_latex(shared: Path, name: str) -> None:
    bodies = [match[3] or match[4] for match in DISPLAY.finditer(source(shared, name))]
    equations = blocks(parsed(shared, name), "equation")
    assert len(equations) == len(bodies)
    for body, block in zip(bodies, equations, strict=True):
        if not re.search(r"\\(?:unit|avg|lw)", body):  # the authors' own macros are expanded
            assert squeezed(body) in "".join(block.text.split())
        assert "\\unit" not in block.text


@pytest.mark.parametrize("name", SOURCES)
def test_every_citation_is_a_reference(shared: Path, name: str) -> None:
    paper = parsed(shared, name)
    groups = re.findall(r"\\[cC]ite\w*\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{([^{}]*)\}", source(shared, name))
    wanted = {key.strip() for group in groups for key in group.split(",")}
    assert {reference.key for reference in paper.references} == wanted
    in_text = {key for section in paper.sections for block in section.blocks for key in block.cites}
    assert {key for key in wanted - in_text if key not in paper.abstract} == set()


@pytest.mark.parametrize("name", SOURCES)
def test_every_table_and_caption_is_found(shared: Path, name: str) -> None:
    paper = parsed(shared, name)
    body = source(shared, name)
    assert len(blocks(paper, "table")) == body.count(r"\begin{tabular}")
    assert len(blocks(paper, "caption")) == len(re.findall(r"\\caption\s*[\[{]", body))


@pytest.mark.parametrize("name", SOURCES)
def test_no_command_leaks_into_the_text(shared: Path, name: str) -> None:
    allowed = re.compile(r"\$[^$]*\$|\\variable\{[^{}]*\}|\\input\{[^{}]*\}")
    paper = parsed(shared, name)
    for text in [paper.title, paper.abstract, *(b.text for b in blocks(paper, "text") + blocks(paper, "caption"))]:
        assert re.findall(r"\\[A-Za-z]+|[\x00-\x08]", allowed.sub("", text)) == []


def test_numbers_are_those_of_the_printed_paper(shared: Path) -> None:
    paper = parsed(shared, "TeamLEGWORK__LEGWORK-paper.tex")
    numbers = [section.number for section in paper.sections if section.level == 3]
    assert numbers[:4] == ["3.2.1", "3.2.2", "3.3.1", "3.3.2"]
    merger = next(block for block in blocks(paper, "equation") if "t_{\\rm merge, circ} = " in block.text)
    assert merger.number == "10"
    text = next(block.text for block in blocks(paper, "text") if "semi-major axis in Eq." in block.text)
    assert "semi-major axis in Eq. 9 to zero" in text
    appendix = [s.number for s in parsed(shared, "katiebreivik__hush.tex").sections if s.number.startswith("A")]
    assert appendix == ["A", "A.1", "A.1.1", "A.1.2", "A.1.3", "A.1.4", "A.2", "A.2.1", "A.2.2", "A.2.3", "A.2.4"]


def test_a_redefined_equation_environment_loses_only_its_link(shared: Path) -> None:
    equations = blocks(parsed(shared, "TeamLEGWORK__LEGWORK-paper.tex"), "equation")
    assert equations[0].text == r"\mathcal{M}_c \equiv \frac{(m_1 m_2)^{3/5}}{(m_1 + m_2)^{1/5}},"
    assert not any("readthedocs" in block.text for block in equations)


def test_a_table_becomes_markdown(shared: Path) -> None:
    table = blocks(parsed(shared, "3I-ATLAS__discovery-paper.tex"), "table")[0]
    assert table.number == "1"
    assert table.text.splitlines()[0] == r"| Orbital element | Value $\pm$ 1$\sigma$ |"
    assert r"| Eccentricity $e$ | 6.1329072 $\pm$ 0.0162018 |" in table.text


def test_front_matter_is_read(shared: Path) -> None:
    paper = parsed(shared, "3I-ATLAS__discovery-paper.tex")
    assert paper.title.startswith("Discovery and Preliminary Characterization of a Third Interstellar Object")
    assert len(paper.authors) == 47
    assert {"Dušan Marčeta", "Maxime Devogèle", "Adina D. Feinstein"} <= set(paper.authors)
    assert any("叶泉志" in author for author in paper.authors)
    assert paper.abstract.startswith("We report initial observations")


def test_values_that_the_source_does_not_hold_are_named(shared: Path) -> None:
    paper = parsed(shared, "emolter__mab.tex")
    assert r"\variable{output/Mab_urh_intif.txt} $\pm$" in paper.abstract
    assert any("not in the source" in notice and "Mab_urh_intif" in notice for notice in paper.notices)
    assert any("tab:color" in notice for notice in paper.notices)


def test_joss_papers_are_read(shared: Path) -> None:
    paper = parsed(shared, "HinodeXRT__xrtpy__joss.md")
    assert (paper.title, paper.year) == ("XRTpy: A Hinode-X-Ray Telescope Python Package", 2023)
    assert paper.authors[0] == "Joy Velasquez"
    assert len(paper.authors) == 6
    assert [section.title for section in paper.sections][:3] == ["Summary", "Statement of need", "Package Structure"]
    assert "Golub:2007" in {reference.key for reference in paper.references}

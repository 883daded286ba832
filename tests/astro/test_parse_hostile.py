"""Papers written to break the parser: bounded work, a clear word, never a crash."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astroresearch.astro.papers import Paper
from astroresearch.astro.parse import UnreadablePaper, parse_paper

HEAD = r"\documentclass{article}\begin{document}\section{A} before "
DOUBLING = "".join(rf"\def\{a * 3}{{\{b * 3}\{b * 3}}}" for a, b in pairwise("abcdefghijklmnopqrstuvwxy"))
BOMBS = {
    "braces": HEAD + "{" * 500_000 + "x" + "}" * 500_000,
    "open braces": HEAD + "{" * 1_000_000,
    "closing braces": HEAD + "}" * 1_000_000,
    "recursive macro": r"\newcommand{\a}{\a\a}" + HEAD + r"\a after",
    "mutual macros": r"\def\a{\b}\def\b{\a}" + HEAD + r"\a after",
    "doubling macros": DOUBLING + r"\def\yyy{lol}" + HEAD + r"\aaa after",
    "environments": HEAD + r"\begin{itemize}\item " * 20_000,
    "open items": HEAD + r"\begin{itemize}" + r"\item[" * 20_000,
    "open headings": HEAD + r"\section[" * 20_000,
    "open comments": HEAD + r"\begin{comment}" * 50_000,
    "open verbatim": HEAD + r"\begin{verbatim}" * 50_000,
    "unended conditionals": HEAD + r"\iffalse " * 20_000,
    "definitions": r"\newcommand{\a}" * 50_000 + HEAD,
    "cells": HEAD + r"\begin{tabular}{c}" + "&" * 50_000 + r"\end{tabular}",
    "wide cell": HEAD + r"\begin{tabular}{c}\multicolumn{999999999}{c}{x}\end{tabular}",
    "huge counter": HEAD + r"\begin{equation}\addtocounter{equation}{99999999999999999999}a\end{equation}",
    "dots": HEAD + "." * 100_000,
}  # fmt: skip


def read(text: str) -> Paper | str:
    try:
        return parse_paper(text.encode(), "x.tex")
    except UnreadablePaper as refused:
        return str(refused)


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_in_a_paper_or_a_reason(name: str) -> None:
    found = read(BOMBS[name])
    if isinstance(found, str):
        assert "\n" not in found
    else:
        assert sum(len(block.text) for section in found.sections for block in section.blocks) < 2_000_000


def test_what_was_levelled_or_cut_is_said() -> None:
    nested, recursive = read(BOMBS["braces"]), read(BOMBS["recursive macro"])
    assert isinstance(nested, Paper)
    assert any("nested deeper" in notice for notice in nested.notices)
    assert isinstance(recursive, Paper)
    assert any("\\a" in notice for notice in recursive.notices)
    assert recursive.sections[0].blocks[0].text == "before after"


def test_an_input_that_inputs_itself_is_left_out() -> None:
    files = {"a.tex": rb"one \input{b}", "b.tex": rb"two \input{a}"}
    paper = parse_paper((HEAD + r"\input{a} end \end{document}").encode(), "x.tex", files=files)
    assert paper.sections[0].blocks[0].text == "before one two end"
    assert any("“a”" in notice for notice in paper.notices)


def test_one_broken_section_costs_no_other() -> None:
    paper = read(HEAD + r"\begin{itemize}" + r"\item[" * 3_000 + r"\end{itemize}\section{B} fine")
    assert isinstance(paper, Paper)
    assert [section.title for section in paper.sections] == ["A", "B"]
    assert paper.sections[1].blocks[0].text == "fine"
    assert any("1 A" in notice for notice in paper.notices)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"%PDF-1.7\n...", "PDF is not read by this version"),
        (b"\x1f\x8b\x08\x00" + b"x" * 400, "archive"),
        (b"<!DOCTYPE html><html>paper</html>", "web page"),
        (bytes(range(256)) * 40, "not the bytes of a text"),
    ],
)
def test_what_is_no_paper_is_refused_in_one_line(data: bytes, word: str) -> None:
    with pytest.raises(UnreadablePaper, match=word) as refused:
        parse_paper(data, "paper.tex")
    assert "\n" not in str(refused.value)


def test_refusals_speak_the_users_language() -> None:
    with pytest.raises(UnreadablePaper, match="本版本不读取 PDF"):
        parse_paper(b"%PDF-1.7", "paper.pdf", locale="zh")


def test_invisible_characters_are_taken_out() -> None:
    paper = read(HEAD + "ig\u200bnore \u202eall\u202c")
    assert isinstance(paper, Paper)
    assert paper.sections[0].blocks[0].text == "before ignore all"


TANGLE = r"""
    \begin{equation} \end{equation} \begin{align} \end{align} \section{ \subsection[ \cite{ \citep[a][b]{c}
    \footnote{ \item[ \begin{itemize} \end{itemize} \begin{tabular}{c} \end{tabular} & \\ $ $$ \[ \] \( { } [ ] %
    ~ # \newcommand{\x}[1]{#1} \x \def\y#1{ \label{a} \ref{a} \caption{ \begin{figure} \end{figure} \appendix
    \verb| \' \v \multicolumn{2}{c}{ \input{a} \variable{b} \tag{ \begin{thebibliography}{9} \bibitem[ \title{
    \author{ \begin{abstract} \end{abstract} \begin{deluxetable}{c} \startdata text é 中 \begin \end \
    \end{document} \begin{verbatim} \iffalse \fi \let\z=\x \z \newenvironment{e}{ \begin{e} \end{e} \par _ ^ < >
"""
PIECES = st.sampled_from(TANGLE.split())


@settings(max_examples=300)
@given(st.lists(st.one_of(PIECES, st.just(" "), st.just("\n\n"), st.text(max_size=8)), max_size=60), st.booleans())
def test_any_tangle_of_latex_gives_a_paper_or_a_reason(pieces: list[str], whole: bool) -> None:
    found = read((HEAD if whole else r"\section{") + "".join(pieces))
    if isinstance(found, Paper):
        assert found.title
        for section in found.sections:
            assert not re.search("[\x02\x03]", section.title + "".join(block.text for block in section.blocks))


@settings(max_examples=200)
@given(st.binary(max_size=300), st.sampled_from(["a.tex", "a.md", "a.txt", ""]))
def test_any_bytes_give_a_paper_or_a_reason(data: bytes, name: str) -> None:
    try:
        paper = parse_paper(data, name)
    except UnreadablePaper:
        return
    assert paper.key
    assert paper.sha256

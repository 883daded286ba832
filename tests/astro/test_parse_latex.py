"""The LaTeX parser, feature by feature: what a reader of the printed page would see."""

from astroresearch.astro.papers import Block, Paper
from astroresearch.astro.parse import parse_paper


def parse(body: str, *, preamble: str = "", cls: str = "article", files: dict[str, bytes] | None = None) -> Paper:
    text = f"\\documentclass{{{cls}}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    return parse_paper(text.encode(), "paper.tex", files=files)


def blocks(paper: Paper, kind: str = "text") -> list[Block]:
    return [block for section in paper.sections for block in section.blocks if block.kind == kind]


def text(body: str, **given: str) -> str:
    return "\n".join(block.text for block in blocks(parse("\\section{S}\n" + body, **given)))


def test_simple_macros_are_expanded_and_inline_mathematics_stays_latex() -> None:
    preamble = r"\newcommand{\Msun}{M_\odot} \newcommand{\val}[2][km]{#2~#1} \def\name{Mab}"
    preamble += r"\newcommand{\kms}{\,km\,s$^{-1}$\xspace}"
    assert text(r"\name\ has $3\Msun yr$, \val{4} and \val[pc]{5}, 7\kms today.", preamble=preamble) == (
        r"Mab has $3M_\odot yr$, 4 km and 5 pc, 7 km s$^{-1}$ today."
    )


def test_a_redefined_standard_command_is_not_followed() -> None:
    paper = parse(
        r"\section{Real} text \emph{kept}", preamble=r"\renewcommand{\section}[1]{gone} \renewcommand{\emph}[1]{lost}"
    )
    assert [section.title for section in paper.sections] == ["Real"]
    assert blocks(paper)[0].text == "text kept"


def test_macros_for_environments_open_and_close_equations() -> None:
    paper = parse(
        r"\section{S} \be E=mc^2 \ee", preamble=r"\newcommand{\be}{\begin{equation}} \newcommand{\ee}{\end{equation}}"
    )
    assert [(block.text, block.number) for block in blocks(paper, "equation")] == [("E=mc^2", "1")]


def test_equations_are_numbered_as_latex_does() -> None:
    paper = parse(r"""\section{S}
\begin{equation}\label{a} a \end{equation} \[ b \] $$ c $$ \begin{equation*} d \end{equation*}
\begin{align} e &= 1 \\ f &= 2 \nonumber \\ g &= 3 \label{g} \end{align}
\begin{eqnarray} h \\ i \end{eqnarray} \begin{multline} j \\ k \end{multline} \begin{equation} l \tag{X} \end{equation}
See \ref{a}, \eqref{g} and \ref{nowhere}.""")
    assert [block.number for block in blocks(paper, "equation")] == ["1", "", "", "", "2-3", "4-5", "6", "X"]
    assert blocks(paper)[-1].text == "See 1, (3) and [nowhere]."
    assert any("nowhere" in notice for notice in paper.notices)


def test_appendix_sections_have_letters() -> None:
    body = r"\section{A1} \subsection{B1} \section*{None} \appendix \section{C1} \subsection{D1} \section{E1}"
    assert [section.number for section in parse(body).sections] == ["1", "1.1", "", "A", "A.1", "B"]


def test_headings_inside_a_group_are_found() -> None:
    paper = parse(
        r"\section{One} \new{\subsection{Two} text} \subsection{Three}", preamble=r"\newcommand{\new}[1]{{\bf #1}}"
    )
    assert [section.title for section in paper.sections] == ["One", "Two", "Three"]


def test_natbib_shows_names_where_the_bibliography_is_known() -> None:
    bib = b"""@article{planck, author={{Planck Collaboration} and Aghanim, N. and Akrami, Y.}, title={Results {VI}},
 year=2020, journal=\\aap, volume={641},
 adsurl={https://ui.adsabs.harvard.edu/abs/2020A%26A...641A...6P}, eprint="1807.06209"}
@article{riess, author={Riess, Adam and Casertano, S.}, year={2022}, doi={10.3847/2041-8213/AC5C5B}}"""
    body = r"""\section{S} \citet{planck} and \citep[see][their Table~2]{planck, riess}; \citealt{riess};
\citeyear{riess}; \citep{lost}.
\bibliography{refs}"""
    paper = parse(body, files={"refs.bib": bib})
    assert blocks(paper)[0].text == (
        "Planck Collaboration et al. (2020) and (see Planck Collaboration et al. 2020; "
        "Riess & Casertano 2022, their Table 2); Riess & Casertano 2022; 2022; (lost)."
    )
    assert blocks(paper)[0].cites == ("planck", "riess", "lost")
    known = {reference.key: reference for reference in paper.references}
    assert (known["planck"].bibcode, known["planck"].arxiv) == ("2020A&A...641A...6P", "1807.06209")
    assert known["riess"].doi == "10.3847/2041-8213/ac5c5b"
    assert "A&A" in known["planck"].text
    assert any("lost" in notice for notice in paper.notices)


def test_thebibliography_is_read() -> None:
    body = r"""\section{S} \citep{a} \begin{thebibliography}{9}
\bibitem[Riess et al.(2022)]{a} Riess, A., et al. 2022, ApJL, 934, L7, arXiv:2112.04510
\bibitem{b} Other \end{thebibliography}"""
    paper = parse(body)
    assert blocks(paper)[0].text == "(Riess et al. 2022)"
    assert [(r.key, r.arxiv) for r in paper.references] == [("a", "2112.04510"), ("b", "")]


def test_deluxetable_becomes_markdown_with_caption_and_notes() -> None:
    body = r"""\section{S} \begin{deluxetable}{lc} \tablecaption{Fits\label{t}}
\tablehead{\colhead{Name} & \colhead{$|b|$}}
\startdata A & 1 \\ \multicolumn{2}{c}{both} \enddata \tablecomments{Made up.} \end{deluxetable} Table \ref{t}."""
    paper = parse(body)
    (table,) = blocks(paper, "table")
    assert table.text.splitlines() == ["| Name | $\\vert b\\vert $ |", "| --- | --- |", "| A | 1 |", "| both |  |"]
    assert table.number == "1"
    assert [block.text for block in blocks(paper, "caption")] == ["Table 1. Fits"]
    assert [block.text for block in blocks(paper, "note")] == ["Made up."]
    assert blocks(paper)[-1].text == "Table 1."


def test_footnotes_follow_their_paragraph_and_lists_are_items() -> None:
    paper = parse(
        r"\section{S} One\footnote{A note.} sentence. \begin{itemize} \item first \item[b] second \end{itemize}"
    )
    kinds = [(block.kind, block.text) for block in paper.sections[0].blocks]
    assert kinds == [("text", "One sentence."), ("note", "A note."), ("text", "- first"), ("text", "- b: second")]


def test_verbatim_and_comments() -> None:
    body = (
        "\\section{S} a % hidden \\section{No}\nb \\% c \\url{https://x.org/a%20b}\n\n"
        "\\begin{verbatim}\n50% \\x\n\\end{verbatim}\n\\verb|a_b|"
    )
    paper = parse(body)
    assert [block.text for block in blocks(paper)] == ["a b % c https://x.org/a%20b", "a_b"]
    assert [block.text for block in blocks(paper, "code")] == ["50% \\x"]
    assert len(paper.sections) == 1


def test_inputs_come_from_the_caller_only() -> None:
    body = r"\section{S} \input{part} and \input{/etc/passwd}"
    paper = parse(body, files={"part.tex": b"inside % comment\n"})
    assert blocks(paper)[0].text == r"inside and \input{/etc/passwd}"
    assert any("/etc/passwd" in notice for notice in paper.notices)


def test_accents_dashes_quotes_and_units() -> None:
    assert text(r"Devog\`ele, Mar{\v c}eta, O\~na --- ``x'' 1--2 5\,\AA\ \ion{C}{4} $\alpha$~\micron{}") == (
        "Devogèle, Marčeta, Oña — “x” 1–2 5 Å C IV $\\alpha$ µm"
    )


def test_authors_of_other_classes() -> None:
    aa = parse(r"\title{T} \author{A. One\inst{1} \and B. Two\inst{2}} \abstract{C}{A}{M}{R}{D}\section{S}", cls="aa")
    assert aa.authors == ("A. One", "B. Two")
    assert aa.abstract == "C A M R D"
    mnras = parse(
        r"\title[Short]{Long} \author[O. et al.]{C. One,$^{1}$ D. Two$^{2}$ and E. Three} \pubyear{2021}\section{S}"
    )
    assert (mnras.title, mnras.authors, mnras.year) == ("Long", ("C. One", "D. Two", "E. Three"), 2021)


def test_a_file_named_by_its_identifier_is_known_by_it() -> None:
    paper = parse_paper(b"\\documentclass{article}\\begin{document}\\section{S} x\\end{document}", "2112.04510v2.tex")
    assert (paper.key, paper.arxiv) == ("2112.04510", "2112.04510")

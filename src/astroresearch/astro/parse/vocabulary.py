"""Which arguments LaTeX's commands take and what their text is: natbib, hyperref, AASTeX and the usual packages."""

import unicodedata
from functools import cache

from pylatexenc.latexwalker import get_default_latex_context_db
from pylatexenc.macrospec import EnvironmentSpec, LatexContextDb, MacroSpec


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


CITES = _set(
    "cite citep citet citealt citealp citeauthor citeyear citeyearpar Citet Citep Citealt Citealp Citeauthor "
    "citefullauthor "
    "parencite textcite autocite Parencite Textcite footcite onlinecite citenum citetext nocite"
)
TEXTUAL_CITES = _set("citet Citet textcite Textcite citeauthor Citeauthor citealt Citealt citefullauthor")
BARE_CITES = _set("citealt Citealt citealp Citealp citeauthor Citeauthor citefullauthor citenum")
REFS = _set("ref eqref autoref cref Cref pageref nameref vref subref autoref*")
SECTIONS = {"part": 0, "chapter": 0, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4,
            "subparagraph": 5}  # fmt: skip
DISPLAYS = _set(
    "equation equation* align align* eqnarray eqnarray* gather gather* multline multline* flalign flalign* alignat "
    "alignat* displaymath dmath dmath* math"
)
FLOATS = {
    "figure": "Figure", "figure*": "Figure", "wrapfigure": "Figure", "SCfigure": "Figure",
    "sidewaysfigure": "Figure", "sidewaysfigure*": "Figure", "table": "Table", "table*": "Table",
    "wraptable": "Table", "sidewaystable": "Table", "sidewaystable*": "Table", "deluxetable": "Table",
    "deluxetable*": "Table", "longtable": "Table", "longrotatetable": "Table", "longdeluxetable": "Table",
}  # fmt: skip
TABULARS = _set("tabular tabular* tabularx tabulary longtable deluxetable deluxetable* supertabular")
LISTS = _set("itemize enumerate description compactitem compactenum")
TITLED = {
    "acknowledgments": "Acknowledgments", "acknowledgements": "Acknowledgements", "contribution": "Contributions",
    "contributions": "Contributions", "dataavailability": "Data availability",
}  # fmt: skip

# what only changes the look, or says nothing to a reader, with its arguments
_IGNORED = {
    "": "noindent centering raggedright raggedleft linenumbers nolinenumbers maketitle pagebreak clearpage newpage "
    "bigskip medskip smallskip vfill hfill normalfont bfseries itshape rmfamily sffamily ttfamily scshape "
    "upshape small footnotesize scriptsize tiny large Large LARGE huge Huge normalsize appendix "
    "restartappendixnumbering protect relax sc bf it rm sf tt em sl onecolumn twocolumn sloppy fussy "
    "columnbreak hline toprule midrule bottomrule startdata enddata endhead endfirsthead endfoot endlastfoot "
    "tableofcontents listoffigures listoftables titlepage and frenchspacing xspace unskip ignorespaces "
    "flushleft flushright null nobreak allowbreak showlines boldmath unboldmath allowdisplaybreaks strut",
    "{": "vspace hspace color colorbox affiliation email correspondingauthor altaffiliation orcid orcidlink "
    "shorttitle shortauthors received revised accepted published submitjournal date affil institute address "
    "bibliography bibliographystyle pagestyle thispagestyle CJKfamily script marginicon graphicspath cline "
    "cmidrule phantom hphantom vphantom tablewidth tabletypesize tablenum tablecolumns setcitestyle usetagform "
    "hypersetup inst authorrunning titlerunning fnmsep vskip hskip kern thanks stepcounter refstepcounter "
    "doublespacing marginpar altaffilmark slugcomment journalinfo pubyear volume authoremail dataset",
    "{{": "setcounter addtocounter setlength addtolength fontsize twocolapp definecolor altaffiltext plottwo",
    "[{": "includegraphics plotone usepackage documentclass author includegraphics* Needspace",
}
# whose last argument is the text
_TEXT_ARGUMENT = {
    "{": "textbf textit textrm textsf texttt textsc textsl textup textmd textnormal emph underline mbox hbox text "
    "uppercase lowercase MakeUppercase MakeLowercase added fbox uline centerline colhead acronym ac software "
    "facility facilities keywords url nolinkurl path leftline rightline",
    "{{": "textcolor scalebox raisebox hyperlink hypertarget edit",
    "[{": "makebox framebox",
    "{{{": "multicolumn",
}
_SHAPES = {"multirow": "[{[{[{", "href": "{{", "texorpdfstring": "{{", "hyperref": "[{", "footnote": "[{",
           "footnotetext": "[{", "footnotemark": "[", "caption": "*[{", "captionof": "{[{", "tablecaption": "{",
           "figcaption": "[{", "tablehead": "{", "tablecomments": "{", "tablerefs": "{", "tablenotetext": "{{",
           "tablenotemark": "{", "tnote": "{", "label": "{", "variable": "{", "arabsent": "{", "arverbatim": "{",
           "arverb": "{", "item": "[", "ion": "{{", "textsuperscript": "{", "textsubscript": "{", "ensuremath": "{",
           "rotatebox": "[{{", "resizebox": "{{{", "parbox": "[{{", "qty": "", "SI": "[{{", "si": "[{", "num": "[{",
           "bibitem": "[{", "collaboration": "[{", "uat": "{{",
           "verb": "", "verb*": "", "lstinline": ""}  # fmt: skip
_ENVIRONMENTS = {"tabular": "[{", "tabular*": "{[{", "tabularx": "{[{", "tabulary": "{[{", "longtable": "[{",
                 "deluxetable": "{", "deluxetable*": "{", "minipage": "[[[{", "figure": "[", "figure*": "[",
    "table": "[",
                 "table*": "[", "wrapfigure": "[{[{", "wraptable": "[{[{", "sidewaystable": "[", "adjustbox": "{",
                 "itemize": "[", "enumerate": "[", "multicols": "{", "alignat": "{", "alignat*": "{",
                 "thebibliography": "{", "CJK*": "{{", "CJK": "{{", "threeparttable": "[", "supertabular": "{",
                 "longdeluxetable": "{", "verbatim": "", "verbatim*": "", "Verbatim": "", "lstlisting": ""}  # fmt: skip
SYMBOLS = {
    "&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", ",": " ", ";": " ", ":": " ",
    "!": "", "/": "", "-": "", "@": "", "(": "(", ")": ")", "quad": " ", "qquad": " ", "\\": " ", "newline": " ",
    "linebreak": " ", "nobreakspace": " ", "space": " ", "enspace": " ", "thinspace": " ", "\n": " ", "\t": " ",
    "tabularnewline": " ", "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—",
    "S": "§", "P": "¶", "copyright": "©", "dag": "†", "ddag": "‡", "pounds": "£", "textdegree": "°", "degree": "°",
    "degr": "°", "deg": "°", "textmu": "µ", "micron": "µm", "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "oe": "œ",
    "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß", "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ",
    "textasciitilde": "~", "textbackslash": "\\", "textless": "<", "textgreater": ">", "textbar": "|",
    "textquoteright": "’", "textquoteleft": "‘", "textquotedbl": '"', "textregistered": "®", "texttrademark": "™",
    "textasciicircum": "^", "textbullet": "•", "textperiodcentered": "·", "LaTeX": "LaTeX", "TeX": "TeX",
    "arcsec": "″", "arcmin": "′", "farcs": "″.", "farcm": "′.", "fdg": "°.", "fs": "s.", "sun": "☉", "earth": "⊕",
    "nodata": "…", "nat": "Nature", "showyourwork": "showyourwork", "AASTeX": "AASTeX", "textonehalf": "½",
    "slash": "/", "textunderscore": "_", "lbrack": "[", "rbrack": "]", "textcdot": "·", "angstrom": "Å",
    "celsius": "°C", "perthousand": "‰", "guillemotleft": "«", "guillemotright": "»",
}  # fmt: skip
JOURNALS = {
    "apj": "ApJ", "apjl": "ApJL", "apjs": "ApJS", "aj": "AJ", "aap": "A&A", "aaps": "A&AS", "mnras": "MNRAS",
    "nature": "Nature", "pasp": "PASP", "pasj": "PASJ", "araa": "ARA&A", "prd": "Phys. Rev. D",
    "prl": "Phys. Rev. Lett.", "icarus": "Icarus", "planss": "Planet. Space Sci.", "solphys": "Sol. Phys.",
    "ssr": "Space Sci. Rev.", "jcap": "JCAP", "physrep": "Phys. Rep.", "psj": "PSJ", "rmp": "Rev. Mod. Phys.",
    "aapr": "A&A Rev.", "ao": "Appl. Opt.", "apss": "Ap&SS", "baas": "BAAS", "grl": "Geophys. Res. Lett.",
    "jgr": "J. Geophys. Res.", "memsai": "Mem. Soc. Astron. Italiana", "pasa": "PASA", "skytel": "Sky & Telescope",
    "procspie": "Proc. SPIE", "iaucirc": "IAU Circ.", "na": "New Astron.",
    "nar": "New Astron. Rev.",
}  # fmt: skip
ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "c": "\u0327", "v": "\u030c",
           "=": "\u0304", "u": "\u0306", "H": "\u030b", ".": "\u0307", "d": "\u0323", "b": "\u0331", "k": "\u0328",
           "r": "\u030a"}  # fmt: skip
SPECIALS = {"~": " ", "``": "“", "''": "”", "--": "–", "---": "—", "!`": "¡", "?`": "¿", "&": " ", "#": "#"}


def accented(accent: str, base: str) -> str:
    """Return *base* with the accent of a LaTeX command on its first letter."""
    base = {"ı": "i", "ȷ": "j"}.get(base, base)
    return unicodedata.normalize("NFC", base[:1] + ACCENTS[accent] + base[1:]) if base else ""


IGNORED = frozenset(name for words in _IGNORED.values() for name in words.split())
TEXT_ARGUMENT = frozenset(name for words in _TEXT_ARGUMENT.values() for name in words.split())


@cache
def context() -> LatexContextDb:
    """Return what the walker has to know to find every command's arguments."""
    shapes = {name: pattern for pattern, words in _IGNORED.items() for name in words.split()}
    shapes |= {name: pattern for pattern, words in _TEXT_ARGUMENT.items() for name in words.split()}
    shapes |= _SHAPES | dict.fromkeys(SYMBOLS, "") | dict.fromkeys(JOURNALS, "") | dict.fromkeys(ACCENTS, "{")
    shapes |= dict.fromkeys(CITES, "*[[{") | dict.fromkeys(REFS, "*{") | dict.fromkeys(SECTIONS, "*[{")
    macros = [MacroSpec(name, args_parser=pattern) for name, pattern in shapes.items()]
    environments = [EnvironmentSpec(name, args_parser=pattern) for name, pattern in _ENVIRONMENTS.items()]
    db = get_default_latex_context_db()
    db.add_context_category("astroresearch", macros=macros, environments=environments, prepend=True)
    return db


@cache
def standard_macros() -> frozenset[str]:
    """Names that LaTeX or a known package defines; an author's redefinition of one is not followed."""
    db = get_default_latex_context_db()
    known = {spec.macroname for category in db.categories() for spec in db.d[category]["macros"].values()}
    ours = set(_SHAPES) | CITES | REFS | set(SECTIONS) | set(ACCENTS) | set(TEXT_ARGUMENT) | {"begin", "end", "item"}
    return frozenset((known | ours | IGNORED) - {"sun", "earth"})


@cache
def standard_environments() -> frozenset[str]:
    return DISPLAYS | TABULARS | LISTS | frozenset(FLOATS) | frozenset(TITLED) | {"abstract", "document", "array"}

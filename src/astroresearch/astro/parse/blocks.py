"""Renders what pylatexenc's walker finds as blocks: paragraphs, equations, tables, captions, notes, code."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

from pylatexenc import latexwalker as lw

from ..papers import Block, BlockKind
from . import tables, vocabulary
from .cites import Cites
from .numbering import Numbering, without_numbering
from .reading import Reading

REF, REF_END = "\x02", "\x03"  # around a label until its number is known
Node: TypeAlias = lw.LatexNode
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_ICON = re.compile(r"fa[A-Z]\w*")  # fontawesome's pictures
_LEADING_GROUP = re.compile(r"\s*\{\s*\}(?![\s]*[_^])")
_ROWS_IN = {"align": "aligned", "flalign": "aligned", "alignat": "aligned", "gather": "gathered",
            "multline": "gathered",
            "eqnarray": "array"}  # fmt: skip


@dataclass(slots=True)
class Shared:
    """What all parts of one document share while it is rendered."""

    source: str
    reading: Reading
    numbering: Numbering
    cites: Cites
    verbatim: list[str]


@dataclass(slots=True)
class Blocks:
    """Walks nodes and collects blocks. *plain*: a heading or a cell, where links and notes say nothing."""

    shared: Shared
    plain: bool = False
    done: list[Block] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    _cites: list[str] = field(default_factory=list)
    _notes: list[Block] = field(default_factory=list)
    _float: str = ""
    _float_number: str = ""

    def walk(self, nodes: Sequence[Node | None]) -> None:
        for node in nodes:
            if isinstance(node, lw.LatexCharsNode):
                self._chars(node.chars)
            elif isinstance(node, lw.LatexSpecialsNode):
                self._text.append(vocabulary.SPECIALS.get(node.specials_chars, node.specials_chars))
                if node.specials_chars.startswith("\n\n"):
                    self.flush()
            elif isinstance(node, lw.LatexGroupNode):
                self._group(node)
            elif isinstance(node, lw.LatexMathNode):
                self._math(node)
            elif isinstance(node, lw.LatexEnvironmentNode):
                self._environment(node)
            elif isinstance(node, lw.LatexMacroNode):
                self._macro(node)

    def finish(self) -> tuple[Block, ...]:
        self.flush()
        return tuple(self.done)

    def flush(self) -> None:
        """End the paragraph; its footnotes follow it, so that its sentences stay whole."""
        text = " ".join("".join(self._text).split())
        text = re.sub(r"\s+([,.;:)])(?=\s|$)", r"\1", text)
        if text:
            self._add("text", text, cites=self._cites)
        self._text, self._cites = [], []
        self.done.extend(self._notes)
        self._notes = []

    def _add(self, kind: BlockKind, text: str, number: str = "", cites: Sequence[str] = ()) -> None:
        self.done.append(Block(kind, text, number=number, cites=tuple(dict.fromkeys(cites))))

    def string(self, nodes: Sequence[Node | None], plain: bool = False) -> str:
        """Return *nodes* as one line of text; their citations and notes are this paragraph's."""
        inner = Blocks(self.shared, plain or self.plain)
        inner.walk(nodes)
        self._cites += [key for block in inner.done for key in block.cites] + inner._cites
        found = inner.finish()
        if not plain:
            self._notes += [block for block in found if block.kind == "note"]
        self._cites += [key for block in found for key in block.cites]
        return " ".join(
            f"${block.text}$" if block.kind == "equation" else block.text for block in found if block.kind != "note"
        )

    def _source(self, node: Node) -> str:
        return str(self.shared.source[node.pos : node.pos + node.len])

    def _chars(self, chars: str) -> None:
        first, *more = _PARAGRAPH.split(chars)
        self._text.append(first)
        for part in more:
            self.flush()
            self._text.append(part)

    def _group(self, node: lw.LatexGroupNode) -> None:
        if node.delimiters and node.delimiters[0] == "[":
            self._text.append("[")
        self.walk(node.nodelist)
        if node.delimiters and node.delimiters[0] == "[":
            self._text.append("]")

    def _math(self, node: lw.LatexMathNode) -> None:
        opening, closing = node.delimiters
        source = self._source(node).removeprefix(opening).removesuffix(closing)
        if node.displaytype == "display":
            self._display("displaymath", source, [source])
        elif source.strip():
            self._text.append(f"${' '.join(source.split())}$")

    def _display(self, environment: str, source: str, rows: list[str]) -> None:
        number = self.shared.numbering.display(environment, rows)
        text = without_numbering(_LEADING_GROUP.sub("", source, count=1))
        if not text:
            return
        inner = _ROWS_IN.get(environment.removesuffix("*"))
        if inner and re.search(r"\\\\|(?<!\\)&", text):
            text = f"\\begin{{{inner}}}{'{rcl}' if inner == 'array' else ''}\n{text}\n\\end{{{inner}}}"
        self.flush()
        self._add("equation", text, number)

    def _environment(self, node: lw.LatexEnvironmentNode) -> None:
        name = node.environmentname
        if name in vocabulary.DISPLAYS:
            self._display_environment(node)
        elif name in vocabulary.FLOATS:
            self._floating(node)
        elif name in vocabulary.TABULARS:
            self._tabular(node)
        elif name in vocabulary.LISTS:
            self._list(node)
        elif name in ("tikzpicture", "pspicture", "picture", "CCSXML"):
            self.shared.reading.notice("environment_skipped", name=name)
        else:  # what only places its content, or an author's own: the content is what counts
            self.flush()
            self.walk(node.nodelist)
            self.flush()

    def _display_environment(self, node: lw.LatexEnvironmentNode) -> None:
        rows = [""]
        start = node.nodelist[0].pos if node.nodelist else node.pos
        for child in node.nodelist:
            if isinstance(child, lw.LatexMacroNode) and child.macroname in ("\\", "cr"):
                rows.append("")
            else:
                rows[-1] += self._source(child)
        last = node.nodelist[-1] if node.nodelist else node
        source = self.shared.source[start : last.pos + last.len] if node.nodelist else ""
        self._display(node.environmentname, source, rows)

    def _floating(self, node: lw.LatexEnvironmentNode) -> None:
        self.flush()
        inner = Blocks(self.shared, _float=vocabulary.FLOATS[node.environmentname])
        here = self.shared.numbering.here
        if node.environmentname in vocabulary.TABULARS:
            inner._tabular(node)
        else:
            inner.walk(node.nodelist)
        found = inner.finish()
        self.shared.numbering.here = here
        number = inner._float_number
        self.done.extend(replace(b, number=number) if b.kind == "table" and not b.number else b for b in found)

    def _tabular(self, node: lw.LatexEnvironmentNode) -> None:
        if not self.plain:
            self.flush()
        rows, around = tables.rows(node.nodelist, lambda nodes: self.string(nodes, plain=True))
        for macro in around:
            self._macro(macro)
        cites, self._cites = self._cites, []
        text = tables.markdown(rows)
        if self.plain:
            self._text.append(" ".join(cell for row in rows for cell in row))
        elif text:
            self._add("table", text, cites=cites)

    def _list(self, node: lw.LatexEnvironmentNode) -> None:
        self.flush()
        count = 0
        for child in node.nodelist:
            if isinstance(child, lw.LatexMacroNode) and child.macroname == "item":
                self.flush()
                count += 1
                given = " ".join(self.string(_inside(node)) for node in _arguments(child) if node is not None)
                mark = f"{count}." if node.environmentname.startswith(("enum", "compactenum")) else "-"
                self._text.append(f"{mark} {given + ': ' if given else ''}")
            else:
                self.walk([child])
        self.flush()

    def _macro(self, node: lw.LatexMacroNode) -> None:
        name, found = node.macroname, _arguments(node)
        if name in vocabulary.CITES:
            self._cite(name, found)
        elif name in vocabulary.REFS:
            self._ref(name, found)
        elif handler := _HANDLERS.get(name):
            handler(self, found)
        elif name in vocabulary.ACCENTS and found:
            self._text.append(vocabulary.accented(name, self.string(found, plain=True)))
        elif name in vocabulary.SYMBOLS:
            self._text.append(vocabulary.SYMBOLS[name])
        elif name in vocabulary.JOURNALS:
            self._text.append(vocabulary.JOURNALS[name])
        elif name in vocabulary.TEXT_ARGUMENT:
            self.walk([argument for argument in found if argument is not None][-1:])
        elif name not in vocabulary.IGNORED and not _ICON.fullmatch(name):
            self._unknown(node)
        if name in vocabulary.SYMBOLS or name in vocabulary.JOURNALS:
            return
        if node.macro_post_space and name.isalpha() and name in vocabulary.IGNORED:
            self._text.append(" ")

    def _unknown(self, node: lw.LatexMacroNode) -> None:
        """Greek letters and signs that stand outside mathematics are still mathematics; the rest stays as written."""
        name = node.macroname
        if _is_sign(name):
            self._text.append(f"$\\{name}$")
            self.walk(_arguments(node))
            return
        self.shared.reading.unknown_macros[f"\\{name}"] = 1
        self._text.append(self._source(node))

    def _cite(self, name: str, found: list[Node | None]) -> None:
        keys = [key.strip() for key in self._raw(found[-1]).split(",") if key.strip()]
        self.shared.cites.cited(keys)
        self._cites += keys
        if name == "nocite":
            return
        notes = [self.string(_inside(node)) if node is not None else None for node in found[1:3]]
        before, after = (notes[0], notes[1]) if notes[1] is not None else (None, notes[0])
        self._text.append(self.shared.cites.text(name, keys, before or "", after or ""))

    def _ref(self, name: str, found: list[Node | None]) -> None:
        style = "eq" if name == "eqref" else "full" if name in ("autoref", "cref", "Cref", "vref") else ""
        self._text.append(f"{REF}{style}:{self._raw(found[-1])}{REF_END}")

    def _raw(self, node: Node | None) -> str:
        """The source of an argument, without its braces."""
        if node is None:
            return ""
        source = self._source(node).strip()
        return source[1:-1].strip() if source[:1] in ("{", "[") else source

    def _link(self, found: list[Node | None]) -> None:
        url, text = self._raw(found[0]).replace("\\", ""), self.string(found[1:2]).strip()
        bare = url.removeprefix("https://").removeprefix("http://")
        self._text.append(text if self.plain or bare in text else f"[{text}]({url})" if text else url)

    def _caption(self, found: list[Node | None]) -> None:
        self.flush()
        kind = self._float or "Figure"
        starred = found[0] is not None and self._raw(found[0]) == "*"
        number = "" if starred else self.shared.numbering.next(kind)
        self._float_number = number or self._float_number
        self.shared.numbering.here = (kind, number)
        text = self.string(found[-1:])
        cites, self._cites = self._cites, []
        self._add("caption", f"{kind} {number}. {text}" if number else text, number, cites)
        self.flush()

    def _footnote(self, found: list[Node | None]) -> None:
        if self.plain:
            return
        inner = Blocks(self.shared)
        inner.walk(found[-1:])
        for block in inner.finish():
            self._notes.append(replace(block, kind="note") if block.kind == "text" else block)

    def _table_note(self, found: list[Node | None]) -> None:
        mark = f"({self._raw(found[0])}) " if len(found) > 1 else ""
        self._footnote([None])
        text = self.string(found[-1:])
        self._add("note", mark + text)

    def _value(self, found: list[Node | None]) -> None:
        name = self._raw(found[0])
        self.shared.reading.absent_values[name] = None
        self._text.append(f"\\variable{{{name}}}")

    def _absent(self, found: list[Node | None]) -> None:
        name = self._raw(found[0])
        self.shared.reading.absent_files[name] = None
        self._text.append(f"\\input{{{name}}}")

    def _code(self, found: list[Node | None]) -> None:
        self.flush()
        self._add("code", self._kept(found))

    def _kept(self, found: list[Node | None]) -> str:
        at = self._raw(found[0])
        return self.shared.verbatim[int(at)] if at.isdigit() and int(at) < len(self.shared.verbatim) else ""

    def _either(self, found: list[Node | None]) -> None:
        self.walk(found[1:2] if self.plain else found[0:1])

    def _ion(self, found: list[Node | None]) -> None:
        number = self._raw(found[1])
        roman = (
            "",
            "I",
            "II",
            "III",
            "IV",
            "V",
            "VI",
            "VII",
            "VIII",
            "IX",
            "X",
            "XI",
            "XII",
            "XIII",
            "XIV",
            "XV",
            "XVI",
        )
        level = roman[int(number)] if number.isdigit() and int(number) < len(roman) else number.upper()
        self._text.append(f"{self.string(found[:1])} {level}")


def _arguments(node: lw.LatexMacroNode) -> list[Node | None]:
    return list(node.nodeargd.argnlist or []) if node.nodeargd is not None else []


def _inside(node: Node) -> Sequence[Node]:
    return node.nodelist if isinstance(node, lw.LatexGroupNode) else [node]


@cache
def _is_sign(name: str) -> bool:
    from pylatexenc.latex2text import get_default_latex_context_db

    spec = get_default_latex_context_db().get_macro_spec(name)
    return spec is not None and isinstance(getattr(spec, "simplify_repl", None), str) and bool(spec.simplify_repl)


_Handler = Callable[[Blocks, list[Node | None]], None]
_HANDLERS: dict[str, _Handler] = {
    "href": Blocks._link,
    "hyperref": lambda b, a: b.walk(a[-1:]),
    "url": lambda b, a: b._text.append(b._raw(a[0]).replace("\\", "")),
    "nolinkurl": lambda b, a: b._text.append(b._raw(a[0]).replace("\\", "")),
    "texorpdfstring": Blocks._either,
    "par": lambda b, a: b.flush(),
    "caption": Blocks._caption,
    "captionof": Blocks._caption,
    "tablecaption": Blocks._caption,
    "figcaption": Blocks._caption,
    "label": lambda b, a: b.shared.numbering.label(b._raw(a[0])),
    "footnote": Blocks._footnote,
    "footnotetext": Blocks._footnote,
    "footnotemark": lambda b, a: None,
    "tablenotetext": Blocks._table_note,
    "tablecomments": Blocks._table_note,
    "tablerefs": Blocks._table_note,
    "tablenotemark": lambda b, a: b._text.append(f"({b._raw(a[0])})"),
    "tnote": lambda b, a: b._text.append(f"({b._raw(a[0])})"),
    "variable": Blocks._value,
    "arabsent": Blocks._absent,
    "arverbatim": Blocks._code,
    "arverb": lambda b, a: b._text.append(b._kept(a)),
    "ion": Blocks._ion,
    "multirow": lambda b, a: b.walk(a[-1:]),
    "ensuremath": lambda b, a: b._text.append(f"${b._raw(a[0])}$"),
    "textsuperscript": lambda b, a: b._text.append(f"$^{{{b._raw(a[0])}}}$"),
    "textsubscript": lambda b, a: b._text.append(f"$_{{{b._raw(a[0])}}}$"),
    "resizebox": lambda b, a: b.walk(a[-1:]),
    "rotatebox": lambda b, a: b.walk(a[-1:]),
    "parbox": lambda b, a: b.walk(a[-1:]),
    "tablehead": lambda b, a: None,
    "uat": lambda b, a: b.walk(a[:1]),
    "item": lambda b, a: b._text.append("- "),
    "bibitem": lambda b, a: None,
    "collaboration": lambda b, a: None,
    "SI": lambda b, a: b._text.append(f"{b._raw(a[1])} {b._raw(a[2])}"),
    "si": lambda b, a: b._text.append(b._raw(a[1])),
    "num": lambda b, a: b._text.append(b._raw(a[1])),
    "software": lambda b, a: b._text.extend(["Software: ", b.string(a[-1:])]),
    "facility": lambda b, a: b._text.extend(["Facilities: ", b.string(a[-1:])]),
    "facilities": lambda b, a: b._text.extend(["Facilities: ", b.string(a[-1:])]),
    "keywords": lambda b, a: b._text.extend(["Keywords: ", b.string(a[-1:])]),
}

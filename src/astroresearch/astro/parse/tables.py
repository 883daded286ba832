"""Tables as Markdown: rows and cells from the nodes of tabular, longtable and AASTeX's deluxetable."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pylatexenc import latexwalker as lw

Node: TypeAlias = lw.LatexNode
Render = Callable[[Sequence[Node | None]], str]
_AROUND = frozenset(("caption", "tablecaption", "tablecomments", "tablenotetext", "tablerefs", "label", "footnotetext"))
_RULE_NAMES = (
    "hline toprule midrule bottomrule cline cmidrule startdata enddata endhead endfirsthead endfoot "
    "endlastfoot tablewidth tabletypesize tablecolumns specialrule addlinespace noalign"
)
_RULES = frozenset(_RULE_NAMES.split())
WIDEST = 60  # columns


def rows(nodes: Sequence[Node], render: Render) -> tuple[list[list[str]], list[lw.LatexMacroNode]]:
    """Return the cells, row by row, and the captions and notes that stood between them."""
    found: list[list[list[Node]]] = [[[]]]
    around: list[lw.LatexMacroNode] = []
    for node in nodes:
        name = node.macroname if isinstance(node, lw.LatexMacroNode) else ""
        if name in _AROUND:
            around.append(node)
        elif name == "tablehead":
            found = [*found, *_split(_inner(node)), [[]]]
        elif name in ("\\", "tabularnewline", "cr"):
            found.append([[]])
        elif isinstance(node, lw.LatexSpecialsNode) and node.specials_chars == "&":
            found[-1].append([])
        elif name not in _RULES:
            found[-1][-1].append(node)
    return [row for row in (_row(cells, render) for cells in found) if any(row)], around


def _inner(node: lw.LatexMacroNode) -> Sequence[Node]:
    argument = node.nodeargd.argnlist[0] if node.nodeargd and node.nodeargd.argnlist else None
    return argument.nodelist if isinstance(argument, lw.LatexGroupNode) else []


def _split(nodes: Sequence[Node]) -> list[list[list[Node]]]:
    found: list[list[list[Node]]] = [[[]]]
    for node in nodes:
        if isinstance(node, lw.LatexMacroNode) and node.macroname == "\\":
            found.append([[]])
        elif isinstance(node, lw.LatexSpecialsNode) and node.specials_chars == "&":
            found[-1].append([])
        else:
            found[-1][-1].append(node)
    return found


def _row(cells: list[list[Node]], render: Render) -> list[str]:
    row: list[str] = []
    for nodes in cells[:WIDEST]:
        row.append(_cell(render(nodes)))
        row.extend([""] * (_span(nodes) - 1))
    return row


def _span(nodes: list[Node]) -> int:
    for node in nodes:
        if isinstance(node, lw.LatexMacroNode) and node.macroname == "multicolumn" and node.nodeargd.argnlist:
            count = node.nodeargd.argnlist[0].latex_verbatim().strip("{} ")
            return min(int(count), WIDEST) if count.isdigit() and int(count) else 1
    return 1


def _cell(text: str) -> str:
    """A bar would end the cell; in mathematics it has another name."""
    parts = " ".join(text.split()).split("$")
    return "$".join(part.replace("|", "\\vert " if i % 2 else "\\|") for i, part in enumerate(parts))


def markdown(found: list[list[str]]) -> str:
    """Return rows as a Markdown table, the first one its head; "" for none."""
    if not found:
        return ""
    width = max(map(len, found))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in found]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])

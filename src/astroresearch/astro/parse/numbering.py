"""Counters as LaTeX keeps them: sections, equations, figures, tables; and the labels that point to them."""

import re
from dataclasses import dataclass, field

_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_TAG = re.compile(r"\\tag\*?\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_STEP = re.compile(r"\\addtocounter\s*\{equation\}\s*\{(-?\d{1,4})\}")
_BARE = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])")
ROWS_NUMBERED = frozenset(("align", "eqnarray", "gather", "flalign", "alignat"))
ONE_NUMBER = frozenset(("equation", "multline", "dmath"))


@dataclass(slots=True)
class Numbering:
    """*letters*: the class numbers equations, figures and tables of an appendix A1, A2 (AASTeX)."""

    letters: bool = False
    appendix: bool = False
    within_section: bool = False
    section: list[int] = field(default_factory=lambda: [0, 0, 0])
    counts: dict[str, int] = field(default_factory=lambda: {"eq": 0, "Figure": 0, "Table": 0})
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)  # label -> kind, number
    here: tuple[str, str] = ("", "")  # what a label in running text points to

    def start_appendix(self) -> None:
        self.appendix = True
        self.section = [0, 0, 0]
        if self.letters:
            self.counts = dict.fromkeys(self.counts, 0)

    def next_section(self, level: int) -> str:
        """Return the number of the next section of *level* 1-3 ("3.2", "A.1")."""
        self.section[level - 1] += 1
        self.section[level:] = [0] * (3 - level)
        if level == 1 and (self.within_section or (self.appendix and self.letters)):
            self.counts = dict.fromkeys(self.counts, 0) if self.letters else self.counts | {"eq": 0}
        number = ".".join([self._top(), *map(str, self.section[1:level])])
        self.here = ("Section", number)
        return number

    def _top(self) -> str:
        return _letter(self.section[0]) if self.appendix else str(self.section[0])

    def next(self, kind: str) -> str:
        """Return the next number of *kind*: "eq", "Figure" or "Table"."""
        self.counts[kind] += 1
        return self._written(kind)

    def _written(self, kind: str) -> str:
        if self.appendix and self.letters:
            return f"{self._top()}{self.counts[kind]}"
        return f"{self._top()}.{self.counts[kind]}" if kind == "eq" and self.within_section else str(self.counts[kind])

    def label(self, name: str) -> None:
        self.labels[name] = self.here

    def display(self, environment: str, rows: list[str]) -> str:
        """Number a displayed equation, whose lines are *rows*; return "7", "7-9" or ""."""
        name = environment.removesuffix("*")
        stepping = rows if name in ROWS_NUMBERED else [" ".join(rows)]
        starred = environment.endswith("*") or name not in ROWS_NUMBERED | ONE_NUMBER
        numbers = [self._row(row, starred) for row in stepping if row.strip()]
        numbers = [number for number in numbers if number]
        return numbers[0] if len(set(numbers)) == 1 else f"{numbers[0]}-{numbers[-1]}" if numbers else ""

    def _row(self, row: str, starred: bool) -> str:
        for step in _STEP.finditer(row):
            self.counts["eq"] += int(step[1])
        tag = _TAG.search(row)
        if tag:
            number = self._written("eq") if "\\theequation" in tag[1] else tag[1].strip()
        else:
            number = "" if starred or _BARE.search(row) else self.next("eq")
        for label in _LABEL.finditer(row):
            self.labels[label[1]] = ("Equation", number or self.here[1])
        return number


def without_numbering(source: str) -> str:
    """Return the equation without what only numbers it."""
    for pattern in (_LABEL, _STEP, _BARE):
        source = pattern.sub("", source)
    return re.sub(r"\\tag\*?\s*\{\\theequation\}", "", source).strip()


def _letter(count: int) -> str:
    return chr(ord("A") + (count - 1) % 26) if count else "A"

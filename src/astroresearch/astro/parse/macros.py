"""The author's own macros: the simple ones are expanded, within bounds; a standard command is never redefined."""

import re
from dataclasses import dataclass

from .reading import Reading
from .source import LONGEST, arguments, group_end

EXPANSIONS = 50_000
DEEPEST = 25
_DEFINITION = re.compile(
    r"\\(newcommand|renewcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|newenvironment|renewenvironment"
    r"|def|gdef|edef|let|newcolumntype|newtheorem|newtagform|renewtagform|definecolor|colorlet|newif|newcounter"
    r"|newlength|setlength|makeatletter|makeatother)(?![A-Za-z@])\*?"
)
_NAME = re.compile(r"\s*(?:\{\s*\\([A-Za-z@]+|.)\s*\}|\\([A-Za-z@]+|.))")
_WORD = re.compile(r"\\([A-Za-z@]+)")
_PROGRAMMED = re.compile(
    r"\\(?:@|csname|expandafter|if[a-z]*(?![A-Za-z])|else(?![A-Za-z])|fi(?![A-Za-z])|futurelet|catcode|def(?![A-Za-z])"
    r"|newcommand|renewcommand|let(?![A-Za-z])|noexpand|the(?![A-Za-z]))"
)
_PLAIN_ARGUMENTS = {"newcolumntype": "{[{", "newtheorem": "*{[{[", "newtagform": "{[{{", "renewtagform": "{[{{",
                    "definecolor": "{{{", "colorlet": "{{", "newif": "{", "newcounter": "{[", "newlength": "{",
                    "setlength": "{{", "makeatletter": "", "makeatother": ""}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Macro:
    """*body* with ``#1``...; *default* of the optional first argument; *end* is the closing half of an environment."""

    name: str
    count: int
    body: str
    default: str | None = None
    end: str | None = None

    @property
    def simple(self) -> bool:
        return not _PROGRAMMED.search(self.body + (self.end or ""))


class Macros:
    """Takes the definitions out of a source and expands what they define."""

    def __init__(self, standard: frozenset[str], standard_environments: frozenset[str], reading: Reading) -> None:
        self._standard = standard
        self._standard_environments = standard_environments
        self._reading = reading
        self._commands: dict[str, Macro] = {}
        self._environments: dict[str, Macro] = {}
        self._budget = LONGEST
        self._expansions = EXPANSIONS

    def collect(self, text: str) -> str:
        """Return *text* without definitions; they are known from now on, everywhere."""
        parts: list[str] = []
        at = 0
        while match := _DEFINITION.search(text, at):
            parts.append(text[at : match.start()])
            at = self._define(text, match)
        return "".join([*parts, text[at:]])

    def _define(self, text: str, match: re.Match[str]) -> int:
        kind, at = match[1], match.end()
        if kind in _PLAIN_ARGUMENTS:
            return arguments(text, at, _PLAIN_ARGUMENTS[kind])[1]
        if kind.endswith("environment"):
            return self._define_environment(text, at)
        name = _NAME.match(text, at)
        if name is None:
            return at
        word, at = name[1] or name[2], name.end()
        if kind == "let":
            return self._let(text, at, word)
        if kind in ("def", "gdef", "edef"):
            return self._def(text, at, word)
        pattern = "{" if kind == "DeclareMathOperator" else "[[{"
        found, at = arguments(text, at, pattern)
        if kind == "DeclareMathOperator":
            self._know(Macro(word, 0, f"\\operatorname{{{found[0] or word}}}"))
        else:
            count = int(found[0]) if found[0] and found[0].isdigit() else 0
            self._know(Macro(word, count, found[2] or "", found[1]))
        return at

    def _let(self, text: str, at: int, word: str) -> int:
        other = re.compile(r"\s*=?\s*(\\[A-Za-z@]+|\\.|\S)").match(text, at)
        if other is None:
            return at
        self._know(Macro(word, 0, other[1]))
        return other.end()

    def _def(self, text: str, at: int, word: str) -> int:
        head = re.compile(r"\s*((?:#\d)*)([^{}]{0,80})\{").match(text, at)
        if head is None or (end := group_end(text, head.end() - 1)) < 0:
            return at
        if not head[2].strip():  # arguments with delimiters are beyond what is simple
            self._know(Macro(word, len(head[1]) // 2, text[head.end() : end - 1]))
        return end

    def _define_environment(self, text: str, at: int) -> int:
        (name, count, default, begin, end), at = arguments(text, at, "{[[{{")
        if name:
            number = int(count) if count and count.isdigit() else 0
            self._environments[name] = Macro(name, number, begin or "", default, end or "")
        return at

    def _know(self, macro: Macro) -> None:
        if macro.name not in self._standard:
            self._commands[macro.name] = macro

    def expand(self, text: str) -> str:
        """Return *text* with every simple macro expanded; beyond the bounds macros stay as they are, and it says so."""
        return self._expand(self._expand_environments(text), 0)

    def _expand_environments(self, text: str) -> str:
        for macro in self._environments.values():
            begin = f"\\begin{{{macro.name}}}"
            parts = text.split(begin)
            if len(parts) == 1:
                continue
            redefined = macro.name in self._standard_environments or not macro.simple
            rebuilt = [parts[0]]
            for part in parts[1:]:
                found, at = arguments(part, 0, _pattern(macro))
                rebuilt.append((begin if redefined else _filled(macro, _values(macro, found))) + part[at:])
            text = "".join(rebuilt)
            if not redefined:
                text = text.replace(f"\\end{{{macro.name}}}", macro.end or "")
        return text[:LONGEST]

    def _expand(self, text: str, depth: int) -> str:
        if not self._commands:
            return text
        parts: list[str] = []
        at = 0
        while match := _WORD.search(text, at):
            macro = self._commands.get(match[1])
            if macro is None or (match.start() and _escaped(text, match.start())):
                parts.append(text[at : match.end()])
                at = match.end()
                continue
            parts.append(text[at : match.start()])
            new, at = self._expanded(macro, text, match.end(), depth)
            parts.append(new)
        return "".join([*parts, text[at:]])

    def _expanded(self, macro: Macro, text: str, at: int, depth: int) -> tuple[str, int]:
        if not macro.simple:
            self._reading.unknown_macros[f"\\{macro.name}"] = 1
            return "", at
        found, end = arguments(text, at, _pattern(macro))
        values = _values(macro, found)
        self._expansions -= 1
        self._budget -= _size(macro, values)
        if depth >= DEEPEST or self._expansions < 0 or self._budget < 0:
            self._reading.notice("macros_unbounded", name=macro.name)
            return "", end
        return self._spaced(macro, self._expand(_filled(macro, values), depth + 1), text, end)

    def _spaced(self, macro: Macro, new: str, text: str, end: int) -> tuple[str, int]:
        """A macro without arguments eats the blanks after it, unless it ends in xspace; words are kept apart."""
        if new.endswith("\\xspace"):
            return new.removesuffix("\\xspace"), end
        if not macro.count:
            blank = re.compile(r"[ \t]*\n?[ \t]*").match(text, end)
            end = blank.end() if blank and not text[blank.end() : blank.end() + 1].isspace() else end
        if re.search(r"\\[A-Za-z]+$", new) and text[end : end + 1].isalpha():
            new += " "
        return new, end


def _pattern(macro: Macro) -> str:
    optional = macro.default is not None
    return "[" * optional + "{" * (macro.count - optional)


def _size(macro: Macro, values: list[str]) -> int:
    return len(macro.body) + sum(macro.body.count(f"#{i}") * len(value) for i, value in enumerate(values, 1))


def _values(macro: Macro, found: list[str | None]) -> list[str]:
    """Return the arguments, the default for an optional one that is absent."""
    return [value if value is not None else (macro.default or "") if i == 0 else "" for i, value in enumerate(found)]


def _filled(macro: Macro, values: list[str]) -> str:
    return re.sub(r"#(\d)", lambda m: values[int(m[1]) - 1] if 0 < int(m[1]) <= len(values) else "", macro.body)


def _escaped(text: str, at: int) -> bool:
    """Whether the backslash at *at* is itself escaped: the second of a line break ``\\\\``."""
    before = len(text[max(0, at - 20) : at]) - len(text[max(0, at - 20) : at].rstrip("\\"))
    return before % 2 == 1

"""LaTeX source as text: decoded, without comments, with its inputs, braces paired and not too deep."""

import re
from collections.abc import Callable

from .reading import Reading

LONGEST = 1_000_000  # characters that are parsed; the longest papers have 500,000
DEEPEST = 40  # nesting of braces and environments; real papers stay below 15
MARKS = 120_000  # backslashes, braces and dollars: what costs time; a long paper has 20,000
_INPUTS = 200
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b\x0e-\x1f\x7f]")
_COMMENT = re.compile(
    r"(\\(?:url|href|nolinkurl)\s*\{[^{}\n]*\})|(\\\\|\\%)|%[^\n]*(?:\n[ \t]*(\n?)|$)",
)
_SKIPPED = {"\\begin{comment}": "\\end{comment}", "\\iffalse": "\\fi"}
_OPTION = 2_000  # characters of the longest optional argument
_VERBATIM = ("verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "alltt")
_VERB = re.compile(r"\\(?:verb\*?|lstinline)([^\sA-Za-z*])([^\n]{0,400}?)\1")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*(?:\{([^{}]*)\}|\s([^\s{}\\]+))")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\s*\n")
# the walker needs quadratic time for text without any command: one that says nothing parts it
_LONG_RUN = re.compile(r"([^\\{}$]{1500}[^\\{}$\s]{0,400})(?:\s|(?=[^\\{}$\s]))")
_MARK = re.compile(r"\\.|[{}\]]", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}")


def prepare(text: str, reading: Reading) -> tuple[str, list[str]]:
    """Return the source ready for macros, and the verbatim texts that ``\\arverbatim{n}`` stands for."""
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    kept: list[str] = []
    for name in _VERBATIM:
        text = _between(
            text, f"\\begin{{{name}}}", f"\\end{{{name}}}", lambda inside: _keep(inside, kept, "arverbatim")
        )
    text = _VERB.sub(lambda match: _keep(match[2], kept, "arverb"), text)
    text = without_comments(text)
    for opening, closing in _SKIPPED.items():
        text = _between(text, opening, closing, lambda inside: " ")
    text = _with_inputs(text, reading, ())
    return bounded(text, reading), kept


def _between(text: str, opening: str, closing: str, put: Callable[[str], str]) -> str:
    """Replace what stands between two marks, in one pass however many openings have no end."""
    parts: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        parts += [text[at:start], put(text[start + len(opening) : end])]
        at = end + len(closing)
    return "".join([*parts, text[at:]])


def _keep(inside: str, kept: list[str], command: str) -> str:
    kept.append(inside.strip("\n"))
    placeholder = f"\\{command}{{{len(kept) - 1}}}"
    return f"\n\n{placeholder}\n\n" if command == "arverbatim" else placeholder


def without_comments(text: str) -> str:
    """Take comments out as TeX does: with the end of line and the blanks that follow, but not with a blank line."""

    def kept(match: re.Match[str]) -> str:
        if match[1]:  # in an address the sign is itself; escaped, it is so to the walker too
            return match[1].replace("\\%", "%").replace("%", "\\%")
        return match[2] or ("\n\n" if match[3] else "")

    return _COMMENT.sub(kept, text)


def _with_inputs(text: str, reading: Reading, inside: tuple[str, ...], count: list[int] | None = None) -> str:
    """Put in the files that are at hand; a file that inputs itself is left out, and says so."""
    count = count if count is not None else [0]

    def put(match: re.Match[str]) -> str:
        name = (match[1] or match[2] or "").strip()
        count[0] += 1
        found = next((reading.files[n] for n in (name, f"{name}.tex", f"./{name}") if n in reading.files), None)
        if found is None:
            return f"\\arabsent{{{name}}}"
        if name in inside or len(inside) >= 10 or count[0] > _INPUTS:
            reading.notice("input_recursive", name=name)
            return ""
        return _with_inputs(without_comments(decode(found, reading)), reading, (*inside, name), count)

    return _INPUT.sub(put, text)


def decode(data: bytes, reading: Reading) -> str:
    """Return UTF-8 text; old files are Latin-1, where every byte is a letter, so it says so."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        reading.notice("decoded_latin1")
        return data.decode("latin-1")


def bounded(text: str, reading: Reading) -> str:
    """Cut what is too long, and level what is nested too deep, so that everything after ends in bounded time."""
    if len(text) > LONGEST:
        reading.notice("source_cut", kept=LONGEST, total=len(text))
        text = text[:LONGEST]
    text, levelled = balanced(text)
    if levelled:
        reading.notice("nested_too_deep", deepest=DEEPEST, count=levelled)
    text = _LONG_RUN.sub(r"\1\\relax ", _BLANK_LINES.sub("\n\n", _environments(text, reading)))
    for count, match in enumerate(re.finditer(r"[\\{}$&]", text)):
        if count >= MARKS:
            reading.notice("source_cut", kept=match.start(), total=len(text))
            return balanced(text[: match.start()])[0]
    return text


def balanced(text: str, deepest: int = DEEPEST) -> tuple[str, int]:
    """Return *text* without braces that have no partner or lie deeper than *deepest*, and how many of the latter."""
    opened: list[int] = []
    dropped: set[int] = set()
    deep = 0
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            start = opened.pop()
            if len(opened) >= deepest:
                dropped.update((start, match.start()))
                deep += 1
        elif match[0] == "}":
            dropped.add(match.start())
    dropped.update(opened)
    return _without(text, sorted(dropped)), deep


def _without(text: str, places: list[int]) -> str:
    if not places:
        return text
    starts = [0, *(at + 1 for at in places)]
    return "".join(text[start:end] for start, end in zip(starts, [*places, len(text)], strict=True))


def _environments(text: str, reading: Reading) -> str:
    """Take out the ``\\begin`` and ``\\end`` of environments that are nested too deep."""
    depth = deep = 0

    def level(match: re.Match[str]) -> str:
        nonlocal depth, deep
        depth += 1 if match[1] == "begin" else 0
        kept = depth <= DEEPEST
        depth -= 1 if match[1] == "end" and depth else 0
        deep += not kept
        return match[0] if kept else ""

    text = _ENVIRONMENT.sub(level, text)
    if deep:
        reading.notice("nested_too_deep", deepest=DEEPEST, count=deep)
    return text


def group_end(text: str, at: int) -> int:
    """Return the position after the group that opens at *at* (``{`` or ``[``); -1 if it does not close."""
    closing = "}" if text[at] == "{" else "]"
    depth = 0
    last = len(text) if closing == "}" else at + _OPTION
    for match in _MARK.finditer(text, at, last):
        mark = match[0]
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
        if mark == closing and depth == 0:
            return match.end()
        if depth < 0:
            return -1
    return -1


def arguments(text: str, at: int, pattern: str) -> tuple[list[str | None], int]:
    """Read arguments from *at*: ``*`` a star, ``[`` optional, ``{`` a group or token; ``None`` for an absent one."""
    found: list[str | None] = []
    for kind in pattern:
        start = at
        while start < len(text) and text[start].isspace():
            start += 1
        value, end = _argument(text, start, kind)
        found.append(value)
        at = end if value is not None else at
    return found, at


def _argument(text: str, at: int, kind: str) -> tuple[str | None, int]:
    if at >= len(text):
        return None, at
    if kind == "*":
        return ("*", at + 1) if text[at] == "*" else (None, at)
    if kind == "[" or text[at] == "{":
        end = group_end(text, at) if text[at] == ("[" if kind == "[" else "{") else -1
        return (text[at + 1 : end - 1], end) if end > 0 else (None, at)
    if token := re.compile(r"\\[A-Za-z@]+|\\.|[^\s{}]", re.DOTALL).match(text, at):
        return token[0], token.end()
    return None, at

"""Identifiers in text: which ones a message needs, and whether one stands in another text.

An identifier *stands* in a text if it occurs there in the same case and is not a piece of a longer word: ``2024`` does
not stand in ``120245``. A text with JSON escapes is read as it is and unescaped too, so that call arguments and results
that are JSON count by what they say.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

LONGEST = 300  # characters; what is longer is a blob, not a name
LONGEST_TOKEN = 100

_WORD = re.compile(r"[A-Za-z0-9_]+")
_WORD_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_EXTENSIONS = (
    "asdf|bat|bib|c|cc|cfg|conf|cpp|cs|css|csv|dat|db|docx?|ecsv|env|fits|gif|go|gz|h|h5|hdf5|hpp|html?|ini|ipynb|java|jpe?g"
    "|jl|jsx?|json|jsonl|kt|lock|log|md|mjs|npy|npz|parquet|pdf|php|png|pony|pptx?|py|r|rb|rs|rst|scss|sh|sql|sqlite"
    "|svg|swift|tar|tex|toml|tsx?|txt|vot|xlsx?|xml|ya?ml|zip|zsh"
)
_LEFT = r"(?<![A-Za-z0-9_])"
_RIGHT = r"(?![A-Za-z0-9_])"
_STEP = r"[A-Za-z0-9_.@+%=~-]+"
# Tried in this order at every place; what an earlier kind took, a later one does not take again.
_KINDS = {
    "url": _LEFT + r"https?://[^\s\"'<>\\`{}|^\[\]\u3000-\u303f\uff00-\uffef]+",
    "doi": _LEFT + r"10\.\d{4,9}/[^\s\"'<>\\`{}|^\[\],;\u3000-\u303f\uff00-\uffef]+",
    "bibcode": _LEFT + r"[12]\d{3}[A-Za-z.&]{5}[A-Za-z0-9.]{4}[A-Za-z0-9.][0-9.]{4}[A-Z.:](?![A-Za-z0-9_&])",
    "arxiv": _LEFT + r"(?:\d{4}\.\d{4,5}|[a-z][a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?" + _RIGHT,
    "path": rf"(?<![A-Za-z0-9_/.<])(?:[A-Za-z]:[\\/]|~/|\.{{1,2}}/|/)(?:{_STEP}[\\/])*{_STEP}"
    rf"|{_LEFT}(?:{_STEP}/){{2,}}{_STEP}"
    rf"|{_LEFT}(?:{_STEP}/)?[A-Za-z0-9_.-]*[A-Za-z0-9_-]\.(?:{_EXTENSIONS}){_RIGHT}",
    "token": _LEFT + r"(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])" + _RIGHT,
    "number": _LEFT + r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)*" + _RIGHT,
}
_ANY = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()))
_INSIDE_URL = re.compile(f"(?P<doi>{_KINDS['doi']})|(?P<arxiv>{_KINDS['arxiv']})")
_QUOTED = re.compile(
    r"(?<![A-Za-z0-9_\\])(?:\"([^\"\n]{3,60})\"|'([^'\n]{3,60})'|`([^`\n]{3,60})`)(?![A-Za-z0-9_])"
    r"|“([^”\n]{2,60})”|‘([^’\n]{2,60})’|「([^」\n]{2,60})」|《([^》\n]{2,60})》|«([^»\n]{2,60})»"
)
_CODE = re.compile(r"[=(){}\[\];|<>$\\*#\"`]")


def needs_of(message: Mapping[str, Any]) -> set[str]:
    """Return the identifiers in the text and the call arguments of an OpenAI-style message.

    Kinds: bibcode, arXiv id, DOI, URL, file path, quoted name, token of 5 characters or more that mixes letters and
    digits, number of 4 digits or more. The reasoning is not part of what a message says.
    """
    found = set(identifiers(content_text(message.get("content"))))
    for call in message.get("tool_calls") or ():
        found |= _argument_identifiers(str(call["function"].get("arguments") or ""))
    return found


def identifiers(text: str) -> Iterator[str]:
    """Yield the identifiers in a plain text; one that stands in two places comes twice."""
    for match in _ANY.finditer(text):
        yield from _accepted(str(match.lastgroup), match[0])
    for match in _QUOTED.finditer(text):
        name = match[match.lastindex or 0]
        if _is_name(name):
            yield name


def _accepted(kind: str, found: str) -> Iterator[str]:
    if kind in ("url", "doi", "path"):
        found = _trimmed(found)
    if kind == "url":
        yield from (m[0] if m.lastgroup == "arxiv" else _trimmed(m[0]) for m in _INSIDE_URL.finditer(found))
    if kind == "number" and sum(c.isdigit() for c in found) < 4:
        return
    if kind == "token" and not 5 <= len(found) <= LONGEST_TOKEN:
        return
    if kind == "path" and not any(c.isalpha() for c in found):
        return
    if len(found) <= LONGEST:
        yield found


def _trimmed(found: str) -> str:
    """Cut the punctuation of the sentence off, and a bracket that was opened outside."""
    while found and (found[-1] in ".,;:!?'*~" or (found[-1] == ")" and found.count(")") > found.count("("))):
        found = found[:-1]
    return found


def _is_name(text: str) -> bool:
    """A quoted name is short and holds no code; a single lower-case word (``completed``) is a value, not a name."""
    if text != text.strip() or not any(c.isalpha() for c in text) or len(text.split()) > 6:
        return False
    return not (_CODE.search(text) or (text.isascii() and text.isalpha() and text.islower()))


def _argument_identifiers(arguments: str) -> set[str]:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return set(identifiers(unescaped(arguments)))
    found = set()
    for leaf in _leaves(value):
        found |= set(identifiers(leaf))
        if 3 <= len(leaf) <= 60 and "\n" not in leaf and _is_name(leaf):
            found.add(leaf)
    return found


def _leaves(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield repr(value)


def content_text(content: Any) -> str:
    """Return the text of a message's ``content``: a string, null, or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    return "\n".join(_part_text(p) for p in content)


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    text = part.get("text", part.get("thinking", part.get("content", "")))
    return text if isinstance(text, str) else content_text(text)


def text_of(message: Mapping[str, Any]) -> str:
    """Return all that a model can read in a message: content, reasoning, and the names and arguments of its calls."""
    pieces = [content_text(message.get("content"))]
    if isinstance(reasoning := message.get("reasoning_content"), str):
        pieces.append(reasoning)
    for call in message.get("tool_calls") or ():
        function = call["function"]
        pieces += (str(function.get("name") or ""), str(function.get("arguments") or ""))
    return "\n".join(pieces)


def unescaped(text: str) -> str:
    """Return *text* with JSON's escapes replaced; what is no escape (``\\alpha``) stays."""
    plain = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPED[m[2]], text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def stands(identifier: str, text: str) -> bool:
    """Whether *identifier* stands in *text*. The plain definition, which ``Vocabulary`` answers for many at once."""
    return _stands(identifier, text) or ("\\" in text and _stands(identifier, unescaped(text)))


def _stands(identifier: str, text: str) -> bool:
    at = text.find(identifier)
    while at >= 0:
        if _whole(identifier, text, at):
            return True
        at = text.find(identifier, at + 1)
    return False


def _whole(identifier: str, text: str, at: int) -> bool:
    end = at + len(identifier)
    cut_left = at > 0 and identifier[0] in _WORD_CHARACTERS and text[at - 1] in _WORD_CHARACTERS
    cut_right = end < len(text) and identifier[-1] in _WORD_CHARACTERS and text[end] in _WORD_CHARACTERS
    return not (cut_left or cut_right)


class Vocabulary:
    """Finds which of many identifiers stand in a text, in one pass over it.

    Each identifier is looked for only where its rarest word stands; those without an ASCII word are tried one by one.
    A text is read once: transcripts come again in every view.
    """

    def __init__(self, identifiers: Iterable[str]) -> None:
        self._anchored: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        self._plain: list[str] = []
        self._known: dict[str, frozenset[str]] = {}
        words = {i: [(m[0], m.start()) for m in _WORD.finditer(i)] for i in set(identifiers)}
        common = Counter(word for found in words.values() for word in {w for w, _ in found})
        for identifier, found in sorted(words.items()):
            if not found:
                self._plain.append(identifier)
                continue
            word, offset = min(found, key=lambda w: (common[w[0]], -len(w[0]), w[1]))
            self._anchored[word].append((identifier, offset))

    def standing_in(self, text: str) -> frozenset[str]:
        """Return exactly those identifiers for which ``stands(identifier, text)``."""
        if (known := self._known.get(text)) is not None:
            return known
        found = set(self._scan(text))
        if "\\" in text:
            found |= set(self._scan(unescaped(text)))
        self._known[text] = frozenset(found)
        return self._known[text]

    def _scan(self, text: str) -> Iterator[str]:
        anchored = self._anchored
        for match in _WORD.finditer(text):
            for identifier, offset in anchored.get(match[0], ()):
                at = match.start() - offset
                if at >= 0 and text.startswith(identifier, at) and _whole(identifier, text, at):
                    yield identifier
        yield from (i for i in self._plain if i in text)

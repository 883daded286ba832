"""From text to index words: one normal form for what is stored and what is asked.

``$H_0$`` and H0, Lyα and Lyman-alpha, NGC4151 and NGC 4151 become the same words; Chinese runs become overlapping pairs
of characters, because SQLite's tokenizer knows no Chinese words. A *group* holds the alternative forms of one word.
"""

import re
import unicodedata
from functools import lru_cache

Group = tuple[str, ...]

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
    "chi psi omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _NAMES.split(), strict=True))
_GREEK |= {"ς": "sigma", "ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "µ": "mu"}
_GREEK_NAMES = "|".join(sorted(set(_GREEK.values()), key=len, reverse=True))
_STYLES = re.compile(
    r"\\(?:mathrm|mathit|mathbf|mathcal|mathsf|mathtt|boldsymbol|text|textit|textbf|textrm|texttt|emph|rm|it|bf|sc|sf|tt"
    r"|ensuremath|operatorname|left|right|big|Big|displaystyle|limits|hbox|mbox)(?![A-Za-z])\*?"
)
_SYMBOLS = (
    (re.compile(r"\\var(?=[a-z])"), r"\\"),
    (re.compile(r"_\s*\{?\s*(?:\\odot|\\sun|☉|⊙)\s*\}?|[☉⊙]|\\odot"), "sun "),
    (re.compile(r"_\s*\{?\s*(?:\\oplus|\\earth|⊕)\s*\}?|[⊕]|\\oplus"), "earth "),
    (re.compile(r"\\(?:ast|star)(?![a-z])"), "star "),
)
_GREEK_COMMAND = re.compile(rf"\\({_GREEK_NAMES})(?![A-Za-z])", re.IGNORECASE)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?|\\.")
_GREEK_LETTER = re.compile("[" + "".join(_GREEK) + "]")
# a Latin stem with a Greek letter is the name of a line (Lyα, H$\beta$) or a quantity (σ8): two spellings each
_LINE = re.compile(rf"(?<![a-z0-9])(lyman|ly|pa|br|[hk])[\s$\-]*(?:({_GREEK_NAMES}))(?![a-z])", re.IGNORECASE)
_SUBSCRIPT = re.compile(r"(?<![a-z0-9])([a-z0-9]+)\s*_\s*(?:\{\s*([a-z0-9 ,+\-]{1,24})\s*\}|([a-z0-9]))", re.IGNORECASE)
_CATALOGUE = re.compile(
    r"(?<![a-z0-9])(ngc|ic|hd|hip|hr|tic|toi|koi|kic|epic|gj|psr|ugc|abell|arp|mrk|pg|gw|grb|sn|at|frb|wasp|hat|kepler"
    r"|k2|trappist|lhs|gliese|cygnus|messier|m|3c|pks)[\s\-~]*(\d[\d.+a-z]*)(?![a-z0-9])",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+")
_WORD = re.compile(r"[^\W_]+(?:\x01[^\W_]+)*")
_ALTERNATIVE = "\x01"


def groups(text: str) -> list[Group]:
    """Return the words of *text* in order, each with its alternative spellings; Chinese as pairs of characters."""
    found: list[Group] = []
    for word in _WORD.findall(_canonical(text)):
        found.extend(_pairs(word) if _CJK.search(word) else [tuple(word.split(_ALTERNATIVE))])
    return found


def index_text(text: str) -> str:
    """Return *text* as it is stored in the full-text index: all alternatives, separated by blanks."""
    return " ".join(word for group in groups(text) for word in group)


def _canonical(text: str) -> str:
    text = _STYLES.sub(" ", _without_accents(text))
    for pattern, replacement in _SYMBOLS:
        text = pattern.sub(replacement, text)
    text = _GREEK_COMMAND.sub(lambda m: m[1].lower(), text).lower()
    text = _GREEK_LETTER.sub(lambda m: _GREEK[m[0]], text)
    text = _LINE.sub(_line, text)
    text = _SUBSCRIPT.sub(_subscript, _COMMAND.sub(" ", text).replace("$", " "))
    return _CATALOGUE.sub(lambda m: f"{_catalogue(m[1])}{m[2]}{_ALTERNATIVE}{m[2]}", text)


def _line(match: re.Match[str]) -> str:
    stem, greek = match[1].lower(), match[2].lower()
    stem = "ly" if stem == "lyman" else stem
    return f" {stem}{greek[0]}{_ALTERNATIVE}{stem}{greek} "


def _subscript(match: re.Match[str]) -> str:
    below = re.sub(r"[^a-z0-9]", "", match[2] or match[3])
    joined = match[1] + below
    return f"{joined}{_ALTERNATIVE}{match[1]} " if len(match[1]) > 1 else f"{joined} "


def _catalogue(name: str) -> str:
    return "m" if name == "messier" else name


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    split = unicodedata.normalize("NFKD", text)
    return "".join(c for c in split if not unicodedata.combining(c))


def _pairs(word: str) -> list[Group]:
    found: list[Group] = []
    last = 0
    for run in _CJK.finditer(word):
        found.extend((w,) for w in word[last : run.start()].split(_ALTERNATIVE) if w)
        found.extend((pair,) for pair in chinese_pairs(run[0]))
        last = run.end()
    found.extend((w,) for w in word[last:].split(_ALTERNATIVE) if w)
    return found


def chinese_pairs(run: str) -> list[str]:
    """Return overlapping pairs of characters; a single character stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return a light English stem, for counting which words of a question a text covers (the index has porter's)."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending, replacement in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _undouble(word[: -len(ending)]) + replacement
    return word


_ENDINGS = (
    ("ations", ""), ("ation", ""), ("ities", ""), ("ity", ""), ("ments", ""), ("ment", ""), ("nesses", ""),
    ("ness", ""), ("ically", ""), ("ional", ""), ("ions", ""), ("ion", ""), ("ances", ""), ("ance", ""),
    ("ences", ""), ("ence", ""), ("ings", ""), ("ing", ""), ("ies", "i"), ("ied", "i"), ("edly", ""), ("ed", ""),
    ("sses", "ss"), ("es", ""), ("ives", ""), ("ive", ""), ("ical", ""), ("ics", ""), ("ic", ""), ("als", ""),
    ("al", ""), ("ers", ""), ("er", ""), ("ly", ""), ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
    ("e", ""), ("y", "i"),
)  # fmt: skip


def _undouble(word: str) -> str:
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if doubled else word


def stems(text: str) -> frozenset[str]:
    """Return the stems of all words of *text*, alternatives included."""
    return frozenset(stem(word) for group in groups(text) for word in group)

"""Evidence that must survive: what a text names or measures, found without a model (R3.11).

A text is split once at C speed; only its distinct words are looked at, and the slower patterns run only around the
marks that announce them (a sign of uncertainty, a catalogue's name, a dollar sign). No pattern backtracks over more
than a bounded window, so a hostile text costs no more than a plain one.
"""

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "bibcode",
    "arxiv",
    "doi",
    "url",
    "path",
    "object",
    "coordinates",
    "measurement",  # a value with its uncertainty
    "quantity",  # a value with its unit alone
    "number",
    "equation",
    "name",
    "id",
    "word",
]

_WORDS = re.compile(r"[^\s\"'`<>()\[\]{},;|=*\\$!?#^\u201c\u201d\u2018\u2019\u3000-\u303f\uff00-\uffef\u4e00-\u9fff]+")
_BLANKED = dict.fromkeys(map(ord, "\"'`<>()[]{},;|=*\\$!?#^"), " ")  # what parts words in _WORDS, for ASCII
_PLAIN = re.compile(r"[A-Za-z]?[a-z]+(?:[-/:.]{1,2}[a-z]*)?|[A-Z]+|\W+|\d{1,3}|[-+]?\d{1,2}\.\d?|\d\.")
_BIBCODE = re.compile(r"[12]\d{3}[A-Za-z][\w.&+:'\-]{13}[A-Za-z.:]")
_ARXIV = re.compile(
    r"(?:arxiv:)?((?:0[7-9]|1[0-4])(?:0[1-9]|1[0-2])\.\d{4}(?:v\d+)?"
    r"|(?:1[5-9]|[2-9]\d)(?:0[1-9]|1[0-2])\.\d{5}(?:v\d+)?"
    r"|(?:astro-ph|gr-qc|hep-(?:ph|th|ex|lat)|nucl-(?:th|ex)|quant-ph|cond-mat|math-ph|physics)(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)",
    re.IGNORECASE,
)
_DOI = re.compile(r"(?:doi:|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\"'<>]{2,120})", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s\"'`<>\\^{}|]{3,300}")
_NUMBER = re.compile(r"[-+~]?\d[\d.]{3,}(?:e[-+]?\d+)?%?|\d{1,4}(?:[-/:.]\d{1,4}){1,3}", re.IGNORECASE)
_MIXED = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w.@:+~&%-]{4,100}")
_COMPOUND = re.compile(r"\w*(?:[a-z][A-Z]|_\w|[a-z0-9][.@][A-Za-z])[\w.@:-]{1,80}")
_FILE = re.compile(
    r"[\w~+@%-][\w.~+@%-]*\.(?:asdf|bat|bib|cc?|cfg|conf|cpp|cs|css|csv|dat|db|docx?|ecsv|env|fits|gif|go|gz|hdf5|h5?|hpp|html?"
    r"|ini|ipynb|java|jpe?g|jl|jsx?|json|jsonl|kt|lock|log|md|mjs|npy|npz|parquet|pdf|php|png|pony|pptx?|py|rb|rs|rst|r|scss"
    r"|sh|sql|sqlite|svg|swift|tar|tex|toml|tsx?|txt|vot|xlsx?|xml|ya?ml|zip|zsh)"
)
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?/(?:[\w.~+@%-]+/)*[\w.~+@%-]+/?|(?:[\w.~+@%-]+/){2,}[\w.~+@%-]*")
_LINE_SUFFIX = re.compile(r"(?::\d+){1,2}$")
_CATALOGUE_NAMES = (
    "NGC IC M Messier HD HIP HR GJ Gliese TIC TOI KIC KOI EPIC PSR SN AT GW GRB FRB Abell ACO 3C 4C UGC Mrk Arp PKS "
    "SDSS 2MASS WASP HAT-P Kepler TRAPPIST XTE GRS SGR AXP MAXI Sh2 LHS LP Wolf Ross BD RX 1RXS PG Ton QSO MCG ESO VV"
)
_CATALOGUES = _CATALOGUE_NAMES.split()
_CATALOGUE_SET = frozenset(_CATALOGUES)
_OBJECT = re.compile(
    r"\b(?:" + "|".join(map(re.escape, _CATALOGUES)) + r")[ ~-]?[A-Z]?\d[\d.+\-]{0,18}[A-Za-z]{0,3}\b"
    r"|\b\d{1,3}[IPDC]/[A-Z][\w\u2019'-]{2,20}|\b[CPDXA]/\d{4} [A-Z]{1,2}\d{1,3}"
)
_COORDINATES = re.compile(
    r"\d{1,2}(?:h|:|\^h)\s?\d{1,2}(?:m|:|\^m)\s?\d{1,2}(?:\.\d+)?s?[\s,]{1,3}[-+\u2212]\d{1,2}(?:d|:|°)\s?\d{1,2}(?:m|:|'|\u2032)?"
    r"(?:\s?\d{1,2}(?:\.\d+)?)?"
)
_UNIT = (
    r"(?:[kMGT]?pc|[kcmµμn]?m|km|[mµμ]?as|arc(?:sec|min)(?:onds?|utes?)?|deg(?:rees?)?|°|rad|[kMG]?yr|Myr|Gyr|years?|days?"
    r"|h(?:ours?)?|min|ms|s|[kMGT]?Hz|[kMGT]?eV|[mµμ]?K|[mµμn]?Jy|erg|[kM]?W|[mµμn]?G|AU|au|ly|Å|mag|dex|dB|sr"
    r"|M_?\{?(?:\\odot|☉|⊙|sun|Sun|\\oplus|⊕|J|Jup|\\mathrm\{J\})\}?|[RL]_?\{?(?:\\odot|☉|⊙|sun|\\oplus|⊕)\}?"
    r"|solar masses|per cent|percent|\\?%|sigma|σ|\\sigma|g|kg|cm|photons?|counts?|TECU|DM)"
)
_EXPONENT = r"(?:\}?\s?\$?(?:\^|\*\*)\{?[-\u2212]?\d\}?\$?|[-\u2212]\d|[\u207b\u00b9\u00b2\u00b3\u2074-\u2079]{1,2})"
_GLUE = r"(?:\\[,;: ]|\\(?:rm|mathrm|text|textrm|unit)\b|[ ~{}$])*"
_UNITS = rf"(?:{_GLUE}{_UNIT}(?![A-Za-z]){_EXPONENT}?(?:[/·.*]|\\cdot)?){{1,4}}\}}?"
_VALUE = r"[-+\u2212~<>≲≳]?\s?\d[\d,]{0,12}(?:\.\d{1,10})?"
_ERRORS = (
    r"(?:\s?\(?\s?(?:±|\\pm|\+/-|\+-)\s?\{?\d[\d.]{0,10}\}?(?:\s?\(?(?:stat|sys)[a-z.]*\)?)?){1,3}"
    r"|\s?\$?_\{?\s?[-\u2212]\s?\d[\d.]{0,10}\}?\s?\^\{?\s?\+?\s?\d[\d.]{0,10}\}?"
    r"|\s?\$?\^\{?\s?\+\s?\d[\d.]{0,10}\}?\s?_\{?\s?[-\u2212]\s?\d[\d.]{0,10}\}?"
    r"|\s?\(?\+\s?\d[\d.]{0,10}\s?[/,]?\s?[-\u2212]\s?\d[\d.]{0,10}\)?"
)
_POWER = r"(?:\)?\s?(?:\\times|×|x|\*)\s?10\s?\^?\s?\{?[-\u2212+]?\d{1,3}\}?|\)?\s?[eE][-+]?\d{1,3})?"
_MEASURED = re.compile(_VALUE + r"(?:" + _ERRORS + r")" + _POWER + r"\)?" + r"(?:" + _UNITS + r")?")
# What a measured value is of, right before it: "H0 = ", "M_*\\sim ", "the age is ", "质量为".
_LABEL = re.compile(
    r"(?:[A-Za-z\u0370-\u03ff\u4e00-\u9fff\\][\w\\{}^*+.'/-]{0,39}\$?\s?[=:\uff1a\u2248\u2243\u223c~]"
    r"|[\w\\{}^*+.'/-]{1,40}\$?\s?(?:\\(?:approx|simeq|sim)\b|\b(?:is|of|was)\b|[为是]))[\s$({~]{0,3}$"
)
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])")
_WITH_UNIT = re.compile(r"(?<![\w.])" + _VALUE + _POWER + r"\s?" + _UNITS + r"(?![\w-])")
# A word that says that a value with a unit may stand here: the unit alone, or written together with its number.
_UNIT_WORD = re.compile(rf"(?:[-+~]?\d[\d.]*)?(?:{_UNIT}(?:[-\u2212]?\d)?[/·.*]?){{1,4}}[.:%]*|[-+~]?\d[\d.]*%[.:]*")
_MARKS = ("±", "\\pm", "+/-", "+-", "^{+", "_{-", "^+", "(+", "/-", "/\u2212", ", -", "/ -")
_EQUATION = re.compile(
    r"\$\$([^$]{3,400})\$\$|\$([^$\n]{3,160})\$|\\begin\{(equation|align|eqnarray|gather)\*?\}(.{3,600}?)\\end\{\3\*?\}"
    r"|\\\[(.{3,400}?)\\\]",
    re.DOTALL,
)
_QUOTES = tuple(
    (begin, re.compile(f"{begin}([^{end}\\n]{{{least},60}}){end}(?![A-Za-z0-9_])"))
    for begin, end, least in (
        ('"', '"', 3),
        ("'", "'", 3),
        ("`", "`", 3),
        ("\u201c", "\u201d", 2),
        ("\u2018", "\u2019", 2),
        ("\u300c", "\u300d", 2),
        ("\u300a", "\u300b", 2),
    )
)
_CODE = re.compile(r"[=(){}\[\];|<>$\\*#\"`\n]")
_STRIP = ".,:;!?…\u2026-#&\\"
_LETTERS = bytes(range(65, 91)) + bytes(range(97, 123)) + b" \n\t.,;:'\"()-"

_CONSTRAINT = re.compile(
    r"\b(?:must|never|always|only|don'?t|do not|should(?: not|n'?t)?|at (?:most|least)|no more than|without|exclude"
    r"|except|require[ds]?|make sure|ensure|remember|prefer|avoid|instead of|keep|use)\b"
    r"|必须|不要|不得|只能|只用|仅|务必|请勿|禁止|始终|总是|至少|至多|最多|不超过|除了|排除|避免|记住|确保|优先|需要|应当|应该",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]?")


class Reader:
    """Finds the evidence in texts. It remembers what it made of each word, since the texts of a session share them."""

    __slots__ = ("_coordinates", "_known", "_plain", "_units")

    def __init__(self) -> None:
        self._plain: set[str] = set()
        self._known: dict[str, tuple[str, Kind]] = {}
        self._units: set[str] = set()
        self._coordinates: set[str] = set()

    def evidence(self, text: str) -> Iterator[tuple[str, Kind]]:
        """Yield the evidence in *text*, each piece as it stands there, with its kind; one may come more than once."""
        if text.isascii() and not text.encode().translate(None, _LETTERS):
            return  # letters and plain punctuation only: nothing here can be an identifier or a number
        words = self._words(text)
        rare = words - self._plain
        self._learn([word for word in rare if word not in self._known])
        yield from [self._known[word] for word in rare if word in self._known]
        if "://" in text:
            yield from ((m[0].rstrip(".,;:!?)]"), "url") for m in _URL.finditer(text))
        if not _CATALOGUE_SET.isdisjoint(words) or "I/" in text or "C/" in text or "P/" in text:
            yield from ((m[0], "object") for m in _OBJECT.finditer(text))
        if not self._coordinates.isdisjoint(words):
            yield from ((m[0], "coordinates") for m in _COORDINATES.finditer(text))
        if "," in text:
            yield from ((m[0], "number") for m in _GROUPED.finditer(text))
        yield from _measurements(text, with_units=not self._units.isdisjoint(words))
        if "$" in text or "\\begin{" in text or "\\[" in text:
            yield from _equations(text)

    def _words(self, text: str) -> set[str]:
        return set(text.translate(_BLANKED).split()) if text.isascii() else set(_WORDS.findall(text))

    def _learn(self, words: list[str]) -> None:
        for word in words:
            if _UNIT_WORD.fullmatch(word):
                self._units.add(word)
            if word[0].isdigit() and ("h" in word[:3] or ":" in word[:3]):
                self._coordinates.add(word)
            if not _PLAIN.fullmatch(word) and (found := classify(word)):
                self._known[word] = found
            else:
                self._plain.add(word)


def evidence(text: str) -> Iterator[tuple[str, Kind]]:
    """Yield the evidence in one text."""
    return Reader().evidence(text)


def quoted(text: str) -> Iterator[tuple[str, Kind]]:
    """Yield the names that stand in quotation marks or backticks."""
    for opening, pattern in _QUOTES:
        at = text.find(opening)
        while at >= 0:
            if at and (text[at - 1].isalnum() or text[at - 1] == "\\"):  # an apostrophe, an escaped quotation mark
                at = text.find(opening, at + 1)
                continue
            if match := pattern.match(text, at):
                if is_name(match[1]):
                    yield match[1], "name"
                at = match.end() - 1
            at = text.find(opening, at + 1)


def is_name(text: str) -> bool:
    """A quoted name is short, begins and ends like one, and holds no code."""
    return not (_CODE.search(text) or text != text.strip() or text.count(" ") > 7) and any(map(str.isalpha, text))


def classify(word: str) -> tuple[str, Kind] | None:
    """Return the identifier that one word is, without punctuation around it, and its kind; None for a plain word."""
    if len(word) >= 19 and (match := _BIBCODE.match(word)):
        return match[0], "bibcode"
    if "10." in word and (match := _DOI.match(word)):
        return match[1].rstrip(".,;:"), "doi"
    bare = word.rstrip(_STRIP).lstrip(":-&\u2026")
    if not 3 <= len(bare) <= 160 or _PLAIN.fullmatch(bare) or "://" in bare:
        return None
    if match := _ARXIV.fullmatch(bare):
        return match[1], "arxiv"
    if _NUMBER.fullmatch(bare):
        return (bare, "number") if sum(c.isdigit() for c in bare) >= 4 else None
    path = _LINE_SUFFIX.sub("", bare)
    if _FILE.fullmatch(path) or ("/" in path and (_PATH.fullmatch(path) or _FILE.fullmatch(path.rpartition("/")[2]))):
        return (path, "path") if any(c.isalpha() for c in path) else None
    if _MIXED.fullmatch(bare):
        return bare, "id"
    return (bare, "word") if _COMPOUND.fullmatch(bare) else None


def _measurements(text: str, *, with_units: bool) -> Iterator[tuple[str, Kind]]:
    """Values with name, uncertainty and unit; then values with a unit alone, where none of the former stands.

    The name that a value is given just before it is kept with it: alone, a number says nothing.
    """
    spans: list[tuple[int, int]] = []
    for at in _mark_places(text):
        if spans and at < spans[-1][1]:
            continue
        for match in _MEASURED.finditer(text, max(at - 28, spans[-1][1] if spans else 0), min(at + 90, len(text))):
            if match.start() <= at < match.end():
                label = _LABEL.search(text, max(0, match.start() - 48, spans[-1][1] if spans else 0), match.start())
                spans.append(match.span())
                yield _tidy(text[label.start() if label else match.start() : match.end()]), "measurement"
                break
    if with_units:
        taken = iter(spans)
        span = next(taken, None)
        for match in _WITH_UNIT.finditer(text):
            while span and span[1] <= match.start():
                span = next(taken, None)
            if not span or match.end() <= span[0]:
                yield _tidy(match[0]), "quantity"


def _tidy(found: str) -> str:
    found = found.strip().rstrip(".,;·*/")
    return found[:-1].rstrip() if found.endswith((")", "}", "$")) and not _balanced(found) else found


def _balanced(found: str) -> bool:
    pairs = (("(", ")"), ("{", "}"))
    return found.count("$") % 2 == 0 and all(found.count(a) == found.count(b) for a, b in pairs)


def _mark_places(text: str) -> list[int]:
    if "+" not in text and "±" not in text and "\\pm" not in text and "_{-" not in text:
        return []
    places: list[int] = []
    for mark in _MARKS:
        at = text.find(mark)
        while at >= 0:
            places.append(at)
            at = text.find(mark, at + 1)
    return sorted(places)


def _equations(text: str) -> Iterator[tuple[str, Kind]]:
    for match in _EQUATION.finditer(text):
        body = match[1] or match[2] or match[4] or match[5] or ""
        if any(sign in body for sign in ("=", "\\propto", "\\approx", "\\sim", "<", ">", "\\le", "\\ge")):
            yield match[0] if len(match[0]) <= 240 else " ".join(body.split())[:240], "equation"


def constraints(text: str) -> tuple[str, ...]:
    """Return the sentences of a user's message that bind what comes after: must, never, only, 必须, 不要 …"""
    sentences = (match[0].strip() for match in _SENTENCE.finditer(text))
    return tuple(s for s in sentences if s and _CONSTRAINT.search(s))

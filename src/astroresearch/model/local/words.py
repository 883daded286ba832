"""One normal form for the words of questions, prose and LaTeX, so that they can be compared."""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
    "chi psi omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _NAMES.split(), strict=True)) | {"µ": "mu", "ϕ": "phi", "ϵ": "epsilon"}
_GREEK_LETTER = re.compile("[" + "".join(_GREEK) + "]")
_STYLE = re.compile(
    r"\\(?:mathrm|mathit|mathbf|mathcal|mathsf|mathtt|boldsymbol|text|textit|textbf|textrm|texttt|emph|rm|it|bf|sc|tt"
    r"|operatorname|left|right|hbox|mbox|ensuremath|displaystyle)(?![A-Za-z])\*?"
)
_SUN = re.compile(r"_?\s*\{?\s*(?:\\odot|\\sun|[☉⊙])\s*\}?")
_EARTH = re.compile(r"_?\s*\{?\s*(?:\\oplus|\\earth|⊕)\s*\}?")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_SUBSCRIPT = re.compile(r"(?<=[a-z0-9])\s*_\s*\{?\s*([a-z0-9]{1,8})[^\s}]*\s*\}?")
_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")
_NUMBERED = re.compile(r"(?<![a-z0-9])([a-z]+)[ ~\-]?(\d+[a-z]?)(?![a-z0-9])(?: ([a-z])(?![a-z0-9]))?")
PLANET = re.compile("[b-h]")
_PLANET_OF = re.compile(r"(?<![a-z0-9])([a-z]{3,}|[a-z]*\d+) ([b-h])(?![a-z0-9])")
LINKS = frozenset(("of", "the", "a", "an", "and", "in", "for", "to"))
_ACRONYM = re.compile(r"\b([A-Z]{2,5})s?\b")
_IRREGULAR = {
    "stellar": "star", "radii": "radius", "spectra": "spectrum", "spectral": "spectrum", "nuclei": "nucleus",
    "supernovae": "supernova", "kilonovae": "kilonova", "novae": "nova", "halves": "half", "coronae": "corona",
    "coronal": "corona", "loci": "locus", "axes": "axis", "masses": "mass", "massive": "mass", "far": "distance",
    "distant": "distance", "heavy": "mass", "hot": "temperature", "old": "age", "aged": "age", "ages": "age",
    "agn": "agn", "written": "write", "wrote": "write", "found": "find", "galactic": "galaxy", "bright": "brightness",
    "gas": "gas", "series": "series", "species": "species", "lens": "lens", "lenses": "lens", "discs": "disk",
    "disc": "disk", "colour": "color", "velocity": "veloc", "speed": "veloc", "speeds": "veloc", "fast": "veloc",
    "rotation": "rotat", "analyses": "analysis", "metallicity": "metallicity", "metal": "metal",
    "planetary": "planet",
}  # fmt: skip
_ENDINGS = (
    ("izations", ""), ("ization", ""), ("ations", ""), ("ation", ""), ("ating", ""), ("ated", ""), ("ates", ""),
    ("ate", ""), ("ities", ""), ("ity", ""), ("ements", ""), ("ement", ""), ("ments", ""), ("ment", ""), ("ness", ""),
    ("ically", ""), ("ional", ""), ("ions", ""), ("ion", ""), ("ances", ""), ("ance", ""), ("ences", ""), ("ence", ""),
    ("ings", ""), ("ing", ""), ("ies", ""), ("ied", ""), ("edly", ""), ("ed", ""), ("sses", "ss"), ("es", ""),
    ("ives", ""), ("ive", ""), ("ical", ""), ("ics", ""), ("ic", ""), ("als", ""), ("al", ""), ("ers", ""), ("er", ""),
    ("ly", ""), ("us", "us"), ("is", "is"), ("s", ""), ("e", ""), ("y", ""),
)  # fmt: skip


def normal(text: str) -> str:
    """Return *text* in lower case, without accents and LaTeX's styling: ``$H_{\\rm 0}$`` becomes ``h0``."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
        text = _GREEK_LETTER.sub(lambda m: _GREEK[m[0]], text)
    if "\\" in text or not text.isascii():
        text = _EARTH.sub("earth ", _SUN.sub("sun ", _STYLE.sub("", text)))
        text = _COMMAND.sub(r"\1 ", text)
    return _SUBSCRIPT.sub(r"\1", text.lower().replace("$", " "))


def words(text: str) -> list[str]:
    """Return the words of *text* in order; a Chinese run is one word."""
    return _WORD.findall(normal(text))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a light stem: measured, measures, measurement -> measur."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word.endswith("ss") or not word.isascii() or not word.isalpha():
        return word
    for ending, replacement in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: len(word) - len(ending)] + replacement
    return word


@lru_cache(maxsize=4_000)
def stems(text: str) -> frozenset[str]:
    """Return the stems of all words of *text*, with names written together and apart: NGC 4151, NGC4151.

    An acronym stands there a second time, as ``^ar``, to be told from a word of the same letters; two words that follow
    each other stand there together, to tell the Hubble constant from a constant and a Hubble time.
    """
    plain = normal(text)
    found = _WORD.findall(plain)
    joined = {"^" + acronym.lower() for acronym in _ACRONYM.findall(text)}
    for letters, digits, letter in _NUMBERED.findall(plain):
        joined |= {letters, digits, letters + digits, letters + digits + letter}
    joined.update(stem(star) + planet for star, planet in _PLANET_OF.findall(plain))
    for word in found:
        joined.add(stem(word))
        if word[:-1].isdigit() and word[-1].isalpha():
            joined.add(word[:-1])  # the planet 51 Peg b circles 51 Peg
        if not word.isascii():
            joined.update(pairs(word))
    kept = [stem(word) for word in found if len(word) > 1 and word not in LINKS]
    joined.update(f"{first} {second}" for first, second in pairwise(kept))
    return frozenset(joined)


def pairs(run: str) -> tuple[str, ...]:
    """Return overlapping pairs of characters of a Chinese run: there are no blanks to find words by."""
    return tuple(run[i : i + 2] for i in range(len(run) - 1)) or (run,)

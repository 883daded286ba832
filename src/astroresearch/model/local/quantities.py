"""What a question about a quantity expects: words that name it, and the units in which its value stands."""

import re
from collections.abc import Iterable, Mapping

from .words import normal, stem

UNITS: Mapping[str, str] = {
    "length": r"[kMG]?pc|[kMG]?parsecs?|ly|light[- ]years?|au|AU|[kMGcmnµμ]?m|(?:kilo)?met(?:er|re)s?|\\mu\s*m"
    r"|Å|angstroms?|R\s*_\w*|solar radii|Earth radii|Jupiter radii|miles",
    "mass": r"M\s*_\w*|Msun|M☉|M⊙|kg|g\b|solar mass(?:es)?|Earth mass(?:es)?|Jupiter mass(?:es)?|eV|GeV|TeV|MeV|keV",
    "time": r"[kmM]?s\b|sec(?:onds?)?|min(?:utes?)?|h\b|hr?s?\b|hours?|d\b|days?|yrs?|years?|[kMG]yrs?|[KMG]a\b"
    r"|billion|million|months?|weeks?",
    "speed": r"km|m\s*/?\s*s|c\b",
    "temperature": r"[Mk]?K\b|kelvin|MK|keV|°",
    "magnitude": r"mag(?:nitudes?)?|dex",
    "angle": r"deg(?:rees?)?|°|\\circ|\\deg(?:ree)?|(?:micro|milli)?arcsec(?:onds?)?|arcmin(?:utes?)?|[µμm]as"
    r"|\"|''|radians?|\\arcsec|sr",
    "frequency": r"[kMGm]?Hz",
    "energy": r"ergs?|[kMGT]?eV|J\b|M_?\{?\\?(?:odot|sun)\}?\s*c",
    "luminosity": r"ergs?|L\s*_\w*|W\b|solar luminosit(?:y|ies)",
    "percent": r"%|\\%|per ?cent",
}
ANY = "any"
COUNT = "count"  # a number of things, which may be a word: seven

# a quantity's words -> the kinds of unit its value may have
QUANTITIES: Mapping[str, tuple[str, ...]] = {
    "mass": ("mass",), "distance": ("length", "time"), "parallax": ("angle",), "radius": ("length",),
    "diameter": ("length", "angle"), "size": ("length", "angle"), "length": ("length", "time"),
    "axis": ("length",), "width": ("length", ANY),
    "thickness": ("length",),
    "height": ("length",), "semimajor": ("length",), "perihelion": ("length",), "separation": ("length", "angle"),
    "wavelength": ("length",), "period": ("time",), "age": ("time",), "lifetime": ("time",), "duration": ("time",),
    "timescale": ("time",), "time": ("time",), "exposure": ("time",), "cadence": ("time",), "delay": ("time",),
    "half-life": ("time",), "velocity": ("speed",), "speed": ("speed",), "dispersion": ("speed", ANY),
    "temperature": ("temperature",), "magnitude": ("magnitude", ANY), "brightness": ("magnitude", ANY),
    "color": ("magnitude", ANY), "metallicity": ("magnitude", ANY), "inclination": ("angle",), "angle": ("angle",),
    "latitude": ("angle",), "longitude": ("angle",), "resolution": ("angle", "length", ANY),
    "frequency": ("frequency",), "energy": ("energy",), "luminosity": ("luminosity",), "flux": (ANY,),
    "power": (ANY,), "constant": (ANY,), "parameter": (ANY,), "density": (ANY,), "redshift": (ANY,),
    "eccentricity": (ANY,), "ratio": (ANY,), "fraction": ("percent", ANY), "percentage": ("percent",), "rate": (ANY,),
    "number": (COUNT,), "spin": (ANY,), "index": (ANY,), "abundance": (ANY,), "depth": (ANY,), "gravity": (ANY,),
    "field": (ANY,), "pressure": (ANY,), "amplitude": (ANY,), "slope": (ANY,), "exponent": (ANY,),
    "significance": (ANY,), "uncertainty": (ANY,), "probability": (ANY,), "factor": (ANY,), "strain": (ANY,),
    "s8": (ANY,), "sigma8": (ANY,),
    "curvature": (ANY,), "modulus": (ANY,), "equation of state": (ANY,), "limit": (ANY,), "albedo": (ANY,),
    "excess": (ANY,), "motion": (ANY,), "snr": (ANY,), "confidence": (ANY,), "count": (COUNT,),
    "bound": (ANY,),
    "area": ("angle", "length"), "volume": (ANY,), "threshold": (ANY,), "sensitivity": (ANY,), "tension": (ANY,),
    "scale": (ANY,),
}  # fmt: skip

# how a question may ask -> the quantities that it means
ASKED: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bhow (?:far|distant|close|near)\b(?: away\b)?|多远|多近", ("distance",)),
    (r"\bhow (?:massive|heavy)\b|多重", ("mass",)),
    (r"\bhow old\b|多老|年纪", ("age",)),
    (r"\bhow hot\b|\bhow cold\b|多热", ("temperature",)),
    (r"\bhow (?:fast|quickly)\b|多快", ("velocity",)),
    (r"\bhow (?:big|large|wide)\b", ("radius", "diameter", "size", "width")),
    (r"\bhow (?:bright)\b|多亮", ("magnitude", "luminosity", "brightness", "flux")),
    (r"\bhow (?:luminous)\b", ("luminosity",)),
    (r"\bhow (?:dense)\b", ("density",)),
    (r"\bhow long\b|多久", ("period", "duration", "lifetime", "time", "age", "length")),
)
# a value in their unit may be of many other things: they must be named
SPECIAL = frozenset(map(stem, ("thickness", "width", "height", "wavelength", "perihelion", "latitude", "longitude")))
_IN_A_UNIT = re.compile(rf"[\d.,]+[\s~$\\,]*(?:{'|'.join(UNITS.values())})(?![A-Za-z])")
_KNOWN = {stem(word): kinds for word, kinds in QUANTITIES.items()}
_NOT_A_VALUE = re.compile(
    r"\(?\b(?:1[5-9]|20)\d\d[a-z]?\)|,\s*(?:19|20)\d\d[a-z]?\b"
    r"|\b[Ff]ig(?:ure|s)?s?\.?~?\s*\d+|\b[Ss]ec(?:tion|t)?\.?~?\s*[\d.]+"
    r"|\b[Tt]ab(?:le)?\.?~?\s*\d+|\b[Ee]q(?:uation|s)?\.?~?\s*\(?\d+|\[[^\]]*\]|\bet al\.?\s*\(?\d{4}|arXiv:\S+|doi:\S+"
    r"|\b\d+[IPDCX]/"
    r"|\b[A-Z][A-Za-z]*[-~ ]?\d[\w.+\-]*(?![\d.]*\s*[=±])|_\{?\w*\d+\}?|(?<![\\A-Za-z])[a-z]{2,}\d+\w*",
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD_NUMBER = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion)\b"
)
_BETWEEN = (
    r"[\s~${}\\,;:()^_+\-\d.±/=−–]|pm|times|rm|mathrm|text|approx|sim|to|and|or|mbox|it|unit|square"
    r"|stat(?:istical)?|sys(?:t(?:ematic)?)?"
)
_AFTER = rf"(?:{_BETWEEN}){{0,80}}"  # what may stand between a number and its unit: errors, an exponent, LaTeX


def kinds_of(word: str) -> tuple[str, ...]:
    """Return the kinds of unit in which the quantity called *word* is given; empty if it names no quantity."""
    return _KNOWN.get(stem(word), ())


def kinds_of_phrase(phrase: str) -> tuple[str, ...]:
    """Return the kinds of unit of a quantity of several words: *age* of the universe, luminosity *distance*."""
    if phrase.lower() == "dark energy":  # the name of a thing, not how much of it there is
        return ()
    return QUANTITIES.get(phrase.lower()) or kinds_of(phrase.partition(" of ")[0].split()[-1])


def has_value(sentence: str, kinds: Iterable[str] = ()) -> bool:
    """Return whether *sentence* states a number, in a unit of one of *kinds* if any is asked for."""
    return bool(value_places(sentence, kinds))


def value_places(sentence: str, kinds: Iterable[str] = ()) -> list[int]:
    """Return where in *sentence* values stand: numbers that are no year, name, citation or reference to a figure."""
    blank = _NOT_A_VALUE.sub(lambda match: " " * len(match[0]), sentence)
    wanted = frozenset(kinds)
    if not wanted or wanted & {ANY, COUNT}:
        in_words = () if wanted and COUNT not in wanted else _WORD_NUMBER.finditer(blank)
        return [match.start() for match in (*_NUMBER.finditer(blank), *in_words)]
    units = "|".join(UNITS[kind] for kind in wanted)
    unit = re.compile(f"{_AFTER}(?:{units})(?![a-z])")
    return [match.start() for match in _NUMBER.finditer(blank) if unit.match(sentence, match.end())]


def count_places(sentence: str) -> list[int]:
    """Return where in *sentence* numbers stand that may count something: they are not in a unit."""
    return [place for place in value_places(sentence) if not _IN_A_UNIT.match(sentence, place)]


def year_places(sentence: str) -> list[int]:
    return [match.start() for match in re.finditer(r"\b(?:1[5-9]|20)\d\d\b", sentence)]


def asked_quantities(question: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (the words that ask, the quantities meant) for every "how far" and "多远" in *question*."""
    text = normal(question)
    return tuple((match[0], meant) for pattern, meant in ASKED if (match := re.search(pattern, text)))

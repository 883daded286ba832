"""What a question asks about: its informative words, each with the forms in which a paper may say it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from ...locales.glossary import TERMS, find_terms
from .quantities import kinds_of, kinds_of_phrase
from .vocabulary import ALIASES, CHINESE_GLUE, CLASSES, CONTRASTS, GENERIC, GLUE, UNIT_WORDS
from .words import LINKS, PLANET, pairs, stem, words

Form = tuple[str, ...]

_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_PAUSE = re.compile(r"[,;:]\s|[()，、；：（）]")
_TOKEN = re.compile(r"[A-Za-z0-9\u0370-\u03ff$\\][^\s,;?!，。？、；：（）()\"“”\u3400-\u9fff]*")
SCATTERED = 0.55  # what the words of a phrase count that stand in other places
UNTRANSLATED = 0.7  # weight of Chinese that the glossary does not know: it may be a word that asks
LONG_NAME = 4  # characters of such Chinese that can't but name something
_SPAN = 4  # words of the longest English phrase of the glossary


@dataclass(frozen=True, slots=True)
class Term:
    """One thing asked for; any of *forms* (stems) will do. *text*: as the question says it. *kinds*: of unit, if it
    names a quantity. *name*: of one object, mission or survey, for which nothing else will do."""

    text: str
    forms: tuple[Form, ...]
    weight: float = 1.0
    name: bool = False
    kinds: tuple[str, ...] = ()

    def covered(self, found: frozenset[str]) -> float:
        """Return 0..1: how much of the best form is among the stems *found*."""
        return max(_part_found(form, found) for form in self.forms)


def _part_found(form: Form, found: frozenset[str]) -> float:
    if any(part in CONTRASTS and part not in found for part in form):
        return 0.0
    share = sum(part in found for part in form) / len(form)
    if share == 0 or len(form) == 1 or not form[0].isascii():
        return share
    together = any(f"{first} {second}" in found for first, second in pairwise(form))
    return share if together else SCATTERED * share


def terms(text: str) -> tuple[Term, ...]:
    """Return the informative terms of *text* in order, without repeats."""
    found: dict[tuple[Form, ...], Term] = {}
    for term in _beside_names(_with_acronyms(list(_all_terms(text))), text):
        found.setdefault(term.forms, term)
    if any(term.name for term in found.values()):
        return tuple(found.values())
    return tuple(_named_if_long(term) for term in found.values())


def _named_if_long(term: Term) -> Term:
    """Long Chinese that the glossary doesn't know is what a question without any other name is about."""
    return replace(term, weight=2.0, name=True) if term.weight == UNTRANSLATED and len(term.text) >= LONG_NAME else term


def _beside_names(found: list[Term], text: str) -> Iterator[Term]:
    """In "the pulsar PSR J0740+6620" the name says it all: a paper may call it a neutron star."""
    names = [term.text for term in found if term.name]
    for term in found:
        is_class = not term.name and not term.kinds and any(form[-1] in CLASSES for form in term.forms)
        gap = "" if _CHINESE.search(term.text) else " "
        beside = any(pair in text for name in names for pair in (term.text + gap + name, name + gap + term.text))
        yield replace(term, weight=0.3) if is_class and beside and not term.text.endswith("s") else term


def _with_acronyms(found: list[Term]) -> list[Term]:
    """Papers shorten what they say often: an acronym of words that follow each other covers each of them."""
    initials = [
        "".join(w[0] for w in words(term.text)) if term.text.isascii() and term.text.islower() else "" for term in found
    ]
    shorts: list[set[str]] = [set() for _ in found]
    for begin in range(len(found)):
        for end in range(begin + 1, min(begin + 4, len(found) + 1)):
            short = "".join(initials[begin:end])
            if 2 <= len(short) <= 5 and all(initials[begin:end]):
                for at in range(begin, end):
                    shorts[at].add("^" + short)
    return [
        replace(term, forms=(*term.forms, *((short,) for short in sorted(more)))) if more else term
        for term, more in zip(found, shorts, strict=True)
    ]


def _all_terms(text: str) -> Iterator[Term]:
    if not _CHINESE.search(text):
        yield from _english(text)
        return
    last = 0
    for begin, end, phrases in find_terms(text):
        yield from _mixed(text[last:begin])
        yield _translated(text[begin:end], phrases)
        last = end
    yield from _mixed(text[last:])


def _mixed(text: str) -> Iterator[Term]:
    """Latin words and Chinese that the glossary does not know; such Chinese is found in Chinese papers only."""
    last = 0
    for run in _CHINESE.finditer(text):
        yield from _english(text[last : run.start()], begins=False)
        for piece in CHINESE_GLUE.sub(" ", run[0]).split():
            if len(piece) > 1:
                yield Term(piece, (pairs(piece),), UNTRANSLATED)
        last = run.end()
    yield from _english(text[last:], begins=False)


def _translated(chinese: str, phrases: tuple[str, ...]) -> Term:
    kinds = next((kinds for phrase in phrases if (kinds := kinds_of_phrase(phrase))), ())
    name = _is_written_as_name(phrases[0]) and phrases[0] not in _COMMON_NAMES
    forms = tuple(dict.fromkeys(form for phrase in phrases for form in _with_aliases(phrase)))
    if name:  # the Milky Way is also called the Galaxy, but not every galaxy is it
        forms = tuple(form for form in forms if len(form) > 1 or form[0] not in CLASSES) or forms
    runs = tuple(part for run in words(chinese) for part in (pairs(run) if _CHINESE.match(run) else (run,)))
    return Term(chinese, (runs, *forms), _weight(forms[0], name, kinds), name, kinds)


_COMMON_NAMES = frozenset(
    {"Sun", "Moon", "Earth", "Cepheid", "Bayesian", "Einstein", "RR Lyrae", "Galactic", "Hubble", "Python"}
)
_COMMON_STEMS = frozenset(map(stem, ("cepheid", "bayesian", "galactic")))


def _english(text: str, begins: bool = True) -> Iterator[Term]:
    for number, part in enumerate(_PAUSE.split(text)):  # in "SH0ES, Planck" stand two names
        yield from _english_part(part, begins and number == 0)


def _english_part(text: str, begins: bool) -> Iterator[Term]:
    tokens = [token.rstrip(".:'’") for token in _TOKEN.findall(text.replace("'s ", " ").replace("’s ", " "))]
    at = 0
    while at < len(tokens):
        known, named = _known_span(tokens, at), _name_length(tokens, at, begins)
        size = max(known, named)
        if known and (known == size or not _goes_further(tokens[at : at + known])):
            size = known
            yield _phrase(" ".join(tokens[at : at + size]))
        elif named:
            yield _name(" ".join(tokens[at : at + size]))
        else:
            size = 1
            yield from _plain(tokens[at])
        at += size


def _goes_further(known: list[str]) -> bool:
    """Return whether a longer name may begin with a known phrase: HST Key Project, not H0 Planck."""
    return _phrase(" ".join(known)).name or (len(known) > 1 and all(token[0].isupper() for token in known))


def _known_span(tokens: list[str], at: int) -> int:
    known = _phrases()
    for size in range(min(_SPAN, len(tokens) - at), 0, -1):
        ends = {tokens[at].lower(), tokens[at + size - 1].lower()}
        if not ends & LINKS and _form(" ".join(tokens[at : at + size])) in known:
            return size
    return 0


def _phrase(text: str) -> Term:
    forms = _with_aliases(text)
    short = text.isalnum() and any(c.isupper() for c in text)  # H0 is the Hubble constant
    kinds = kinds_of_phrase(text) or next((kinds_of(form[-1]) for form in forms[1:] if short and len(form) > 1), ())
    proper = not _is_concept(forms) or any(form in _proper_names() for form in forms)
    name = _is_written_as_name(text) and proper and not kinds
    return Term(text, forms, _weight(forms[0], name, kinds), name, kinds)


def _is_written_as_name(text: str) -> bool:
    """Return whether each word has a capital or is a number: Crab Nebula, 51 Pegasi."""
    return all(part[0].isupper() or part[0].isdigit() for part in text.split()) and any(c.isupper() for c in text)


def _is_concept(forms: tuple[Form, ...]) -> bool:
    """H0 and CMB are written as names are, but the glossary has them as short forms of common words."""
    return any(len(form) > 1 and "".join(part[0] for part in form) == forms[0][0] for form in forms) or any(
        kinds_of(form[-1]) for form in forms
    )


def _name_length(tokens: list[str], at: int, begins: bool) -> int:
    """Return how many tokens from *at* make one name: capitals, or letters with digits; 0 if none begins there."""
    size = 0
    while at + size < len(tokens) and _is_name(tokens[at + size], first=begins and at + size == 0, goes_on=size > 0):
        size += 1
    return size


def _is_name(token: str, first: bool, goes_on: bool) -> bool:
    plain = token.lower()
    if plain in GLUE or stem(plain) in GENERIC or stem(plain) in _COMMON_STEMS or kinds_of(plain):
        return False
    if goes_on and PLANET.fullmatch(token):
        return True
    digits, letters = any(c.isdigit() for c in token), any(c.isalpha() for c in token)
    if digits:
        return letters or goes_on
    if token.startswith(("$", "\\")):
        return False
    return (token[:1].isupper() and not first) or any(c.isupper() for c in token[1:])


def _name(text: str) -> Term:
    forms = _with_aliases(text)
    return Term(text, forms, 2.0, name=True)


def _plain(token: str) -> Iterator[Term]:
    parts = [part for part in words(token) if part not in GLUE and (len(part) > 1 or part.isdigit())]
    parts = [part for part in parts if stem(part) not in UNIT_WORDS]
    for part in parts:
        kinds = kinds_of(part)
        yield Term(part, ((stem(part),),), _weight((stem(part),), False, kinds), kinds=kinds)


def _weight(form: Form, name: bool, kinds: tuple[str, ...]) -> float:
    if name:
        return 2.0
    if kinds or len(form) > 1:
        return 1.5
    return 0.3 if form[0] in GENERIC else 1.0


def _form(text: str) -> Form:
    """Return the stems of a phrase; a name and its number are one: NGC 4151 -> ngc4151."""
    joined: list[str] = []
    for word in words(text):
        numbered = joined and word[0].isdigit() and joined[-1].isalpha() and joined[-1].isascii()
        if numbered or (joined and PLANET.fullmatch(word)):
            joined[-1] += word
        elif (len(word) > 1 or word.isdigit()) and word not in LINKS:
            joined.append(word)
    return tuple(stem(word) for word in joined) or tuple(stem(word) for word in words(text)) or (text.lower(),)


def _with_aliases(text: str) -> tuple[Form, ...]:
    form = _form(text)
    return tuple(dict.fromkeys((form, *_synonyms().get(form, ()))))


@cache
def _phrases() -> frozenset[Form]:
    """What is looked for as a whole: all that has another name, and the glossary's terms of several words."""
    several = {_form(phrase) for phrases in TERMS.values() for phrase in phrases if " " in phrase}
    return frozenset(_synonyms()) | several


@cache
def _proper_names() -> frozenset[Form]:
    """The glossary's names of several words: HST is short for one of them, CMB for a common phrase."""
    several = {p for phrases in (*TERMS.values(), *ALIASES) for p in phrases if " " in p and p.isascii()}
    return frozenset(_form(p) for p in several if all(part[0].isupper() for part in p.split() if part not in LINKS))


@cache
def _synonyms() -> dict[Form, tuple[Form, ...]]:
    """Other forms of English phrases: what the glossary gives for one Chinese term means the same."""
    found: dict[Form, tuple[Form, ...]] = {}
    groups = [phrases for phrases in TERMS.values() if len(phrases) > 1 and any(map(_is_exact, phrases))]
    for phrases in (*ALIASES, *groups):
        forms = tuple(dict.fromkeys(_form(phrase) for phrase in phrases))
        for form in forms:
            found[form] = tuple(dict.fromkeys((*found.get(form, ()), *(other for other in forms if other != form))))
    return found


def _is_exact(phrase: str) -> bool:
    """Several words or a short form mean one thing; the single words that translate one Chinese word may not."""
    return " " in phrase or sum(c.isupper() for c in phrase) > 1

"""What a question asks about: its informative words, each with the forms in which a paper may say it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from ...locales.glossary import TERMS, find_terms
from .quantities import kinds_of
from .words import pairs, stem, words

Form = tuple[str, ...]

_GLUE = frozenset(
    [
        "a",
        "about",
        "above",
        "after",
        "all",
        "also",
        "am",
        "amount",
        "an",
        "and",
        "another",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "between",
        "both",
        "but",
        "by",
        "can",
        "compare",
        "compared",
        "comparing",
        "comparison",
        "could",
        "did",
        "difference",
        "differ",
        "different",
        "do",
        "does",
        "doing",
        "done",
        "each",
        "either",
        "else",
        "ever",
        "every",
        "explain",
        "for",
        "from",
        "get",
        "give",
        "given",
        "gives",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "itself",
        "just",
        "kind",
        "know",
        "let",
        "like",
        "look",
        "make",
        "many",
        "may",
        "me",
        "mean",
        "means",
        "might",
        "more",
        "most",
        "much",
        "must",
        "my",
        "near",
        "need",
        "no",
        "nor",
        "not",
        "of",
        "off",
        "on",
        "one",
        "only",
        "or",
        "other",
        "our",
        "out",
        "over",
        "per",
        "please",
        "quote",
        "quoted",
        "rather",
        "report",
        "reported",
        "reports",
        "said",
        "same",
        "say",
        "says",
        "see",
        "shall",
        "she",
        "should",
        "show",
        "shown",
        "since",
        "so",
        "some",
        "such",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "three",
        "through",
        "to",
        "too",
        "two",
        "towards",
        "under",
        "until",
        "up",
        "upon",
        "us",
        "versus",
        "via",
        "vs",
        "want",
        "was",
        "we",
        "were",
        "what",
        "whats",
        "when",
        "where",
        "whether",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "would",
        "you",
        "your",
        "describe",
        "summarize",
        "summarise",
        "summary",
        "according",
        "papers",
        "paper",
        "library",
        "literature",
        "question",
        "answer",
        "short",
        "briefly",
        "sentence",
        "now",
        "hi",
        "hello",
        "thanks",
        "really",
        "exactly",
        "roughly",
        "approximately",
        "around",
        "currently",
        "typical",
        "typically",
        "actually",
        "often",
        "usually",
        "value",
        "values",
        "number",
        "numerical",
        "much",
        "uncertainty",
        "respectively",
    ]
)
_GENERIC = frozenset(
    stem(word)
    for word in [
        "measured",
        "discovered",
        "detected",
        "determined",
        "observed",
        "observation",
        "derived",
        "inferred",
        "estimated",
        "obtained",
        "used",
        "using",
        "found",
        "find",
        "calculated",
        "computed",
        "published",
        "current",
        "known",
        "main",
        "called",
        "named",
        "name",
        "object",
        "authors",
        "author",
        "work",
        "study",
        "result",
        "result",
        "best",
        "first",
        "new",
        "data",
        "analysis",
        "method",
        "source",
        "team",
        "scientists",
        "astronomers",
        "people",
        "year",
        "happen",
        "occur",
        "based",
        "expected",
        "predicted",
        "published",
        "total",
        "average",
        "mean",
        "approximate",
        "overall",
        "give",
        "take",
        "place",
    ]
)
_CHINESE_GLUE = re.compile(
    "请问|请|什么是|是什么|什么|为什么|为何|多少|多大|多远|多长|多久|多高|多重|多快|多亮|如何|怎么样|怎么|怎样|哪一年|哪一个|哪年|哪个|哪些|哪颗|哪里|哪种|几个|几颗|"
    "何时|时候|谁|告诉我|告诉|给出|解释|介绍|描述|根据|关于|之间|是否|有没有|以及|或者|论文|文章|文献|作者|数值|大约|大概|这个|那个|这些|那些|这颗|那颗|"
    "我们|他们|它们|它|比较|对比|相比|区别|不同|差别|分别|使用|采用|利用|通过|基于|研究|工作|结果|用于|用来|可以|能够|能|主要|目前|已知|所|得到|得出|给|"
    "名字|名称|叫|等于|具有|存在|进行|认为|表明|文中|该|其|如果|那么|因为|所以|第一|首次|最|很|比|等|个|颗|篇|种|次|年|月|日|"
    "[的了吗呢吧是在和与对从到及把被为中有我你得着过也都就还上下里值会由以于而将其之各每或多大小高低何几一二三四五六七八九十两]"
)
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_TOKEN = re.compile(r"[A-Za-z0-9\u0370-\u03ff$\\][^\s,;?!，。？、；：（）()\"“”\u3400-\u9fff]*")
_SPAN = 4  # words of the longest English phrase of the glossary
# other names of one thing that no glossary entry brings together
_ALIASES: tuple[tuple[str, ...], ...] = (
    ("Sagittarius A", "Sgr A", "SgrA", "Galactic center", "Galactic centre"),
    ("Milky Way", "Galaxy", "Galactic"),
    ("M87", "Messier 87", "Virgo A"),
    ("M31", "Andromeda"),
    ("Proxima Centauri", "Proxima"),
    ("redshift", "z"),
    ("merger", "merge", "coalescence"),
    ("tau", "optical depth"),
    ("omega m", "matter density", "Omega_m"),
    ("sigma8", "sigma_8", "S8"),
    ("spectroscopy", "spectroscopic", "spectrum"),
    ("dark matter", "DM"),
    ("black hole", "BH", "black holes"),
    ("neutron star", "NS", "neutron stars"),
    ("BBH", "binary black hole", "binary black holes"),
    ("SNR", "signal-to-noise", "signal to noise"),
    ("Python", "programming language"),
    ("licence", "license"),
    ("Moon", "lunar"),
)


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
        return max(sum(part in found for part in form) / len(form) for form in self.forms)


def terms(text: str) -> tuple[Term, ...]:
    """Return the informative terms of *text* in order, without repeats."""
    found: dict[tuple[Form, ...], Term] = {}
    for term in _with_acronyms(list(_all_terms(text))):
        found.setdefault(term.forms, term)
    return tuple(found.values())


def _with_acronyms(found: list[Term]) -> list[Term]:
    """Papers shorten what they say often: an acronym of words that follow each other covers each of them."""
    initials = ["".join(word[0] for word in words(term.text) if word.isascii() and word.isalpha()) for term in found]
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
        for piece in _CHINESE_GLUE.sub(" ", run[0]).split():
            if len(piece) > 1:
                yield Term(piece, (pairs(piece),))
        last = run.end()
    yield from _english(text[last:], begins=False)


def _translated(chinese: str, phrases: tuple[str, ...]) -> Term:
    forms = tuple(dict.fromkeys(form for phrase in phrases for form in _with_aliases(phrase)))
    kinds = next((kinds for phrase in phrases if (kinds := kinds_of(phrase.split()[-1]))), ())
    name = all(word[0].isupper() for word in phrases[0].split()) and phrases[0] not in _COMMON_NAMES
    return Term(chinese, (pairs(chinese), *forms), _weight(forms[0], name, kinds), name, kinds)


_COMMON_NAMES = frozenset(
    {"Sun", "Moon", "Earth", "Cepheid", "Bayesian", "Einstein", "RR Lyrae", "Galactic", "Hubble", "Python"}
)


def _english(text: str, begins: bool = True) -> Iterator[Term]:
    tokens = [token.rstrip(".:'’") for token in _TOKEN.findall(text.replace("'s ", " ").replace("’s ", " "))]
    at = 0
    while at < len(tokens):
        if size := _known_span(tokens, at):
            yield _phrase(" ".join(tokens[at : at + size]))
        elif size := _name_length(tokens, at, begins):
            yield _name(" ".join(tokens[at : at + size]))
        else:
            size = 1
            yield from _plain(tokens[at])
        at += size


def _known_span(tokens: list[str], at: int) -> int:
    known = _synonyms()
    for size in range(min(_SPAN, len(tokens) - at), 0, -1):
        if _form(" ".join(tokens[at : at + size])) in known:
            return size
    return 0


def _phrase(text: str) -> Term:
    kinds = kinds_of(words(text)[-1])
    forms = tuple(dict.fromkeys((_form(text), *_synonyms()[_form(text)])))
    name = text[0].isupper() and all(part[0].isupper() for part in text.split()) and not text.isupper()
    return Term(text, forms, _weight(forms[0], name, kinds), name, kinds)


def _name_length(tokens: list[str], at: int, begins: bool) -> int:
    """Return how many tokens from *at* make one name: capitals, or letters with digits; 0 if none begins there."""
    size = 0
    while at + size < len(tokens) and _is_name(tokens[at + size], first=begins and at + size == 0, goes_on=size > 0):
        size += 1
    return size


def _is_name(token: str, first: bool, goes_on: bool) -> bool:
    plain = token.lower()
    if plain in _GLUE or stem(plain) in _GENERIC or kinds_of(plain):
        return False
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
    parts = [part for part in words(token) if part not in _GLUE and (len(part) > 1 or part.isdigit())]
    for part in parts:
        kinds = kinds_of(part)
        yield Term(part, ((stem(part),),), _weight((stem(part),), False, kinds), kinds=kinds)


def _weight(form: Form, name: bool, kinds: tuple[str, ...]) -> float:
    if name:
        return 2.0
    if kinds or len(form) > 1:
        return 1.5
    return 0.3 if form[0] in _GENERIC else 1.0


def _form(text: str) -> Form:
    """Return the stems of a phrase; a name and its number are one: NGC 4151 -> ngc4151."""
    joined: list[str] = []
    for word in words(text):
        if joined and word[0].isdigit() and joined[-1].isalpha() and joined[-1].isascii():
            joined[-1] += word
        elif len(word) > 1 or word.isdigit():
            joined.append(word)
    return tuple(stem(word) for word in joined) or tuple(stem(word) for word in words(text)) or (text.lower(),)


def _with_aliases(text: str) -> tuple[Form, ...]:
    form = _form(text)
    return tuple(dict.fromkeys((form, *_synonyms().get(form, ()))))


@cache
def _synonyms() -> dict[Form, tuple[Form, ...]]:
    """Other forms of English phrases: what the glossary gives for one Chinese term means the same."""
    found: dict[Form, tuple[Form, ...]] = {}
    groups = [phrases for phrases in TERMS.values() if len(phrases) > 1 or " " in phrases[0]]
    for phrases in (*_ALIASES, *groups):
        forms = tuple(dict.fromkeys(_form(phrase) for phrase in phrases))
        for form in forms:
            found[form] = tuple(dict.fromkeys((*found.get(form, ()), *(other for other in forms if other != form))))
    return found

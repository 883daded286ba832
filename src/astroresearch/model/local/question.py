"""What a question wants: which terms must be covered, what kind of answer, how many papers, and from which topic."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...locales import Locale, language_of
from .quantities import asked_quantities
from .terms import Term, terms

Wants = Literal["value", "year", "equation", "text"]

_COMPARES = re.compile(
    r"\b(compar\w+|versus|vs\.?|differ\w*|agree\w*|disagree\w*|contrast\w*|between .+ and)\b"
    r"|比较|对比|相比|区别|差异|不同|一致",
    re.IGNORECASE,
)
_FROM_AND_FROM = re.compile(
    r"\b(?P<word>from|of|in|for|with|by) (?P<one>[^?]{3,80}?)[,?]? (?:and|versus|vs\.?|or) (?P=word) "
    r"(?P<other>[^?]{3,80})"
    r"|(?P<zh>[从由用以])(?P<one_zh>[^？?，,]{2,30}?)(?:(?:得|测|的)[^？?]{0,40}[？?，,]|[，,]?(?:和|与|以及))\s*(?P=zh)"
    r"(?P<other_zh>[^？?，,]{2,30}?)(?:得|测|的|各)",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(three|several|multiple|different|various|all) (?:\w+ )?(?:papers|works|studies|articles)\b|\bpapers\b"
    r"|三篇|几篇|多篇|哪些论文|各篇",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"\bwhen\b|\b(?:what|which|in what) (?:year|date|day)\b|哪年|哪一年|哪天|何时|什么时候|年份|日期", re.IGNORECASE
)
_EQUATION = re.compile(
    r"\bequations?\b|\bformulas?\b|\bformulae\b|\bexpressions?\b|公式|方程|表达式|关系式", re.IGNORECASE
)
_VALUE = re.compile(
    r"\bhow (?:many|much)\b|\bwhat (?:fraction|percentage|value|number)\b|\bnumber of\b"
    r"|多少|多大|多高|多长|多远|多久|多快|多重|多亮|几[个颗次篇种年]|数值|取值",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bhow many (?P<en>[^?,.;]+)|\bnumber of (?P<of>[^?,.;]+)|(?:多少|几)[个颗次篇种条](?P<zh>[^？?，,]+)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:what|which|how|give|tell|find|quote|value|measured?)\b|多|几|什么|哪|给出|是|呢|？|\?", re.IGNORECASE
)
_GOES_ON = re.compile(
    r"^\s*(?:and|what about|how about|also|but|ok(?:ay)?,? and)\b|\b(?:its|it|their|they|them|those|there)\b"
    r"|\bthis (?:one|object|star|planet|paper|source|system|event|comet|galaxy)\b"
    r"|\b(?:that|the same|the) (?:one|object|star|planet|paper|system|event|comet|galaxy|value|source)\b"
    r"|^\s*(?:那|还有|另外|以及|它|其|该|这|再)|它|其(?![他中实余])|该(?!如)|上述|这[个颗篇些]|那[个颗篇些]|呢[？?]?\s*$",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?(?: you)?(?: very much)?|thx|bye|ok(?:ay)?|test"
    r"|who are you|what are you|what can you do|help"
    r"|你好|您好|嗨|谢谢|多谢|再见|在吗|你是谁|你能做什么|帮助|早上好|晚上好)(?: there)?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the things that a comparison is between: a name, or what stands behind "from" or "of"."""

    text: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """*sides*: what a comparison is between. *counted*: what "how many" is asked of. *papers*: how many to read at
    most. *query*: for the search."""

    text: str
    locale: Locale
    terms: tuple[Term, ...]
    wants: Wants
    query: str
    sides: tuple[Side, ...] = ()
    papers: int = 2
    greeting: bool = False
    counted: tuple[Term, ...] = ()

    @property
    def names(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.name)

    @property
    def quantities(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.kinds)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(kind for term in self.quantities for kind in term.kinds))

    @property
    def parts(self) -> "list[Question]":
        """The questions for each side of a comparison; else the question alone."""
        return [self.about(side) for side in self.sides] or [self]

    def about(self, side: Side) -> "Question":
        """Return the question for one side of a comparison."""
        others = {term for other in self.sides if other is not side for term in other.terms}
        kept = tuple(term for term in self.terms if term not in others)
        query = " ".join(term.text for term in kept)
        return replace(self, terms=kept, sides=(), query=query, papers=1)


def understand(text: str, earlier: Sequence[str] = ()) -> Question:
    """Return what *text* asks; a follow-up takes its topic from the *earlier* questions of the session."""
    own = _own_terms(text)
    topic = _topic(earlier) if _follows_up(text, own) else ()
    known = {term.forms for term in own}
    asked = tuple(term for term in topic if term.forms not in known) + own
    wants = _wants(text, asked)
    if wants == "equation":
        asked = tuple(term for term in asked if not _EQUATION.fullmatch(term.text)) or asked
    sides = _sides(text, asked)
    return Question(
        text=text,
        locale=language_of(text),
        terms=asked,
        wants=wants,
        query=_query(text, topic),
        sides=sides[:3],
        papers=_papers(text, len(sides)),
        greeting=bool(_GREETING.match(text)),
        counted=_counted(text, asked),
    )


def _papers(text: str, sides: int) -> int:
    return 3 if _MANY.search(text) or (_COMPARES.search(text) and not sides) else max(2, min(sides, 3))


def _sides(text: str, asked: Sequence[Term]) -> tuple[Side, ...]:
    """What is compared: the names of a comparison, or "from A and from B"."""
    names = tuple(term for term in asked if term.name)
    if _COMPARES.search(text) and len(names) > 1:
        return tuple(Side(name.text, (name,)) for name in names)
    if not (match := _FROM_AND_FROM.search(text)):
        return ()
    parts = (match["one"] or match["one_zh"], match["other"] or match["other_zh"])
    sides = tuple(Side(part, _among(asked, terms(part))) for part in parts)
    return sides if all(side.terms for side in sides) and sides[0].terms != sides[1].terms else ()


def _counted(text: str, asked: Sequence[Term]) -> tuple[Term, ...]:
    """The things that "how many" counts: the first that follow it, up to one that is no name."""
    if not (match := _COUNTED.search(text)):
        return ()
    found: list[Term] = []
    for term in _among(asked, terms(match[match.lastgroup or 0])):
        found.append(term)
        if not term.name and term.weight >= 0.3:
            break
    return tuple(found[-1:])


def _among(asked: Sequence[Term], found: Sequence[Term]) -> tuple[Term, ...]:
    texts = {term.text.lower() for term in found}
    return tuple(term for term in asked if term.text.lower() in texts)


def _own_terms(text: str) -> tuple[Term, ...]:
    """The terms of *text*, with "how far" read as a question about a distance."""
    plain = text
    meant: list[Term] = []
    for words_asked, quantities in asked_quantities(text):
        plain = re.sub(re.escape(words_asked), " ", plain, flags=re.IGNORECASE)
        if len(quantities) > 1 and any(term.kinds for term in terms(plain)):
            continue  # "how large" asks for the area that it names
        found = [terms(quantity)[0] for quantity in quantities]
        kinds = tuple(dict.fromkeys(kind for term in found for kind in term.kinds))
        meant.append(Term(quantities[0], tuple(form for term in found for form in term.forms), 1.5, kinds=kinds))
    return (*terms(plain), *meant)


def _follows_up(text: str, own: Sequence[Term]) -> bool:
    return bool(_GOES_ON.search(text)) and not any(term.name for term in own)


def _topic(earlier: Sequence[str]) -> tuple[Term, ...]:
    """What the newest earlier question is about: its names, else all but the quantity it asked for."""
    if not earlier:
        return ()
    own = _own_terms(earlier[-1])
    if _follows_up(earlier[-1], own) and (before := _topic(earlier[:-1])):
        return before
    names = tuple(term for term in own if term.name)
    return names or tuple(term for term in own if not term.kinds and term.weight >= 1) or own


def _wants(text: str, asked: Sequence[Term]) -> Wants:
    if _EQUATION.search(text) and not re.search(r"equations? of state|状态方程", text, re.IGNORECASE):
        return "equation"
    if _YEAR.search(text):
        return "year"
    quantity = any(term.kinds for term in asked) and (_ASKS.search(text) or _COMPARES.search(text))
    why = re.search(
        r"\bwhy\b|\bhow (?:do|does|did|is|are|was|were|can)\b|为什么|为何|如何|怎么|怎样", text, re.IGNORECASE
    )
    if _VALUE.search(text) or asked_quantities(text) or (quantity and not why):
        return "value"
    return "text"


def _query(text: str, topic: Sequence[Term]) -> str:
    """The question in its own words without what asks for several papers, its topic, the quantity for "how far"."""
    plain = " ".join(_MANY.sub(" ", text).split())
    for words_asked, quantities in asked_quantities(text):
        plain = re.sub(re.escape(words_asked), f" {quantities[0]} ", plain, flags=re.IGNORECASE)
    return " ".join([*(term.text for term in topic), plain])[:1_000].strip()

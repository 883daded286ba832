"""Which sentences answer a question: how much of it they cover, and whether they hold what it asks for."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...locales import language_of
from .quantities import ANY, SPECIAL, count_places, has_value, kinds_of, value_places, year_places
from .question import Question, Side
from .results import Passage
from .terms import UNTRANSLATED, Term
from .vocabulary import GENERIC, GLUE
from .words import stem, stems, words

ENOUGH = 0.65  # of a question's weight, by a sentence and what stands around it
ENOUGH_TEXT = 0.8  # the same where no value in the right unit vouches for the sentence
DWELT = 2  # sentences of a section that name something make the section be about it
NAMED = 0.6  # of a name's words
IMPLIED = 0.6  # what a value in the right unit says of a quantity that is not named
COUNTED = 40  # characters between a number and what it counts
REST = 0.5  # of the weight of what is neither a name nor a quantity
REST_TEXT = 0.6  # the same where no value vouches for the sentence
BESIDE = 0.6  # what a word next to the sentence counts
CLOSE = 0.12  # scores that differ by less are as good as equal
LONG = 420  # characters; a longer sentence is quoted only if none else answers
ABSTRACT = ("abstract", "摘要")
COMMON_TITLES = ("Introduction", "Discussion", "Conclusion", "Conclusions", "Summary", "Results", "Methods", "Appendix")
_DEFINES = re.compile(r"\b(?:is|are) (?:an?|the|our|one)\b|\bknown as\b|\brefers? to\b|\bdefined as\b|\bcalled\b|是")
_CAUSE = re.compile(
    r"\b(?:because|since|due to|caused|causes|result(?:s|ed)? (?:in|from)|owing|leads? to|so that|explain\w*)\b"
    r"|因为|由于|导致"
)
_RELATION = re.compile(r"\$[^$]*(?:=|\\propto|\\sim|\\approx)[^$]*\$|\w\s*=\s*\w")
PRONOUN = re.compile(
    r"^(?:This|These|It|They|Its|Their|Such|Here|Thus|Hence|Therefore|However|The latter|The former)\b"
)
_WHO = re.compile(r"\bwho(?:se|m)?\b|谁|哪位", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:_\{?\w+\}?)?")
_CITED = re.compile(r"\([^()]*\d{2}[a-z]?[;,)][^()]*\)?|\[[^\]]*\]|\$[^$]*\$|\b(?:Figures?|Figs?|Tables?|Sections?)\b")
_OTHER_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b(?:[A-Z][a-z]{2,}|[A-Z]{2,}\w*|[A-Z]+[- ]?\d[\w+-]*)\b")
_SUBJECT = re.compile(r"([A-Z][a-z]+) (?:has|is|was)\b")
_BORROWED = re.compile(r"\bet al\b|\\cite|\(\w+ \d{4}\)")

Covered: TypeAlias = Mapping[Term, float]


@dataclass(frozen=True, slots=True)
class Scored:
    """*accepted*: the passage answers the question."""

    passage: Passage
    score: float
    accepted: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen around the sentences. *sections*: by section; *topics*: by paper, its title and abstract; *titles*:
    by paper, its title, topics and authors; *dwelt*: by section, what it says again and again."""

    sections: Mapping[tuple[str, str], frozenset[str]]
    topics: Mapping[str, frozenset[str]]
    titles: Mapping[str, frozenset[str]]
    dwelt: Mapping[tuple[str, str], frozenset[str]]


def rank(question: Question, passages: Iterable[Passage]) -> list[Scored]:
    """Return the passages, best first, each text once."""
    found = list(passages)
    seen = _seen(found)
    unique = {(p.key, p.text): p for p in reversed(found)}
    scored = [_score(question, passage, seen) for passage in reversed(unique.values())]
    return sorted(scored, key=lambda s: (-s.accepted, -s.score))


def _seen(passages: Iterable[Passage]) -> Seen:
    sections: dict[tuple[str, str], Counter[str]] = {}
    topics: dict[str, set[str]] = {}
    titles: dict[str, set[str]] = {}
    for passage in passages:
        found, heading = stems(passage.text), stems(passage.place)
        counts = sections.setdefault((passage.key, passage.place), Counter(dict.fromkeys(heading, DWELT)))
        counts.update(found)
        title = titles.setdefault(passage.key, set(stems(passage.key)))
        title.update(stems(passage.title), stems(passage.author), found if _is_topics(passage) else ())
        title.add(passage.key[:4])  # the year of a bibcode
        if passage.place.lower() in ABSTRACT:
            topics.setdefault(passage.key, set()).update(found)
    return Seen(
        sections={at: frozenset(counts) for at, counts in sections.items()},
        topics={key: frozenset(title | topics.get(key, set())) for key, title in titles.items()},
        titles={key: frozenset(title) for key, title in titles.items()},
        dwelt={at: frozenset(word for word, n in counts.items() if n >= DWELT) for at, counts in sections.items()},
    )


def _is_topics(passage: Passage) -> bool:
    """The starter library's list of topics says what a paper is about, but is no sentence to quote."""
    return passage.place.startswith("§Topics")


def best(question: Question, passages: Iterable[Passage], limit: int) -> list[Scored]:
    """Return at most *limit* passages that answer: the best, others as good, and what covers terms it leaves out."""
    accepted = [scored for scored in rank(question, passages) if scored.accepted]
    chosen: list[Scored] = []
    for scored in accepted:
        if len(chosen) == limit:
            break
        close = not chosen or scored.score >= chosen[0].score - CLOSE
        if (close or _adds(question, chosen, scored)) and not _repeats(chosen, scored):
            chosen.append(scored)
    return chosen


def best_of_parts(question: Question, passages: Iterable[Passage], limit: int) -> list[list[Scored]]:
    """Return the best for the question; of a comparison, for each of its sides.

    What speaks of one side and no other is better than what compares them; what speaks of another alone is out.
    """
    found = list(passages)
    if not question.sides:
        return [best(question, found, limit)]
    said = [[_speaks_of(side, passage) for side in question.sides] for passage in found]
    chosen: list[list[Scored]] = []
    for i, part in enumerate(question.parts):
        others = [any(of[:i] + of[i + 1 :]) for of in said]
        alone = [passage for passage, other in zip(found, others, strict=True) if not other]
        shared = [p for p, of, other in zip(found, said, others, strict=True) if of[i] or not other]
        chosen.append(best(part, alone, limit) or best(part, shared, limit))
    return chosen


def _speaks_of(side: Side, passage: Passage) -> bool:
    found = stems(passage.text)
    return any(term.covered(found) >= NAMED for term in side.terms)


def _adds(question: Question, chosen: Sequence[Scored], scored: Scored) -> bool:
    said = stems(" ".join(s.passage.text for s in chosen))
    inside = stems(scored.passage.text)
    return any(term.covered(said) < NAMED <= term.covered(inside) for term in question.terms if term.weight >= 1)


def _repeats(chosen: Sequence[Scored], scored: Scored) -> bool:
    text = scored.passage.text
    return any(text in other.passage.text or other.passage.text in text for other in chosen)


def _score(question: Question, passage: Passage, seen: Seen) -> Scored:
    table = passage.text.startswith("|")
    # what stands over a text says what it is about: a table's head, a section's title
    inside = stems(f"{passage.before if table else ''} {passage.text} {_heading(passage.place)}")
    beside = stems(passage.around)
    place = passage.key, passage.place
    section, topic, title = seen.sections[place], seen.topics[passage.key], seen.titles[passage.key]
    own = {term: term.covered(inside) for term in question.terms} | _implied(question, inside, passage.text)
    near = {term: max(own[term], term.covered(inside | beside)) for term in question.terms}
    far = {term: max(near[term], term.covered(inside | section | topic)) for term in question.terms}
    said = f"{passage.before} {passage.text}" if PRONOUN.match(passage.text) else passage.text
    named = any(own[name] >= NAMED for name in question.names)
    loose = beside | seen.dwelt[place] if named or not _names_another(question, said) else frozenset()
    firm = {term: max(own[term], term.covered(inside | title | loose)) for term in question.terms}
    answers = _holds_what_is_wanted(question, passage.text)
    accepted = (
        bool(question.terms)
        and answers
        and not _is_topics(passage)
        and (passage.noted or _is_about(question, own, near, far, firm))
    )
    score = 0.5 * _share(question, own) + 0.3 * _share(question, near) + 0.2 * _share(question, far)
    return Scored(passage, score + 0.3 * answers + _bonus(question, passage), accepted)


def _is_about(question: Question, own: Covered, near: Covered, far: Covered, firm: Covered) -> bool:
    """Return whether enough of the question is in the sentence and around it, its names firmly."""
    return (
        _share(question, far) >= (ENOUGH_TEXT if question.wants == "text" else ENOUGH)
        and all(firm[name] >= NAMED for name in question.names)
        and _covers_quantities(question, own, near)
        and _covers_the_rest(question, own, near)
    )


def _names_another(question: Question, text: str) -> bool:
    """Return whether *text* speaks of something by a name that is not of the question: it need not be about the
    question's object, even where the sentences around it are."""
    asked = frozenset(part for term in question.terms for form in term.forms for part in form)
    found = [match[0] for match in _OTHER_NAME.finditer(_CITED.sub(" ", text))]
    if (first := _SUBJECT.match(text)) and first[1].lower() not in GLUE and not kinds_of(first[1]):
        found.append(first[1])
    return any(not stems(name) & asked and stem(name.lower()) not in GENERIC for name in found)


def _heading(place: str) -> str:
    """Return the title in "§3.4.2 TianQin"; nothing for "eq. 7" and the parts that every paper has."""
    title = place.partition(" ")[2] if place.startswith("§") and place[1:2].isalnum() and " " in place else ""
    return "" if title.split(" ")[0] in COMMON_TITLES else title


def _share(question: Question, covered: Covered) -> float:
    """Return 0..1: how much of the question's weight is covered."""
    weight = sum(term.weight for term in question.terms) or 1.0
    return sum(term.weight * covered[term] for term in question.terms) / weight


def _implied(question: Question, inside: frozenset[str], text: str) -> dict[Term, float]:
    """A value in the right unit says which quantity it is, unless the sentence names another one in that unit."""
    found: dict[Term, float] = {}
    for term in question.quantities:
        plain = ANY not in term.kinds and not any(form[-1] in SPECIAL for form in term.forms)
        if term.covered(inside) < IMPLIED and plain and has_value(text, term.kinds):
            rivals = [word for word in words(text) if set(kinds_of(word)) & set(term.kinds)]
            found[term] = max(term.covered(inside), 0.0 if rivals else IMPLIED)
    return found


def _covers_quantities(question: Question, own: Covered, near: Covered) -> bool:
    """One of the quantities asked for must be in the sentence itself, or named next to it."""
    quantities = question.quantities
    return not quantities or any(own[q] >= IMPLIED or near[q] >= NAMED for q in quantities)


def _covers_the_rest(question: Question, own: Covered, near: Covered) -> bool:
    """Of what is neither a name nor a quantity, half must be said here: *water production* rate."""
    rest = [
        term
        for term in question.terms
        if not (term.name or term.kinds or year_places(term.text)) and term.weight > UNTRANSLATED
    ]
    weight = sum(term.weight for term in rest)
    said = {term: max(own[term], BESIDE * near[term]) for term in rest}
    return sum(term.weight * said[term] for term in rest) >= (REST_TEXT if question.wants == "text" else REST) * weight


def _holds_what_is_wanted(question: Question, text: str) -> bool:
    match question.wants:
        case "value":
            return has_value(text, question.kinds) and (not question.counted or _counts(question.counted, text))
        case "year":
            return bool(year_places(text))
        case "equation":
            return "$$" in text or bool(_RELATION.search(text))
        case _:
            return True


def _bonus(question: Question, passage: Passage) -> float:
    text = passage.text
    bonus = -0.1 if len(text) > LONG else 0.0
    if language_of(text) == "zh":
        bonus += 0.08 if question.locale == "zh" else -0.4
    if question.wants == "value":
        bonus += 0.2 * _nearness(question, text) + 0.05 * ("pm" in text or "±" in text or "^{+" in text)
        bonus -= 0.06 * bool(_BORROWED.search(text))
    elif question.wants == "equation":
        bonus += 0.2 * ("$$" in text)
    elif _WHO.search(question.text):
        bonus += 0.15 * (stem(passage.author.split(" ")[0].lower()) in stems(text)) if passage.author else 0.0
    elif re.match(r"\s*(?:why|为什么|为何)", question.text, re.IGNORECASE):
        bonus += 0.1 * bool(_CAUSE.search(text))
    else:
        bonus += 0.06 * bool(_DEFINES.search(text))
    return bonus + 0.04 * (passage.place.lower() in ABSTRACT)


def _nearness(question: Question, text: str) -> float:
    """Return 0..1: how near a value stands to a word of the quantity asked for."""
    values = value_places(text, question.kinds)
    wanted = question.quantities or question.terms
    places = [m.start() for m in _WORD.finditer(text) if _is_word_of(wanted, m[0])]
    if not values or not places:
        return 0.0
    distance = min(abs(value - place) for value in values for place in places)
    return max(0.0, 1.0 - distance / 160)


def _counts(counted: Sequence[Term], text: str) -> bool:
    """Return whether a number stands close to what is counted: 18 flares, seven transiting planets, 行星七颗."""
    places = [m.start() for m in _WORD.finditer(text) if _is_word_of(counted, m[0])]
    return any(abs(place - value) <= COUNTED for place in places for value in count_places(text))


def _is_word_of(wanted: Sequence[Term], word: str) -> bool:
    found = stems(word)
    return any(form[-1] in found for term in wanted for form in term.forms)

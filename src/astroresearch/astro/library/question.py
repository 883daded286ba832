"""What a question asks for: its informative terms, each with the forms in which a paper may say it."""

import re
from dataclasses import dataclass

from . import glossary
from .words import Group, chinese_pairs, groups, stem

_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_LONGEST = 10  # characters of the longest Chinese term
_ENGLISH_SPAN = 4  # words of the longest English term
# words that say that a question is asked, or glue its words: they find nothing and weigh nothing
_GLUE = (
    "a about above after all also am an and any are as at be been being between but by can could did do does done each "
    "either for from give given gives had has have having he her here his how i if in into is it its itself just kind "
    "know let like many may me might more most much must my no not of off on one or our out over per please "
    "quote reported report reports said same say says shall she should show since so some such tell than that the "
    "their them then there these they this those through to too under until up upon us use used using was we were "
    "value what when where which while who whom whose why will with within would you your explain describe find "
    "found whether paper papers according s t"
)
_QUESTION_WORDS = frozenset(_GLUE.split())
_CHINESE_GLUE = re.compile(
    "请问|什么是|是什么|什么|为什么|为何|多少|多大|多远|多长|多久|多高|多重|多快|如何|怎么样|怎么|怎样|哪一个|哪个|哪些|哪里|哪种|几个|谁|"
    "告诉我|告诉|给出|解释|介绍|描述|根据|关于|之间|是否|有没有|以及|或者|论文|文章|作者|数值|大约|大概|这个|那个|这些|那些|我们|他们|它们|它|"
    "[的了吗呢是在和与对从到及其把被为中有我你得着过也都就还个上下里请值]"
)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing asked for: any of *forms* will do; a form of several words counts by the share that is there."""

    forms: tuple[Group, ...]

    def covered(self, found: frozenset[str]) -> float:
        """Return 0..1: how much of the term's best form is among the stems *found*."""
        return max(sum(stem(word) in found for word in form) / len(form) for form in self.forms)


def terms(question: str) -> tuple[Term, ...]:
    """Return the informative terms of *question*, in order and without repeats."""
    found: list[Term] = []
    last = 0
    for run in _chinese_runs(question):
        found.extend(_english(question[last : run[0]]))
        found.extend(_chinese(question[run[0] : run[1]]))
        last = run[1]
    found.extend(_english(question[last:]))
    return tuple(dict.fromkeys(found))


def _chinese_runs(question: str) -> list[tuple[int, int]]:
    """Chinese runs, with a Latin beginning that belongs to a term of the glossary (X射线, Ia型超新星)."""
    runs: list[tuple[int, int]] = []
    for match in _CJK_RUN.finditer(question):
        start = match.start()
        for size in (2, 1):
            head = question[max(0, start - size) : start]
            if len(head) == size and head.isascii() and head.isalpha() and _term_at((head + match[0]).lower(), 0):
                start -= size
                break
        runs.append((start, match.end()))
    return runs


def _term_at(run: str, at: int) -> str:
    known = glossary.chinese()
    for size in range(min(_LONGEST, len(run) - at), 0, -1):
        if run[at : at + size] in known:
            return run[at : at + size]
    return ""


def _chinese(run: str) -> list[Term]:
    run = run.lower()
    found: list[Term] = []
    rest = at = 0
    while at < len(run):
        word = _term_at(run, at)
        if not word:
            at += 1
            continue
        found.extend(_unknown(run[rest:at]))
        pairs = tuple(word for group in groups(word) for word in group)
        found.append(Term((pairs, *glossary.chinese()[word])))
        at = rest = at + len(word)
    found.extend(_unknown(run[rest:]))
    return found


def _unknown(text: str) -> list[Term]:
    """What the glossary does not know, without glue: found in Chinese papers only."""
    pieces = (piece for piece in _CHINESE_GLUE.sub(" ", text).split() if len(piece) > 1)
    return [Term((tuple(chinese_pairs(piece)),)) for piece in pieces]


def _english(text: str) -> list[Term]:
    words = [group for group in groups(text) if group[0] not in _QUESTION_WORDS]
    found: list[Term] = []
    at = 0
    while at < len(words):
        size, term = _known_span(words, at)
        found.append(term)
        at += size
    return found


def _known_span(words: list[Group], at: int) -> tuple[int, Term]:
    known = glossary.english()
    for size in range(min(_ENGLISH_SPAN, len(words) - at), 0, -1):
        span = tuple(group[0] for group in words[at : at + size])
        if others := known.get(tuple(map(stem, span))):
            alternatives = tuple((word,) for word in words[at][1:]) if size == 1 else ()
            return size, Term((span, *alternatives, *others))
    return 1, Term(tuple((word,) for word in words[at]))

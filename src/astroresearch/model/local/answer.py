"""The researcher's texts: the answer with its quotations, or that the library has none; and its notes."""

from collections.abc import Collection, Iterable, Sequence

from ...locales import Locale, say
from .question import Question
from .results import Passage
from .scoring import PRONOUN, Scored, best, best_of_parts
from .turn import Turn

QUOTES = 3


def answer(question: Question, turn: Turn, *, stopped: bool = False) -> str:
    """Return the answer to *question* from all that the turn has seen; *stopped*: it had to end early."""
    if question.sides:
        body = _sides(question, turn)
    else:
        chosen = best(question, turn.passages, max(QUOTES, question.papers))
        chosen = _one_each(chosen) if question.papers > 2 else chosen
        body = _quotes(question, chosen) if chosen else _none(question, turn, stopped)
    return f"{body}\n\n*{say(question.locale, 'local.who')}*"


def _sides(question: Question, turn: Turn) -> str:
    found = best_of_parts(question, turn.passages, 2)
    if not any(found):
        return _none(question, turn, stopped=False)
    parts: list[str] = []
    for side, chosen in zip(question.sides, found, strict=True):
        lines = [_quote(question.locale, scored.passage) for scored in chosen]
        parts.append(say(question.locale, "local.side", name=side.text))
        parts.append("\n".join(lines) or say(question.locale, "local.side_none"))
    return "\n\n".join([say(question.locale, "local.answer"), *parts])


def _one_each(chosen: Sequence[Scored]) -> list[Scored]:
    """The best of every paper first, for a question that asks for several papers."""
    firsts = {scored.passage.key: scored for scored in reversed(chosen)}
    return [scored for scored in chosen if scored is firsts[scored.passage.key]] or list(chosen)


def _quotes(question: Question, chosen: Sequence[Scored]) -> str:
    lines = [_quote(question.locale, scored.passage) for scored in chosen]
    key = "local.answer_equation" if question.wants == "equation" else "local.answer"
    return "\n".join([say(question.locale, key), "", *lines])


def _quote(locale: Locale, passage: Passage) -> str:
    if passage.text.startswith("|"):
        return say(
            locale, "local.quote_table", head=passage.before, text=passage.text, key=passage.key, place=passage.place
        ).rstrip()
    text = f"{passage.before} {passage.text}" if passage.before and PRONOUN.match(passage.text) else passage.text
    return say(locale, "local.quote", text=text, key=passage.key, place=passage.place).rstrip()


def _none(question: Question, turn: Turn, stopped: bool) -> str:
    failures = [done for done in turn.calls("search_library") if done.failed]
    if failures and not turn.passages:
        return say(question.locale, "local.failed", reason=failures[-1].text.splitlines()[0])
    if stopped and not turn.passages:
        return say(question.locale, "local.stopped")
    return "\n\n".join(filter(None, (say(question.locale, "local.not_found"), _closest(question, turn))))


def _closest(question: Question, turn: Turn) -> str:
    rows = [row for done in turn.calls("search_library") for row in done.found.rows if row.match >= 0.5]
    named = dict.fromkeys(  # by name, since an id would be a citation
        f"{row.author} {row.year.replace('n.d.', '')}".rstrip() + f", {row.title.rstrip('.')}"
        for row in sorted(rows, key=lambda row: -row.match)
    )
    papers = "; ".join(list(named)[:2])
    return say(question.locale, "local.closest", papers=papers) if papers else ""


def notes(question: Question, passages: Iterable[Passage], known: Collection[str] = (), count: int = 2) -> str:
    """Return the best sentences as notes, a line each, in the form that ``turn.NOTE`` reads back; not those *known*."""
    chosen = [scored.passage for part in best_of_parts(question, passages, count) for scored in part]
    return "\n".join(note(p) for p in dict.fromkeys(chosen) if p.text not in known)


def note(passage: Passage) -> str:
    """Return one sentence as a line of notes."""
    return f"• [{passage.key}] {passage.place.replace(':', ' ')}: {passage.text}"

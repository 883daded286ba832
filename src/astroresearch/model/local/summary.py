"""What the researcher answers when the context engine asks it for a summary: the sentences that answer the question."""

import re
from collections.abc import Iterable

from ...context.messages import History
from ...locales import LOCALES, say, texts
from .answer import QUOTES, note
from .question import Question, understand
from .results import Passage
from .scoring import best_of_parts, rank
from .turn import noted, read_turn

CHARS = 500  # where the instruction names no limit


def is_summary_instruction(text: str) -> bool:
    """Return whether *text* is the context engine's wish for a summary, in any of our languages."""
    return any(text.startswith(opening) for opening in _openings("summarise"))


def summary(history: History, instruction: str) -> str:
    """Return a summary within the length that *instruction* allows; of former summaries, whole lines are kept."""
    openings = _openings("summarise_before", "summarise_merge")
    former = [message for message in history if message.text.startswith(openings)]
    turn = read_turn(tuple(message for message in history if message not in former))
    question = understand(turn.question, turn.earlier)
    known = (*turn.passages, *(passage for message in former for passage in noted(message.text, False)))
    ranked = rank(question, known)
    kept = [scored.passage for scored in ranked if scored.accepted]
    lines = [note(passage) for passage in (*_firsts(question, known), *kept)]
    lines += [line for message in former for line in message.text.split("\n")[1:] if line.strip()]
    limit = next((int(number) for number in re.findall(r"\d+", instruction)), CHARS)
    return _fitting(lines, limit) or say(question.locale, "local.summary_none")


def _openings(*keys: str) -> tuple[str, ...]:
    return tuple(texts(locale, "context")[key].partition("{")[0] for locale in LOCALES for key in keys)


def _firsts(question: Question, passages: Iterable[Passage]) -> list[Passage]:
    """The shortest of the best for every part of the question: a summary has little room."""
    tops = best_of_parts(question, passages, QUOTES)
    return [min((scored.passage for scored in top), key=lambda p: len(p.text)) for top in tops if top]


def _fitting(lines: Iterable[str], limit: int) -> str:
    kept: list[str] = []
    for line in dict.fromkeys(lines):
        if sum(map(len, kept)) + len(kept) + len(line) <= limit:
            kept.append(line)
    return "\n".join(kept)

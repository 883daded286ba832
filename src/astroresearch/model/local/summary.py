"""What the researcher answers when the context engine asks it for a summary: the sentences that answer the question."""

import re
from collections.abc import Iterable

from ...context.messages import History
from ...locales import LOCALES, say, texts
from .answer import QUOTES, note
from .question import Question, understand
from .scoring import best
from .turn import arguments_of, noted, read_turn

CHARS = 500  # where the instruction names no limit


def is_summary_instruction(text: str) -> bool:
    """Return whether *text* is the context engine's wish for a summary, in any of our languages."""
    return any(text.startswith(opening) for opening in _openings("summarise"))


def summary(history: History, instruction: str) -> str:
    """Return a summary within the length that *instruction* allows; of former summaries, whole lines are kept."""
    openings = _openings("summarise_before", "summarise_merge")
    former = [message for message in history if message.text.startswith(openings)]
    rest = tuple(message for message in history if message not in former)
    turn = read_turn(rest)
    known = (*turn.passages, *(passage for message in former for passage in noted(message.text, False)))
    parts = _interests(rest, understand(turn.question, turn.earlier))
    chosen = [best(part, known, QUOTES) for part in parts]
    lines = [note(min((s.passage for s in top), key=lambda p: len(p.text))) for top in chosen if top]
    lines += [note(scored.passage) for top in chosen for scored in top]
    lines += [line for message in former for line in message.text.split("\n")[1:] if line.strip()]
    limit = next((int(number) for number in re.findall(r"\d+", instruction)), CHARS)
    return _fitting(lines, limit) or say(understand(turn.question).locale, "local.summary_none")


def _interests(history: History, question: Question) -> list[Question]:
    """What is looked for: the last question in sight, if what was searched and read since is about it; else those
    queries, newest first, for the question under way may have been folded long ago."""
    found: list[str] = []
    for message in history:
        if message.role == "user" and message.origin == "human":
            found = []
        found += [str(query) for call in message.calls if (query := arguments_of(call).get("query"))]
    if {part.query for part in question.parts}.issuperset(found):
        return question.parts
    return [understand(query) for query in dict.fromkeys(reversed(found))]


def _openings(*keys: str) -> tuple[str, ...]:
    return tuple(texts(locale, "context")[key].partition("{")[0] for locale in LOCALES for key in keys)


def _fitting(lines: Iterable[str], limit: int) -> str:
    kept: list[str] = []
    for line in dict.fromkeys(lines):
        if sum(map(len, kept)) + len(kept) + len(line) <= limit:
            kept.append(line)
    return "\n".join(kept)

"""Which papers an answer cites: what the tools gave, kept with their results, matched with the ids in the text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TypeAlias

from ..context.messages import Message
from ..tools.base import Citation

Key: TypeAlias = tuple[str, str]  # a paper's id, and the place in it
NEAR = 60  # characters behind an id in which its place is looked for
KEY = "citations"  # of a result's ``extra``: ours alone, no provider is sent it


def with_citations(message: Message, citations: Sequence[Citation]) -> Message:
    """Return a tool result that carries the papers it quotes, so that a resumed session knows them still."""
    if not citations:
        return message
    return replace(message, extra={**message.extra, KEY: [asdict(citation) for citation in citations]})


def citations_in(message: Message) -> Iterator[Citation]:
    kept = message.extra.get(KEY)
    for entry in kept if isinstance(kept, list) else ():
        yield Citation(**entry)


def without_citations(message: Message) -> Message:
    """Return the result as the model sees it."""
    if KEY not in message.extra:
        return message
    return replace(message, extra={key: value for key, value in message.extra.items() if key != KEY})


def quoted(citations: Iterable[Citation]) -> dict[Key, Citation]:
    return {(citation.id, citation.place): citation for citation in citations}


def cited(answer: str, known: Mapping[Key, Citation]) -> tuple[Mapping[str, object], ...]:
    """Return what *answer* names by its id, in the order in which it does; the place is the one named behind the id."""
    found: dict[Key, tuple[int, Citation]] = {}
    for paper in dict.fromkeys(name for name, _ in known):
        places = {place: citation for (name, place), citation in known.items() if name == paper}
        for at in _mentions(answer, paper):
            citation = _at_place(answer[at : at + len(paper) + NEAR], places)
            found.setdefault((paper, citation.place), (at, citation))
    return tuple(asdict(citation) for _, citation in sorted(found.values(), key=lambda pair: pair[0]))


def _mentions(answer: str, name: str) -> list[int]:
    """Return where *name* stands in *answer* as a whole word: an id may be the beginning of another's."""
    return [m.start() for m in re.finditer(rf"(?<![\w.]){re.escape(name)}(?![\w&]|\.\w)", answer)] if name else []


def _at_place(text: str, places: Mapping[str, Citation]) -> Citation:
    """Return the citation whose place *text* names first, else the paper as a whole."""
    named = [(text.find(place), -len(place), place) for place in places if place and place in text]
    return places[min(named)[2]] if named else replace(next(iter(places.values())), place="")

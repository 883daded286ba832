"""Which papers an answer cites: what the tools gave, kept with their results, matched with the ids in the text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from ..context.messages import Message
from ..tools.base import Citation

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


def cited(answer: str, known: Mapping[str, Citation]) -> tuple[Mapping[str, object], ...]:
    """Return the papers that *answer* names by their id, in the order in which it does."""
    found = [(at, citation) for citation in known.values() if (at := _place(answer, citation.id)) >= 0]
    return tuple(asdict(citation) for _, citation in sorted(found, key=lambda pair: pair[0]))


def _place(answer: str, name: str) -> int:
    """Return where *name* stands in *answer* as a whole word, or -1: an id may be the beginning of another's."""
    match = re.search(rf"(?<![\w.]){re.escape(name)}(?![\w&]|\.\w)", answer) if name else None
    return match.start() if match else -1

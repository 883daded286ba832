"""The embedded default: plans, searches, reads and quotes by rules; the same history always gets the same step."""

import re
from collections.abc import AsyncIterator

from ..base import Chunk, Reply, Request, TextDelta, ThoughtDelta
from ..scripted import estimated_usage
from .steps import next_step

_PIECE = re.compile(r"\S+\s*|\s+")
PIECE = 24  # characters of a delta, filled up with whole words


class LocalModel:
    """A ``Model`` without a language model; its usage is an estimate, since no tokens are processed at all."""

    name = "local"

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        message = next_step(request)
        if message.thought:
            yield ThoughtDelta(message.thought)
        for piece in pieces(message.text):
            yield TextDelta(piece)
        yield Reply(message, estimated_usage(request, message), "tool_use" if message.calls else "end")


def pieces(text: str) -> list[str]:
    """Cut *text* for streaming, between words where there are any; together the pieces are the text."""
    found: list[str] = []
    for word in _PIECE.findall(text):
        if found and len(found[-1]) + len(word) <= PIECE:
            found[-1] += word
        else:
            found.extend(word[at : at + PIECE] for at in range(0, len(word), PIECE))
    return found

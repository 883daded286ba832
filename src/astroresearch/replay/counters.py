"""How many tokens a message takes: the counters that a replay can use, for the context engine and over plain dicts."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..context import tokens
from ..context.dicts import parse
from ..context.messages import Media, Message, Text, ToolCall, ToolResult
from .metrics import TokenCounter


def chars4(message: Message) -> int:
    """Return a quarter of the characters of content, call names and arguments, and 4 for the message itself.

    This is the measure of the published comparisons. Reasoning counts nothing, a part that is no text
    ``tokens.IMAGE_TOKENS``.
    """
    characters = media = 0
    for part in message.parts:
        match part:
            case Text(text) | ToolResult(text=text):
                characters += len(text)
            case ToolCall(_, name, arguments):
                characters += len(name) + len(arguments)
            case Media():
                media += tokens.IMAGE_TOKENS
    return characters // 4 + tokens.MESSAGE_TOKENS + media


COUNTERS: Mapping[str, tokens.Counter] = {"default": tokens.estimate_message, "chars4": chars4}


def counter(name: str) -> TokenCounter:
    """Return the counter called *name* for OpenAI-style dicts; ``KeyError`` if there is none."""
    count = COUNTERS[name]
    return lambda message: count(parse(message, 0))


def schema_tokens(tools: Sequence[Mapping[str, Any]]) -> int:
    """Return how many tokens the schemas of *tools* take, as the context engine counts them."""
    return tokens.estimate_text(json.dumps(list(tools), ensure_ascii=False)) if tools else 0

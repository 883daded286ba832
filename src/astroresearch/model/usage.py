"""What a call took, by our own estimate, for a provider that reports nothing."""

import json

from ..context.messages import Message
from ..context.tokens import estimate_message, estimate_text
from .base import Request, Usage


def estimated_usage(request: Request, message: Message) -> Usage:
    """Return the tokens of *request* and of *message*, marked as estimated."""
    tools = sum(estimate_text(json.dumps(tool, ensure_ascii=False)) for tool in request.tools)
    prompt = sum(estimate_message(m) for m in request.history) + tools
    return Usage(prompt_tokens=prompt, completion_tokens=estimate_message(message), estimated=True)

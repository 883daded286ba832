"""Models behind Anthropic's messages API."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import anthropic

from .base import Chunk, Request
from .read_anthropic import Assembly
from .transport import decoded, exchange, sendable
from .wire_anthropic import body


class AnthropicModel:
    """*idle*: seconds without a byte after which a call is given up. *name* is the model's name at the server."""

    def __init__(self, name: str, *, api_key: str, base_url: str = "", idle: float = 120.0) -> None:
        self.name, self.idle = name, idle
        self._client = anthropic.AsyncAnthropic(
            api_key=api_key,
            base_url=base_url or "https://api.anthropic.com",
            max_retries=0,
            timeout=anthropic.Timeout(idle + 30, connect=15),
        )

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """Yield deltas, and last the whole reply; raise ``ModelFailure``. Closing the iterator hangs up at once."""
        wire = sendable(body(request))
        assembly = Assembly()
        call = self._client.messages.with_streaming_response.create(
            model=wire.pop("model"),
            messages=wire.pop("messages"),
            max_tokens=wire.pop("max_tokens"),
            stream=wire.pop("stream"),
            extra_body=wire,
        )
        async with aclosing(exchange(call, self.idle)) as answers:
            async for answer in answers:
                for delta in assembly.feed(decoded(answer)):
                    yield delta
        yield assembly.reply(request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

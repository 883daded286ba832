"""Models behind OpenAI's chat completions API, from OpenAI or any of the many servers that speak it."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import openai

from .base import Chunk, Request, TextDelta, ThoughtDelta
from .quirks import Quirks, quirks_for
from .read_openai import Assembly
from .transport import Answer, decoded, exchange, sendable
from .wire_openai import body


class OpenAIModel:
    """*idle*: seconds without a byte after which a call is given up. *name* is the model's name at the server."""

    def __init__(
        self, name: str, *, api_key: str, base_url: str = "", idle: float = 120.0, quirks: Quirks | None = None
    ) -> None:
        self.name, self.idle = name, idle
        self.quirks = quirks or quirks_for(name, base_url)
        self._client = openai.AsyncOpenAI(
            api_key=api_key,
            base_url=base_url or "https://api.openai.com/v1",
            max_retries=0,
            timeout=_timeout(idle),
            default_headers=_headers(base_url),
        )

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """Yield deltas, and last the whole reply; raise ``ModelFailure``. Closing the iterator hangs up at once."""
        wire = sendable(body(request, self.quirks))
        assembly = Assembly(self.quirks)
        call = self._client.chat.completions.with_streaming_response.create(
            model=wire.pop("model"), messages=wire.pop("messages"), stream=wire.pop("stream"), extra_body=wire
        )
        async with aclosing(exchange(call, self.idle)) as answers:
            async for answer in answers:
                for delta in _read(answer, assembly):
                    yield delta
        yield assembly.reply(request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()


def _headers(base_url: str) -> dict[str, str]:
    """Small local servers drop a kept connection just as the next request goes out; without TLS a new one is cheap."""
    return {"Connection": "close"} if base_url.startswith("http://") else {}


def _timeout(idle: float) -> openai.Timeout:
    """Our own watch ends a silent call first; the SDK's is a second line for connecting and sending."""
    return openai.Timeout(idle + 30, connect=15)


def _read(answer: Answer, assembly: Assembly) -> list[TextDelta | ThoughtDelta]:
    if answer.data.strip() == "[DONE]":
        assembly.ended = True
        return []
    chunk = decoded(answer)
    assembly.ended = assembly.ended or answer.whole
    return list(assembly.feed(chunk))

"""A model that fails by a seeded schedule and otherwise asks an inner one: to show that nothing breaks a session."""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Literal, TypeAlias, cast, get_args

from .base import Chunk, Model, Reply, Request, TextDelta
from .faults import Fault, ModelFailure, classify_error, noticed

Trouble: TypeAlias = Literal[
    "none", "rate_limit", "overloaded", "too_large", "too_long", "server_error", "bad_gateway", "timeout", "reset",
    "refused", "truncated", "slow", "silent", "error_event", "empty", "quota", "bad_key", "filtered",
]  # fmt: skip
TROUBLES: tuple[Trouble, ...] = get_args(Trouble)
_MIDWAY = frozenset({"truncated", "error_event", "silent", "reset"})


class ChaoticModel:
    """*schedule* says what happens to each request in turn; once it is over every request goes through.

    *played* is what happened. *sleep* is used by ``slow``, half a second before each piece.
    """

    def __init__(
        self,
        inner: Model,
        schedule: Iterable[Trouble],
        *,
        seed: int = 0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name, self.inner = inner.name, inner
        self.played: list[Trouble] = []
        self._schedule, self._random, self._sleep = iter(schedule), random.Random(seed), sleep

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        trouble: Trouble = next(self._schedule, "none")
        self.played.append(trouble)
        if trouble not in _MIDWAY | {"none", "slow"}:
            raise ModelFailure(fault(trouble, self._random))
        left = self._random.randrange(4) if trouble in _MIDWAY else -1
        # an inner model of ours is an async generator, which its Protocol does not say
        async with aclosing(cast(AsyncGenerator[Chunk, None], self.inner.stream(request))) as chunks:
            async for chunk in chunks:
                if trouble in _MIDWAY and (left == 0 or isinstance(chunk, Reply)):
                    raise ModelFailure(fault(trouble, self._random))
                if trouble == "slow":
                    await self._sleep(0.5)
                left -= 1
                yield _cut(chunk, self._random) if left == 0 else chunk


def _cut(chunk: Chunk, dice: random.Random) -> Chunk:
    """Return a part of the last text before the break: real streams end in the middle of a word."""
    if isinstance(chunk, TextDelta) and len(chunk.text) > 1:
        return TextDelta(chunk.text[: dice.randrange(1, len(chunk.text))])
    return chunk


def schedule(seed: int, length: int, troubles: tuple[Trouble, ...] = TROUBLES) -> list[Trouble]:
    """Return *length* troubles drawn by *seed*."""
    dice = random.Random(seed)
    return [dice.choice(troubles) for _ in range(length)]


def fault(trouble: Trouble, dice: random.Random) -> Fault:
    """Return what the classifier makes of the trouble's raw answer, as a provider would send it."""
    match trouble:
        case "truncated" | "silent" | "empty":
            return noticed(trouble)
        case "timeout":
            return classify_error(exception=TimeoutError("timed out"))
        case "reset":
            return classify_error(exception=ConnectionResetError(104, "Connection reset by peer"))
        case "refused":
            return classify_error(exception=ConnectionRefusedError(111, "Connection refused"))
    status, headers, body = raw(trouble, dice)
    return classify_error(status=status, headers=headers, body=body)


def raw(trouble: Trouble, dice: random.Random) -> tuple[int | None, dict[str, str], object]:
    """Return status, headers and body of a trouble that is an HTTP answer."""
    match trouble:
        case "rate_limit":
            wait = dice.choice(["", "1", "7", "0.25", "900"])
            return 429, {"retry-after": wait}, {"error": {"type": "rate_limit_error", "message": "Rate limited"}}
        case "overloaded":
            return 529, {}, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
        case "too_large":
            return 413, {}, "<html><h1>413 Request Entity Too Large</h1></html>"
        case "too_long":
            told = "prompt is too long: 208310 tokens > 200000 maximum"
            return 400, {}, {"error": {"type": "invalid_request_error", "message": told}}
        case "server_error":
            return 500, {}, {"error": {"type": "api_error", "message": "Internal server error"}}
        case "bad_gateway":
            return 502, {}, "<html><head><title>502 Bad Gateway</title></head></html>"
        case "error_event":
            return None, {}, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
        case "quota":
            return 429, {}, {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}
        case "bad_key":
            return 401, {}, {"error": {"code": "invalid_api_key", "message": "Incorrect API key provided"}}
        case "filtered":
            return 400, {}, {"error": {"code": "content_filter", "message": "The response was filtered"}}
    raise ValueError(trouble)

"""One HTTP exchange through an SDK's raw response; every failure becomes a ``ModelFailure``."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from ..locales import say
from .faults import Fault, FaultKind, ModelFailure, classify_error, noticed
from .sse import events, silent, watched

_HALF_PAIR = re.compile("[\ud800-\udfff]")
_PASSING = frozenset({FaultKind.Overloaded, FaultKind.RateLimited, FaultKind.Timeout})
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """An event's data; *whole*: it is a JSON document by itself, from a server that does not stream."""

    data: str
    event: str = ""
    whole: bool = False


async def exchange(call: AbstractAsyncContextManager[Any], idle: float) -> AsyncGenerator[Answer, None]:
    """Yield what the server answers; raise ``ModelFailure`` for whatever goes wrong on the way, silence included."""
    try:
        async with asyncio.timeout(idle):
            response = await call.__aenter__()
    except TimeoutError as error:
        raise silent(idle) from error
    except Exception as error:
        raise ModelFailure(classify_error(exception=error)) from error
    try:
        async for answer in _answers(response, idle):
            yield answer
    except ModelFailure:
        raise
    except Exception as error:
        raise ModelFailure(classify_error(exception=error)) from error
    finally:
        await call.__aexit__(None, None, None)


def sendable(body: dict[str, Any]) -> dict[str, Any]:
    """Return *body* as UTF-8 can carry it: half a surrogate pair, as a model may write one, would fail in the SDK."""
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        told: dict[str, Any] = json.loads(_HALF_PAIR.sub("\ufffd", json.dumps(body, ensure_ascii=False)))
        return told
    return body


def decoded(answer: Answer) -> dict[str, Any]:
    """Return the event's JSON object; ``ModelFailure`` if it is an error or none."""
    try:
        found = json.loads(answer.data)
    except ValueError:
        found = None
    if answer.event == "error" or not isinstance(found, dict):
        raise _unreadable(answer)
    return found


def _unreadable(answer: Answer) -> ModelFailure:
    """Return the failure for an event that is no JSON object: what it says, or a broken stream if that is nothing."""
    fault = classify_error(body=answer.data)
    if answer.event == "error" or fault.kind is not FaultKind.ModelError:
        return ModelFailure(fault)
    return ModelFailure(noticed("truncated", say("en", "model.detail_bad_event")))


async def _answers(response: Any, idle: float) -> AsyncGenerator[Answer, None]:
    kind = str(response.headers.get("content-type", "")).lower()
    if "html" in kind or "json" in kind:
        text = await _read_all(response, idle)
        if "html" in kind:
            raise ModelFailure(_of_a_page(text))
        yield Answer(text, whole=True)
        return
    async for event in events(response.iter_bytes(), idle):
        yield Answer(event.data, event.event)


def _of_a_page(text: str) -> Fault:
    """A gateway's error page passes; any other page means that this is not the API's address."""
    fault = classify_error(body=text)
    return fault if fault.kind in _PASSING else noticed("webpage", fault.message[:200])


async def _read_all(response: Any, idle: float) -> str:
    pieces, size = [], 0
    async for piece in watched(response.iter_bytes(), idle):
        pieces.append(piece)
        size += len(piece)
        if size > _LARGEST:
            break
    return b"".join(pieces).decode("utf-8", "replace")

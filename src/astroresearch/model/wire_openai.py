"""History to the body of OpenAI's chat completions: pure, and the same bytes for the same prefix."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ..context.messages import History, Media, Message, Text, ToolCall
from .base import Request
from .quirks import Quirks
from .wire_ids import WireIds, check_pairs, nine_letters, plain_id

Wire: TypeAlias = dict[str, Any]
NOTHING_SAID = "…"  # where a provider insists on words and there are none; the same in every language


def body(request: Request, quirks: Quirks = Quirks()) -> Wire:  # noqa: B008 - a frozen value
    """Return the JSON body of one call; ``ModelFailure`` (InvalidRequest) if calls and results do not pair."""
    check_pairs(request.history)
    out: Wire = {
        "model": request.model,
        "messages": messages(request.history, quirks),
        quirks.output_field: request.max_output,
        "stream": quirks.stream,
    }
    if quirks.stream and quirks.stream_usage:
        out["stream_options"] = {"include_usage": True}
    if request.tools:
        out["tools"] = [dict(tool) for tool in request.tools]
    extra = {key: value for key, value in request.extra.items() if key != "tool_choice" or request.tools}
    return out | dict(quirks.body) | extra


def messages(history: History, quirks: Quirks) -> list[Wire]:
    """Return the wire messages: system first, every call with its results, then what this server insists on."""
    ids = WireIds(nine_letters if quirks.nine_ids else plain_id)
    wire = list(_media_after_results(_each(history, quirks, ids)))
    if quirks.one_system:
        wire = _one_system(wire)
    if quirks.alternate:
        wire = _merged_users(wire)
    return list(_bridged(wire)) if quirks.bridge_user else wire


def _each(history: History, quirks: Quirks, ids: WireIds) -> Iterator[Wire]:
    for message in history:
        match message.role:
            case "system":
                yield {"role": quirks.system_role, "content": message.text or NOTHING_SAID}
            case "user":
                yield {"role": "user", "content": _content(message) or NOTHING_SAID}
            case "tool":
                yield from _result(message, ids)
            case "assistant" if message.calls or message.text:
                yield _assistant(message, quirks, ids)


def _content(message: Message) -> str | list[Wire]:
    if not any(isinstance(p, Media) for p in message.parts):
        return message.text
    return [_piece(p) for p in message.parts if isinstance(p, Text | Media)]


def _piece(part: Text | Media) -> Wire:
    return {"type": "text", "text": part.text} if isinstance(part, Text) else image_url(part)


def image_url(media: Media) -> Wire:
    """Return the part as OpenAI writes it; Anthropic's image blocks are turned, others go as they are."""
    source = media.part.get("source")
    if not isinstance(source, Mapping) or media.part.get("type") != "image":
        return dict(media.part)
    url = source.get("url") or f"data:{source.get('media_type')};base64,{source.get('data')}"
    return {"type": "image_url", "image_url": {"url": url}}


def _result(message: Message, ids: WireIds) -> Iterator[Wire]:
    result = message.result
    if result is None:
        return
    yield {"role": "tool", "tool_call_id": ids.result(result.call_id), "content": message.text}
    seen = [image_url(p) for p in message.parts if isinstance(p, Media)]
    if seen:
        yield {"role": "user", "content": seen, "_after_results": True}


def _assistant(message: Message, quirks: Quirks, ids: WireIds) -> Wire:
    out: Wire = {"role": "assistant", "content": message.text or quirks.empty_content}
    if quirks.send_thought and (message.calls or message.thought):
        out["reasoning_content"] = message.thought
    out |= {key: message.extra[key] for key in quirks.echo if key in message.extra}
    if message.calls:
        own = message.extra.get("calls")
        out["tool_calls"] = [_call(c, ids, own, quirks) for c in message.calls]
    return out


def _call(call: ToolCall, ids: WireIds, own: object, quirks: Quirks) -> Wire:
    extra = own.get(call.id) if isinstance(own, Mapping) else None
    kept = {k: extra[k] for k in quirks.echo_call if k in extra} if isinstance(extra, Mapping) else {}
    function = {"name": call.name, "arguments": object_text(call.arguments)}
    return {"id": ids.call(call.id), "type": "function", "function": function, **kept}


def object_text(arguments: str) -> str:
    """Return *arguments* as the text of a JSON object: servers that read it back refuse the whole session otherwise.

    What is valid stays byte for byte; what is not is carried inside an object, so the model still sees what it wrote.
    """
    if not arguments.strip():
        return "{}"
    try:
        valid = isinstance(json.loads(arguments, parse_constant=_no_constant), dict)
    except (ValueError, RecursionError):
        valid = False
    return arguments if valid else json.dumps({"invalid_json": arguments}, ensure_ascii=False)


def _no_constant(name: str) -> object:
    """``NaN`` and ``Infinity`` pass in Python, and in no provider."""
    raise ValueError(name)


def _media_after_results(wire: Iterator[Wire]) -> Iterator[Wire]:
    """Hold what a tool showed back until all results of its group are there: nothing may stand between them."""
    held: list[Wire] = []
    for message in wire:
        if message.pop("_after_results", False):
            held.append(message)
            continue
        if message["role"] != "tool":
            yield from held
            held = []
        yield message
    yield from held


def _one_system(wire: list[Wire]) -> list[Wire]:
    """Join the system messages in front; a later one becomes a user's, in its place."""
    front = 0
    while front < len(wire) and wire[front]["role"] in {"system", "developer"}:
        front += 1
    later = [{**m, "role": "user"} if m["role"] in {"system", "developer"} else m for m in wire[front:]]
    if not front:
        return later
    return [{**wire[0], "content": "\n\n".join(m["content"] for m in wire[:front])}, *later]


def _merged_users(wire: list[Wire]) -> list[Wire]:
    out: list[Wire] = []
    for message in wire:
        if out and message["role"] == out[-1]["role"] == "user":
            out[-1] = {"role": "user", "content": _joined(out[-1]["content"], message["content"])}
        else:
            out.append(message)
    return out


def _joined(one: str | list[Wire], other: str | list[Wire]) -> str | list[Wire]:
    if isinstance(one, str) and isinstance(other, str):
        return f"{one}\n\n{other}"
    return [*_as_parts(one), *_as_parts(other)]


def _as_parts(content: str | list[Wire]) -> list[Wire]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _bridged(wire: list[Wire]) -> Iterator[Wire]:
    last = ""
    for message in wire:
        if last == "tool" and message["role"] == "user":
            yield {"role": "assistant", "content": NOTHING_SAID}
        yield message
        last = message["role"]

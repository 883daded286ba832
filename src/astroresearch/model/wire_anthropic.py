"""History to the body of Anthropic's messages API: pure; but for cache markers a prefix is always the same bytes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..context.messages import History, Media, Message, Part, Text, Thinking, ToolCall
from .base import Request
from .wire_ids import WireIds, check_pairs
from .wire_openai import NOTHING_SAID, object_text

Block: TypeAlias = dict[str, Any]
_MARK = {"type": "ephemeral"}
_CHANGING = frozenset({"tasks"})  # origins that are rendered anew, so nothing after them can be cached
_FAILED = frozenset({"error", "denied", "cancelled", "interrupted"})
_CHOICES = {"auto": "auto", "none": "none", "required": "any"}


@dataclass(slots=True)
class _Turn:
    """Neighbouring messages of one side. *stable*: how many of the blocks will be the same in the next request."""

    role: Literal["user", "assistant"]
    blocks: list[Block] = field(default_factory=list)
    stable: int = 0


def body(request: Request) -> dict[str, Any]:
    """Return the JSON body of one call; ``ModelFailure`` (InvalidRequest) if calls and results do not pair."""
    check_pairs(request.history)
    front, rest = _split(request.history)
    turns = _turns(rest, request.model)
    out: dict[str, Any] = {"model": request.model, "max_tokens": request.max_output, "stream": True}
    tools = [_tool(tool) for tool in request.tools]
    extra = dict(request.extra)
    if "tool_choice" in extra:
        extra["tool_choice"] = _choice(extra["tool_choice"])
    if not tools and (used := _used(rest)):
        tools = [{"name": name, "input_schema": {"type": "object"}} for name in used]
        extra["tool_choice"] = {"type": "none"}
    if not tools:
        extra.pop("tool_choice", None)
    system = [{"type": "text", "text": m.text} for m in front if m.text.strip()]
    _mark(system, tools, turns)
    out |= {"system": system} if system else {}
    out |= {"tools": tools} if tools else {}
    return out | {"messages": [{"role": t.role, "content": t.blocks} for t in turns]} | extra


def _split(history: History) -> tuple[History, History]:
    front = 0
    while front < len(history) and history[front].role == "system":
        front += 1
    return history[:front], history[front:]


def _turns(history: History, model: str) -> list[_Turn]:
    """Return the sides in turn, beginning and ending with the user: what the API asks for."""
    turns: list[_Turn] = []
    ids = WireIds()
    for message in history:
        role: Literal["user", "assistant"] = "assistant" if message.role == "assistant" else "user"
        blocks = list(_blocks(message, ids, model))
        if not blocks:
            continue
        if not turns or turns[-1].role != role:
            turns.append(_Turn(role))
        turn = turns[-1]
        if turn.stable == len(turn.blocks) and message.origin not in _CHANGING:
            turn.stable += len(blocks)
        turn.blocks += blocks
    if not turns or turns[0].role == "assistant":
        turns.insert(0, _Turn("user", [_said_nothing()], 1))
    if turns[-1].role == "assistant":
        turns.append(_Turn("user", [_said_nothing()]))
    return turns


def _blocks(message: Message, ids: WireIds, model: str) -> Iterator[Block]:
    match message.role:
        case "system":
            yield {"type": "text", "text": f"<system>\n{message.text}\n</system>"}
        case "user":
            yield from _user(message)
        case "assistant":
            yield from _assistant(message, ids, model)
        case "tool" if message.result:
            yield _result(message, ids)


def _user(message: Message) -> Iterator[Block]:
    shown = [b for p in message.parts if (b := _shown(p))]
    yield from shown or [_said_nothing()]


def _said_nothing() -> Block:
    """A new block each time: a marker is set on one of them."""
    return {"type": "text", "text": NOTHING_SAID}


def _shown(part: Part) -> Block | None:
    match part:
        case Text(text) if text.strip():
            return {"type": "text", "text": text}
        case Media():
            return image_block(part)
    return None


def image_block(media: Media) -> Block:
    """Return the part as Anthropic writes it; OpenAI's image parts are turned, others go as they are."""
    told = media.part.get("image_url")
    url = str(told.get("url", "")) if isinstance(told, Mapping) else str(told or "")
    if not url:
        return dict(media.part)
    head, _, data = url.partition(";base64,")
    if not data:
        return {"type": "image", "source": {"type": "url", "url": url}}
    return {"type": "image", "source": {"type": "base64", "media_type": head.removeprefix("data:"), "data": data}}


def _assistant(message: Message, ids: WireIds, model: str) -> Iterator[Block]:
    """A message of nothing but thinking is left out: the API takes no turn that ends with it."""
    if not (message.text.strip() or message.calls):
        return
    for part in message.parts:
        match part:
            case Thinking():
                yield from _thinking(part, model)
            case Text(text) if text.strip():
                yield {"type": "text", "text": text}
            case ToolCall(id, name, arguments):
                given = json.loads(object_text(arguments))
                yield {"type": "tool_use", "id": ids.call(id), "name": name, "input": given}


def _thinking(part: Thinking, model: str) -> Iterator[Block]:
    """Only the model that signed a block takes it back, byte for byte; for another one it is left out."""
    if part.extra.get("model", model) != model:
        return
    if part.extra.get("type") == "redacted_thinking":
        yield {key: value for key, value in part.extra.items() if key != "model"}
    elif part.signature:
        yield {"type": "thinking", "thinking": part.text, "signature": part.signature}


def _result(message: Message, ids: WireIds) -> Block:
    result = message.result
    shown = [b for p in message.parts if (b := _shown(p))]
    text = result.text if result else ""
    content: str | list[Block] = text
    if shown:
        content = ([{"type": "text", "text": text}] if text.strip() else []) + shown
    block: Block = {"type": "tool_result", "tool_use_id": ids.result(result.call_id if result else "")}
    block |= {"content": content} if content else {}
    return block | ({"is_error": True} if result and result.status in _FAILED else {})


def _tool(tool: Mapping[str, Any]) -> Block:
    function = tool.get("function")
    if not isinstance(function, Mapping):
        return dict(tool)
    told = {"name": function["name"], "input_schema": function.get("parameters") or {"type": "object"}}
    return told | ({"description": function["description"]} if function.get("description") else {})


def _choice(choice: object) -> Block:
    if isinstance(choice, str):
        return {"type": _CHOICES.get(choice, choice)}
    function = choice.get("function") if isinstance(choice, Mapping) else None
    if isinstance(function, Mapping):
        return {"type": "tool", "name": function.get("name")}
    return dict(choice) if isinstance(choice, Mapping) else {"type": "auto"}


def _used(history: History) -> list[str]:
    """Return the names of the tools that were called: the API refuses calls in a history without any tool."""
    return list(dict.fromkeys(call.name for message in history for call in message.calls))


def _mark(system: list[Block], tools: list[Block], turns: list[_Turn]) -> None:
    """Set at most four cache markers: static prefix, end of the system prompt, the last two stable user turns."""
    if system:
        system[0]["cache_control"] = system[-1]["cache_control"] = _MARK
    elif tools:
        tools[-1]["cache_control"] = _MARK
    stable = [t for t in turns if t.role == "user" and t.stable]
    for turn in stable[-2:]:
        turn.blocks[turn.stable - 1]["cache_control"] = _MARK

"""Layer 1 and 3: old tool results become placeholders that name what they stand for (S3.1, R3.3)."""

import json
from collections.abc import Mapping
from dataclasses import replace

from ...locales import say
from ..messages import Message, Part, ToolCall, ToolResult
from ..rules import Rules, calls_of, with_message
from ..view import Item, View

SUBJECT_CHARS = 60
ERROR_LINES = 3
_SUBJECTS = ("path", "file_path", "file", "paper", "query", "bibcode", "url", "id", "ref", "command", "pattern", "name")


def micro(view: View, rules: Rules, keep_recent: int, keep_tokens: int) -> View:
    """Clear every result older than the last *keep_recent*, and older than the newest *keep_tokens* of results."""
    old = set(_older(view, keep_recent, keep_tokens, rules))
    if not old:
        return view
    calls = calls_of(view)
    cleared = tuple(clear(item, calls[i], rules) if i in old else item for i, item in enumerate(view))
    return view if all(a is b for a, b in zip(cleared, view, strict=True)) else cleared


def _older(view: View, keep_recent: int, keep_tokens: int, rules: Rules) -> list[int]:
    results = [i for i, item in enumerate(view) if item.message.role == "tool"]
    kept_tokens, old = 0, []
    for age, i in enumerate(reversed(results)):
        rule = rules.policy.rule_for(_name(view[i].message))
        kept_tokens += view[i].tokens
        shield = 0 if rule == "eager" else keep_tokens
        if age >= keep_recent and kept_tokens > shield and rule in ("normal", "eager"):
            old.append(i)
    return old


def _name(message: Message) -> str:
    return message.result.name if message.result else ""


def clear(item: Item, call: ToolCall | None, rules: Rules) -> Item:
    """Return *item* with its result replaced by a placeholder; a result shorter than that stays."""
    result = item.message.result
    if result is None or item.kind in ("cleared", "repair"):
        return item
    name = call.name if call else result.name or "tool"
    text = say(
        rules.locale,
        "context.cleared",
        name=name,
        subject=_prefixed(subject(call, rules)),
        size=size(item.tokens),
        ref=f"m{item.first}",
    )
    text += _last_lines(result, rules)
    parts: tuple[Part, ...] = (replace(result, text=text),)
    return with_message(item, replace(item.message, parts=parts), rules, "cleared")


def _last_lines(result: ToolResult, rules: Rules) -> str:
    failed = result.status in ("error", "denied") or result.text[:40].lstrip().lower().startswith(
        ("error", "traceback")
    )
    if not failed:
        return ""
    lines = result.text.rstrip().splitlines()[-ERROR_LINES:]
    return say(rules.locale, "context.cleared_error", lines=" / ".join(lines)[-300:])


def _prefixed(text: str) -> str:
    return f" {text}" if text else ""


def subject(call: ToolCall | None, rules: Rules) -> str:
    """Return what a call is about, in a few words: by the tool's own rule, else its most telling argument."""
    if call is None:
        return ""
    try:
        arguments = json.loads(call.arguments or "{}")
    except ValueError:
        return _clipped(call.arguments)
    if not isinstance(arguments, Mapping):
        return _clipped(call.arguments)
    own = (rules.subjects or {}).get(call.name)
    if own and (text := own(arguments)):
        return _clipped(text)
    chosen = next((arguments[k] for k in _SUBJECTS if isinstance(arguments.get(k), str) and arguments[k]), None)
    if chosen is None:
        chosen = next((v for v in arguments.values() if isinstance(v, str | int | float) and v != ""), "")
    return _clipped(str(chosen))


def _clipped(text: str) -> str:
    line = " ".join(text[: SUBJECT_CHARS * 2].split())
    return line if len(line) <= SUBJECT_CHARS else line[: SUBJECT_CHARS - 1] + "…"


def size(tokens: int) -> str:
    """Write a number of tokens shortly: 340, 3.4k."""
    return str(tokens) if tokens < 1_000 else f"{tokens / 1_000:.1f}k"

"""Long arguments of old calls (files written, patches) become references; short ones stay readable."""

import json
from dataclasses import replace
from typing import Any

from ...locales import say
from ..messages import Part, ToolCall
from ..rules import Rules, with_message
from ..tokens import estimate_text
from ..view import Item, View
from .micro import size

LONG_CHARS = 240


def arguments(view: View, rules: Rules, keep_tokens: int) -> View:
    """Fold string arguments of more than 240 characters in all groups older than the newest *keep_tokens*."""
    boundary, kept = len(view), 0
    while boundary > 0 and kept <= keep_tokens:
        boundary -= 1
        kept += view[boundary].tokens
    folded = tuple(_folded(item, rules) if i < boundary else item for i, item in enumerate(view))
    return view if all(a is b for a, b in zip(folded, view, strict=True)) else folded


def _folded(item: Item, rules: Rules) -> Item:
    if item.kind != "whole" or not any(len(call.arguments) > LONG_CHARS for call in item.message.calls):
        return item
    if any(rules.policy.rule_for(call.name) == "never" for call in item.message.calls):
        return item
    parts: tuple[Part, ...] = tuple(
        replace(p, arguments=_short(p.arguments, item.first, rules)) if isinstance(p, ToolCall) else p
        for p in item.message.parts
    )
    return with_message(item, replace(item.message, parts=parts), rules, "cleared")


def _short(text: str, position: int, rules: Rules) -> str:
    if len(text) <= LONG_CHARS:
        return text
    try:
        given = json.loads(text)
    except ValueError:
        given = {"_": text}
    return json.dumps(_walk(given, position, rules), ensure_ascii=False)


def _walk(value: Any, position: int, rules: Rules) -> Any:
    match value:
        case str() if len(value) > LONG_CHARS:
            return say(rules.locale, "context.folded_argument", size=size(estimate_text(value)), ref=f"m{position}")
        case dict():
            return {k: _walk(v, position, rules) for k, v in value.items()}
        case list():
            return [_walk(v, position, rules) for v in value]
    return value

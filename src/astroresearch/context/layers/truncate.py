"""The emergency: the largest result or text is cut in its middle, with a reference to the whole (R3.13)."""

from dataclasses import replace

from ...locales import say
from ..messages import Message, Part, Text, ToolResult
from ..rules import Rules
from ..view import Item, View, total
from .micro import size

SMALLEST = 200  # tokens below which cutting gives nothing back


def truncate(view: View, rules: Rules, room: int) -> View:
    """Cut the largest messages in their middle until the view takes at most *room* tokens, or nothing is left to cut."""
    while total(view) > room:
        at = max(range(len(view)), key=lambda i: _cuttable(view[i]), default=-1)
        if at < 0 or _cuttable(view[at]) <= SMALLEST:
            return view
        item = view[at]
        keep = max(item.tokens - (total(view) - room), item.tokens // 4, SMALLEST // 2)
        shorter = shorten(item, rules, keep)
        if shorter.tokens >= item.tokens:
            return view
        view = (*view[:at], shorter, *view[at + 1 :])
    return view


def _cuttable(item: Item) -> int:
    return 0 if item.message.role == "system" or item.kind == "state" else item.tokens


def shorten(item: Item, rules: Rules, keep: int) -> Item:
    """Return *item* with its longest text cut in the middle so that it takes about *keep* tokens."""
    parts = list(item.message.parts)
    texts = [(len(p.text), i) for i, p in enumerate(parts) if isinstance(p, Text | ToolResult)]
    if not texts:
        return item
    length, at = max(texts)
    chars = max(int(length * keep / max(item.tokens, 1)) - 60, 80)
    while True:
        parts[at] = _cut(item.message.parts[at], chars, item, rules)
        message = replace(item.message, parts=tuple(parts))
        tokens = rules.count(message)
        if tokens <= keep or chars <= 80:
            return Item(message, item.first, item.last, tokens, "cut")
        chars = max(chars * 3 // 4, 80)


def _cut(part: Part, chars: int, item: Item, rules: Rules) -> Part:
    assert isinstance(part, Text | ToolResult)
    dropped = max(item.tokens - rules.count(Message("user", (Text(part.text[:chars]),))), 1)
    mark = say(rules.locale, "context.cut", size=size(dropped), ref=f"m{item.first}")
    head = chars * 2 // 3
    return replace(part, text=part.text[:head] + mark + part.text[len(part.text) - (chars - head) :])

"""The emergency: the largest result or text is cut in its middle, with a reference to the whole (R3.13)."""

from dataclasses import replace

from ...locales import say
from ..messages import Media, Message, Part, Text, ToolResult
from ..rules import Rules, with_message
from ..view import Item, View, total
from .micro import size

SMALLEST = 200  # tokens below which cutting gives nothing back


def truncate(view: View, rules: Rules, room: int) -> View:
    """Cut until the view takes at most *room* tokens, or nothing is left to cut: old images first, then the largest."""
    for i, item in enumerate(view):
        if total(view) <= room:
            return view
        if any(isinstance(part, Media) for part in item.message.parts):
            view = (*view[:i], _without_media(item, rules), *view[i + 1 :])
    return _largest_cut(view, rules, room)


def _without_media(item: Item, rules: Rules) -> Item:
    parts = tuple(_named(p, item, rules) if isinstance(p, Media) else p for p in item.message.parts)
    return with_message(item, replace(item.message, parts=parts), rules, "cut")


def _named(media: Media, item: Item, rules: Rules) -> Text:
    return Text(say(rules.locale, "context.media", kind=media.kind, ref=f"m{item.first}"))


def _largest_cut(view: View, rules: Rules, room: int) -> View:
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

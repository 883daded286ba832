"""Superseded reads go first: the same call was made again later and answered, so the older answer is stale."""

from ..duplicates import fingerprint
from ..messages import ToolCall
from ..rules import Rules, calls_of
from ..view import View
from .micro import clear


def stale(view: View, rules: Rules) -> View:
    """Clear each result whose very call stands again, with a good result, nearer to the end."""
    calls = calls_of(view)
    seen: set[str] = set()
    old: list[int] = []
    for i in range(len(view) - 1, -1, -1):
        call, result = calls[i], view[i].message.result
        if call is None or result is None or rules.policy.rule_for(call.name) == "never":
            continue
        key = fingerprint(call)
        if key in seen:
            old.append(i)
        elif result.status == "ok" and view[i].kind == "whole":
            seen.add(key)
    return _cleared(view, old, calls, rules)


def _cleared(view: View, old: list[int], calls: list[ToolCall | None], rules: Rules) -> View:
    items = list(view)
    for i in old:
        items[i] = clear(items[i], calls[i], rules)
    return view if all(a is b for a, b in zip(items, view, strict=True)) else tuple(items)

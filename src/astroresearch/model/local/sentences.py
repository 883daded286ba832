"""Whole sentences of a paper's text: mathematics, abbreviations and decimals never end one."""

import re

_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]{1,400}\$", re.DOTALL)
_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[$\\A-Z0-9\u4e00-\u9fff])|[。！？][”’）」]*|\n\s*\n|\n(?=[|\-*•])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[~])(?:[A-Za-z]|e\.g|i\.e|et al|al|cf|vs|viz|ca|approx|resp|Figs?|Eqs?|Eqns?|Secs?|Sects?|Tabs?|Refs?"
    r"|Apps?|Chap|Nos?|Vol|pp|Dr|Prof|Mr|Ms|St|Jr|Astron|Astrophys|Mon|Soc|Sept?|Dec|Jan|Feb|Aug|Oct|Nov)\.$"
)


def sentences(text: str) -> list[str]:
    """Return the sentences of *text* in order, each on one line."""
    closed = [match.span() for match in _MATH.finditer(text)]
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        inside = any(begin < match.start() < end - 1 for begin, end in closed)
        if inside or _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start() + 1]):
            continue
        found.append(text[start : match.end()])
        start = match.end()
    found.append(text[start:])
    return [line for sentence in found if (line := " ".join(sentence.split()))]

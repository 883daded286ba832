"""Whole sentences of a text: mathematics, abbreviations and decimals never end one."""

import re

_END = re.compile(r"[.!?]{1,8}[\"'”’)\]]*(?=\s|$)|[。！？；]+[”’）」]*|\n\n+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[~])(?:[A-Za-z]|e\.g|i\.e|et al|al|cf|vs|viz|ca|approx|resp|etc|Figs?|Eqs?|Eqns?|Secs?|Sects?"
    r"|Tabs?|Refs?|Apps?|Chap|Nos?|Vol|pp?|Dr|Prof|Mr|Ms|Mrs|St|Jr|Inc|Ltd|Co|Univ|Dept|Obs|Astron|Astrophys|Mon|Not|R|Soc"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|a\.k\.a|w\.r\.t)\.$"
)
_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]{1,400}\$", re.DOTALL)


def sentences(text: str) -> list[str]:
    """Return the sentences of *text*, in order, together all of its words."""
    closed = [(m.start(), m.end()) for m in _MATH.finditer(text)]
    found: list[str] = []
    start = inside = 0
    for match in _END.finditer(text):
        while inside < len(closed) and closed[inside][1] <= match.start():
            inside += 1
        in_math = inside < len(closed) and closed[inside][0] < match.start()
        if in_math or _ABBREVIATION.search(text[max(start, match.start() - 12) : match.end()]):
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]

"""The plan as ``todo_write`` keeps it: which papers are to be read and for what. It outlives every compaction."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...locales import LOCALES, Locale, say, texts

Status = Literal["pending", "in_progress", "completed"]
ABOUT = 120  # characters of what a paper is read for

_SHOWN = re.compile(r"^\[(?P<mark>[ x>])\] [^\s.]+\. (?P<content>.+)$", re.MULTILINE)
_MARKS: Mapping[str, Status] = {" ": "pending", ">": "in_progress", "x": "completed"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper of the plan. *about*: the side of a comparison that it is read for. *begun*: it was opened."""

    key: str
    about: str = ""
    begun: bool = False

    def is_same(self, other: "Reading") -> bool:
        return (self.key, self.about) == (other.key, other.about)


def written(arguments: Mapping[str, object]) -> tuple[Reading, ...]:
    """Return the readings in the arguments of a call of ``todo_write``."""
    todos = arguments.get("todos")
    items = [item for item in todos if isinstance(item, dict)] if isinstance(todos, list) else []
    return tuple(_readings((str(item.get("content", "")), str(item.get("status"))) for item in items))


def shown(text: str) -> tuple[Reading, ...]:
    """Return the readings in a plan as it is shown: ``[x] 2. Read 2020A&A...641A...6P``."""
    return tuple(_readings((match["content"], _MARKS[match["mark"]]) for match in _SHOWN.finditer(text)))


def _readings(items: Iterable[tuple[str, str]]) -> Iterator[Reading]:
    for content, status in items:
        if match := next(filter(None, (pattern.fullmatch(content) for pattern in _PATTERNS)), None):
            yield Reading(match["key"], match.groupdict().get("about", ""), status != "pending")


def _pattern(template: str) -> re.Pattern[str]:
    pattern = re.escape(template).replace(r"\{key\}", r"(?P<key>[^\s：]+)").replace(r"\{about\}", "(?P<about>.+)")
    return re.compile(pattern)


_PATTERNS = tuple(
    _pattern(texts(locale, "local")[key]) for locale in LOCALES for key in ("plan_paper_about", "plan_paper")
)


def todos(
    locale: Locale, search: Status, readings: Sequence[tuple[Reading, Status]], answer: Status
) -> list[dict[str, str]]:
    """Return the plan as ``todo_write`` takes it; before any paper is chosen, reading is one item."""
    middle = [(_content(locale, reading), status) for reading, status in readings]
    waiting = [(say(locale, "local.plan_read"), "pending")] if answer == "pending" else []
    items = [
        (say(locale, "local.plan_search"), search),
        *(middle or waiting),
        (say(locale, "local.plan_answer"), answer),
    ]
    return [{"id": str(i), "content": content, "status": status} for i, (content, status) in enumerate(items, 1)]


def _content(locale: Locale, reading: Reading) -> str:
    key = "local.plan_paper_about" if reading.about else "local.plan_paper"
    return say(locale, key, key=reading.key, about=reading.about)

"""How long the server asks to wait: in headers, in the body's fields, in words."""

import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from .evidence import Evidence

_UNITS = {
    "ms": 0.001, "millisecond": 0.001, "msec": 0.001, "毫秒": 0.001,
    "s": 1.0, "sec": 1.0, "second": 1.0, "秒": 1.0, "秒钟": 1.0,
    "m": 60.0, "min": 60.0, "minute": 60.0, "分": 60.0, "分钟": 60.0,
    "h": 3600.0, "hr": 3600.0, "hour": 3600.0, "小时": 3600.0, "时": 3600.0,
    "d": 86400.0, "day": 86400.0, "天": 86400.0, "日": 86400.0,
}  # fmt: skip
_WORDS = "|".join(sorted(_UNITS, key=len, reverse=True))
_AMOUNT = rf"\d+(?:\.\d+)?\s*(?:{_WORDS})(?:e?s)?(?![a-z])"
_DURATION = re.compile(rf"(?i)(\d+(?:\.\d+)?)\s*({_WORDS})(?:e?s)?(?![a-z])")
_SPAN = rf"({_AMOUNT}(?:[\s,]*(?:and\s+)?{_AMOUNT})*|\d+(?:\.\d+)?(?![\d.]|\s*(?:times|tokens|requests|%)))"
_ASKED = re.compile(
    rf"(?i)(?:(?:try|retry)(?:\s+\w+){{0,3}}?\s+(?:in|after)|wait(?:\s+(?:for|at\s+least|about))*|available\s+in|resets?\s+(?:in|after)"
    rf"|retry[-_ ]?(?:after|delay)\W{{1,4}}|请(?:在|于|等待|稍等)?|等待|将在|需在)\s*{_SPAN}"
)
_AFTERWARDS = re.compile(rf"(?i){_SPAN}\s*(?:之?后|以后)\s*(?:再|重|可|恢复)")
_RESET = re.compile(r"(?:x-)?ratelimit-reset(?:-.+)?|anthropic-ratelimit-(?:.+-)?reset")
_FIELDS = ("retrydelay", "retry_after", "retry_after_seconds", "retryafter", "resets_in_seconds", "retry_after_ms")


def wait(evidence: Evidence, now: float) -> float | None:
    """Return the seconds that the server asks for, or None. *now* is in epoch seconds."""
    sources: tuple[Callable[[], float | None], ...] = (
        lambda: _milliseconds(evidence.headers.get("retry-after-ms")),
        lambda: _header(evidence.headers, now),
        lambda: _in_fields(evidence.fields),
        lambda: _in_words(evidence.text),
        lambda: _resets(evidence.headers, now),
        lambda: _until(evidence.fields.get("resets_at"), now),
        lambda: _until(evidence.fields.get("x-ratelimit-reset"), now),
    )
    return next((seconds for source in sources if (seconds := source()) is not None), None)


def _sane(seconds: float | None) -> float | None:
    return seconds if seconds is not None and math.isfinite(seconds) and seconds > 0 else None


def _number(text: object) -> float | None:
    try:
        return float(str(text))
    except ValueError:
        return None


def _milliseconds(text: object) -> float | None:
    value = _number(text)
    return _sane(value / 1000) if value is not None else None


def _header(headers: Mapping[str, str], now: float) -> float | None:
    """Read ``retry-after``: seconds, also with a fraction or a unit, or an HTTP date by the server's own clock."""
    text = headers.get("retry-after", "")
    value = _number(text)
    if value is not None:
        return _sane(value if value < 1e9 else value - now)
    date = _date(text)
    if date is None:
        return duration(text)
    told = _date(headers.get("date", ""))
    return _sane(date - (told if told is not None else now))


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp() if text else None
    except (ValueError, TypeError, OverflowError):
        return None


def duration(text: str) -> float | None:
    """Read ``1m26.4s``, ``5 days 22 hours``, ``47s``, ``20 秒``; None if *text* is something else."""
    rest = re.sub(r"(?i)[\s,]|\band\b", "", _DURATION.sub("", text))
    parts = _DURATION.findall(text)
    if rest or not parts:
        return None
    return _sane(sum(float(n) * _UNITS[unit.lower()] for n, unit in parts))


def _in_fields(fields: Mapping[str, object]) -> float | None:
    for key in _FIELDS:
        value = fields.get(key)
        if isinstance(value, bool) or value is None:
            continue
        number = _number(value)
        found = duration(str(value)) if number is None else _sane(number / 1000 if key.endswith("_ms") else number)
        if found is not None:
            return found
    return None


def _in_words(text: str) -> float | None:
    for pattern in (_ASKED, _AFTERWARDS):
        found = pattern.search(text[:20_000])
        if found:
            number = _number(found[1])
            return duration(found[1]) if number is None else _sane(number)
    return None


def _resets(headers: Mapping[str, str], now: float) -> float | None:
    """Return the latest reset of the limits that are used up; of all of them where none says what remains."""
    waits: dict[str, float] = {}
    for name, text in headers.items():
        seconds = _until(text, now) if _RESET.fullmatch(name) else None
        if seconds is not None:
            waits[name] = seconds
    spent = [s for name, s in waits.items() if headers.get(name.replace("reset", "remaining")) in {"0", "0.0"}]
    known = any("remaining" in name for name in headers)
    return max(spent or ([] if known else list(waits.values())), default=None)


def _until(value: object, now: float) -> float | None:
    """Read a duration, seconds from now, epoch seconds or milliseconds, or an ISO time."""
    text = str(value) if value is not None else ""
    number = _number(text)
    if number is not None:
        return _sane(number / 1000 - now if number > 1e11 else number - now if number > 1e9 else number)
    try:
        return _sane(datetime.fromisoformat(text).timestamp() - now)
    except ValueError:
        return duration(text)

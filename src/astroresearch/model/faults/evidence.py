"""Gather what an error says from all the shapes in which providers, proxies and SDKs send it."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_DEEPEST = 8
_LONGEST = 20_000  # characters: an error says what it is long before that; every rule reads all of it
_CODE_KEYS = frozenset(
    [
        "code",
        "type",
        "status",
        "reason",
        "error_code",
        "err_code",
        "errorcode",
        "error_type",
        "__type",
        "quotaid",
        "quotametric",
        "finish_reason",
    ]
)
_MESSAGE_KEYS = ("message", "msg", "detail", "error_message", "errormessage", "error_msg", "error", "title", "raw")
_EMPTY_WORDS = frozenset(
    {"Provider returned error", "error"}
)  # a gateway's wrapping: the provider's words stand deeper
_SECRETS = re.compile(
    r"(?i)\b(?:sk|pk|gsk|xai|rk|key|AIza)[-_]?[A-Za-z0-9_\-]{16,}|(?<=bearer )\S{8,}|(?<=key=)[^\s&\"']{8,}"
)
_TAGS = re.compile(r"(?is)<(script|style)\b.*?</\1\s*>|<[^>]{0,2000}>")
_STATUS = re.compile(
    r"(?i)^\W{0,3}(?:error[ :]+)?([45]\d\d)\b(?![.,]?\d)"
    r"|(?:error code|status(?:[ _]code)?|http(?:/\d(?:\.\d)?)?)\W{1,3}([45]\d\d)\b"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """*codes*: the provider's own codes and types, lower case. *fields*: scalars by lower-case key, outermost first.

    *names*: class names of the exception, of its bases and of its causes.
    """

    status: int | None
    headers: Mapping[str, str]
    codes: frozenset[str]
    text: str
    message: str
    fields: Mapping[str, object]
    names: frozenset[str]
    html: bool = False


def gather(
    status: int | None, headers: Mapping[str, str] | None, body: object, exception: BaseException | None
) -> Evidence:
    chain = tuple(_chain(exception))
    status = status or _first_status(chain)
    heads = _lower(headers or _first_headers(chain))
    bodies = [body] if body not in (None, "", b"") else [b for e in chain if (b := getattr(e, "body", None))]
    said = [str(e) for e in chain if str(e)]
    pairs = [pair for value in [*bodies, *said] for pair in _scalars(value)]
    text = "\n".join(str(value) for _, value in pairs)[:_LONGEST]
    fields: dict[str, object] = {}
    for key, value in pairs:
        fields.setdefault(key, value)
    names = frozenset(name for e in chain for name in _names(e))
    return Evidence(
        status=status if status and status >= 400 else _status_in(fields, text),
        headers=heads,
        codes=_codes(pairs) | _header_codes(heads),
        text=text,
        message=_message(pairs, said),
        fields=fields,
        names=names,
        html="<html" in text[:2000].lower() or "<!doctype html" in text[:2000].lower(),
    )


def _chain(exception: BaseException | None, depth: int = 0) -> Iterator[BaseException]:
    """Yield the exception, those that it groups, and what caused it."""
    if exception is None or depth > _DEEPEST:
        return
    yield exception
    for inner in getattr(exception, "exceptions", ()):
        yield from _chain(inner, depth + 1)
    hidden = None if exception.__suppress_context__ else exception.__context__
    yield from _chain(exception.__cause__ or hidden, depth + 1)


def _names(exception: BaseException) -> Iterator[str]:
    for base in type(exception).__mro__:
        if base in (Exception, BaseException, object):
            return
        yield base.__name__


def _first_status(chain: tuple[BaseException, ...]) -> int | None:
    for e in chain:
        for holder in (e, getattr(e, "response", None)):
            for name in ("status_code", "status", "code"):
                value = getattr(holder, name, None)
                if isinstance(value, int) and 100 <= value <= 599:
                    return value
    return None


def _first_headers(chain: tuple[BaseException, ...]) -> Mapping[str, str]:
    for e in chain:
        for holder in (getattr(e, "response", None), e):
            found = getattr(holder, "headers", None)
            if found is not None and hasattr(found, "items"):
                return dict(found.items())
    return {}


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {str(k).lower(): str(v).strip() for k, v in headers.items()}


def _header_codes(headers: Mapping[str, str]) -> frozenset[str]:
    """AWS names the exception in a header, followed by an address."""
    named = headers.get("x-amzn-errortype", "").split(":")[0].strip().lower()
    return frozenset({named}) if named else frozenset()


def _scalars(value: object, key: str = "", depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield every scalar with the lower-case key it stands under; JSON inside strings is opened too."""
    if depth > _DEEPEST or value is None:
        return
    if isinstance(value, bytes | bytearray):
        value = bytes(value[:_LONGEST]).decode("utf-8", "replace")
    if isinstance(value, Mapping):
        for k, v in value.items():
            yield from _scalars(v, str(k).lower(), depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _scalars(item, key, depth + 1)
    elif isinstance(value, str):
        yield key, value[:_LONGEST]
        yield from _scalars(_opened(value[:_LONGEST]), key, depth + 1)
    else:
        yield key, value


def _opened(text: str) -> object:
    """Return the JSON object (or a printed Python dict) that stands in *text*, or None."""
    start = text.find("{")
    if start < 0:
        return None
    try:
        return json.JSONDecoder().raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text[start : text.rfind("}") + 1])
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _codes(pairs: list[tuple[str, object]]) -> frozenset[str]:
    found = set()
    for key, value in pairs:
        word = str(value).strip()
        if (key in _CODE_KEYS or key == "error") and word and len(word) < 120 and " " not in word:
            found.add(word.lower())
    return frozenset(found)


def _status_in(fields: Mapping[str, object], text: str) -> int | None:
    for key in ("status_code", "statuscode", "raw_status_code", "status", "code"):
        value = str(fields.get(key, ""))
        if value.isdigit() and 400 <= int(value) <= 599:
            return int(value)
    found = _STATUS.search(text[:2000])
    return int(found[1] or found[2]) if found else None


def _message(pairs: list[tuple[str, object]], said: list[str]) -> str:
    """Return the innermost message in one redacted line of at most 500 characters."""
    best = ""
    for wanted in _MESSAGE_KEYS:
        texts = [v for k, v in pairs if k == wanted and isinstance(v, str) and v.strip() and v not in _EMPTY_WORDS]
        if texts:
            best = texts[-1]
            break
    best = best or next((str(v) for k, v in pairs if isinstance(v, str) and v.strip()), "") or (said[0] if said else "")
    plain = " ".join(_TAGS.sub(" ", best).split())
    return _SECRETS.sub("[redacted]", plain)[:500]

"""From the JSON text that a model wrote to a tool's arguments, or to an error that the model can act on."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..locales import Locale, say, texts
from .base import Arguments, Tool

QUOTE = 30  # characters on either side of the place where JSON breaks
SHOWN = 80  # characters of a wrong value
PROBLEMS = 5


class BadArguments(ValueError):
    """The call cannot run; the message says which argument, what was given, and what would be right."""


def parse(tool: Tool, text: str, locale: Locale) -> Arguments:
    """Return the validated arguments of a call of *tool*; an empty *text* is an empty object."""
    given = _decode(tool, text, locale)
    try:
        return tool.arguments.model_validate(given)
    except ValidationError as error:
        raise BadArguments(_explain(tool, error.errors(include_url=False), locale)) from None


def _decode(tool: Tool, text: str, locale: Locale) -> dict[str, object]:
    try:
        given = json.loads(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        place = f"{text[max(error.pos - QUOTE, 0) : error.pos]}⟨!⟩{text[error.pos : error.pos + QUOTE]}"
        message = say(locale, "tools.bad_json", reason=error.msg, position=error.pos, place=place)
        raise BadArguments(message + _example_line(tool, locale)) from None
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, 10,000 brackets
        message = say(locale, "tools.unreadable_json", reason=type(error).__name__)
        raise BadArguments(message + _example_line(tool, locale)) from None
    if not isinstance(given, dict):
        message = say(locale, "tools.not_an_object", given=_short(given))
        raise BadArguments(message + _example_line(tool, locale))
    return given


def _explain(tool: Tool, errors: Iterable[ErrorDetails], locale: Locale) -> str:
    problems = list(errors)
    lines = [say(locale, "tools.bad_arguments", tool=tool.name)]
    lines += ["- " + _problem(tool, error, locale) for error in problems[:PROBLEMS]]
    if len(problems) > PROBLEMS:
        lines.append(say(locale, "tools.more_problems", count=len(problems) - PROBLEMS))
    return "\n".join(lines) + _example_line(tool, locale)


def _problem(tool: Tool, error: ErrorDetails, locale: Locale) -> str:
    where = ".".join(str(step) for step in error["loc"]) or say(locale, "tools.whole")
    if error["type"] == "missing":
        return say(locale, "tools.missing", where=where)
    if error["type"] == "extra_forbidden":
        return say(locale, "tools.extra", where=where, known=", ".join(sorted(tool.arguments.model_fields)))
    return say(locale, "tools.wrong", where=where, given=_short(error["input"]), right=_right(error, locale))


def _right(error: ErrorDetails, locale: Locale) -> str:
    template = texts(locale, "tools").get(f"right_{error['type']}")
    return template.format(**error.get("ctx", {})) if template else error["msg"]


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _example_line(tool: Tool, locale: Locale) -> str:
    written = json.dumps(example(tool.arguments.model_json_schema()), ensure_ascii=False)
    return "\n" + say(locale, "tools.example", example=written)


def example(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> object:
    """Return a value that fits *schema*: its own example if it gives one, else the required fields only."""
    root = root or schema
    if "$ref" in schema:
        return example(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return example(schema["anyOf"][0], root)
    return _example_of_type(schema, root)


def _example_of_type(schema: Mapping[str, Any], root: Mapping[str, Any]) -> object:
    match schema.get("type"):
        case "object":
            required = schema.get("required", ())
            return {name: example(schema["properties"][name], root) for name in required}
        case "array":
            return [example(schema.get("items", {}), root)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case _:
            return "…"

"""How everything is written, where not every terminal shows every character and not every reader stays to the end."""

import json
import os
import sys

_CONTROLS = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


class ReaderLeft(Exception):
    """Whoever read our output has closed it."""


def harmless(text: str) -> str:
    """Return *text* without control characters: what a paper or a model wrote must not steer the terminal."""
    return text.translate(_CONTROLS)


def tell(text: str = "", *, flush: bool = False) -> None:
    """Write a line of the answer."""
    try:
        print(harmless(text), flush=flush)
    except BrokenPipeError:
        raise ReaderLeft from None


def hint(text: str) -> None:
    """Write a line beside the answer: progress, notes, errors."""
    try:
        print(harmless(text), file=sys.stderr)
    except BrokenPipeError:
        raise ReaderLeft from None


def flush() -> None:
    """Write what is still held back."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderLeft from None


def forget() -> None:
    """Let the interpreter end in peace, though what it still holds can't be written any more."""
    with open(os.devnull, "w") as nothing:  # noqa: PTH123
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nothing.fileno(), stream.fileno())


def plain_ascii() -> bool:
    """Return whether stdout takes no more than ASCII for sure; JSON then escapes the rest without loss."""
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"


def as_json_text(document: object) -> str:
    return json.dumps(document, ensure_ascii=plain_ascii(), indent=1, default=str)

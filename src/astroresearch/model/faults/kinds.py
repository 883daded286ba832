"""What a failure of a provider is, told apart by what helps against it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from ...locales import Locale, say


class FaultKind(StrEnum):
    """The public names; programs compare them as strings."""

    RateLimited = "RateLimited"
    Overloaded = "Overloaded"
    PromptTooLong = "PromptTooLong"
    TokenExhausted = "TokenExhausted"
    Timeout = "Timeout"
    Auth = "Auth"
    Quota = "Quota"
    ContentFilter = "ContentFilter"
    InvalidRequest = "InvalidRequest"
    NotFound = "NotFound"
    Network = "Network"
    ModelError = "ModelError"


TRANSIENT = frozenset({FaultKind.RateLimited, FaultKind.Overloaded, FaultKind.Timeout, FaultKind.Network})

Cause: TypeAlias = Literal[
    "",
    "tokens",  # the prompt has more tokens than the model takes
    "bytes",  # the request body is too large, however few its tokens
    "media",  # one image or file is too large
    "output",  # max_tokens is more than the model, or the room that is left, allows
    "cut",  # the answer stopped at max_tokens
    "truncated",  # the stream ended without its end event or without a stop reason
    "silent",  # the stream stopped sending
    "empty",  # status 200, and nothing in it
    "webpage",  # status 200, and a web page instead of the API's answer
    "certificate",  # the server's certificate was refused
    "miswritten",  # the model wrote a call that the provider itself could not read
    "history",  # our own check found the history invalid before it was sent
]

_OWN: dict[str, FaultKind] = {
    "cut": FaultKind.TokenExhausted,
    "truncated": FaultKind.Network,
    "silent": FaultKind.Timeout,
    "empty": FaultKind.Network,
    "webpage": FaultKind.NotFound,
    "history": FaultKind.InvalidRequest,
}
_SPECIAL_ADVICE = frozenset({"bytes", "media", "output", "webpage", "certificate"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One failure. *retryable*: the same request may be sent again once it has waited.

    *retry_after* is in seconds, None if the server named none. *window*, *prompt_tokens* and *output_limit* are what
    the error text reveals: the model's context window, the prompt as the provider counted it, its largest output.
    """

    kind: FaultKind
    message: str = ""
    retry_after: float | None = None
    retryable: bool = False
    cause: Cause = ""
    status: int | None = None
    window: int | None = None
    prompt_tokens: int | None = None
    output_limit: int | None = None

    def advice(self, locale: Locale) -> str:
        """Return what the user can do about it."""
        if self.kind in {FaultKind.RateLimited, FaultKind.Overloaded} and self.retry_after:
            return say(locale, "model.advice_wait", seconds=f"{self.retry_after:.0f}")
        if self.cause in _SPECIAL_ADVICE:
            return say(locale, f"model.advice_{self.cause}")
        return say(locale, f"model.advice_{self.kind}")

    def told(self, locale: Locale) -> str:
        """Return what happened, in one line: the provider's words, or ours where we noticed it ourselves."""
        if self.cause in _OWN:
            return say(locale, f"model.told_{self.cause}", detail=self.message)
        return self.message or say(locale, f"model.told_{self.kind}")


class ModelFailure(Exception):
    """Raised by ``Model.stream``: the call did not end in a whole reply."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.kind}: {fault.told('en')}")
        self.fault = fault


def noticed(cause: Cause, detail: str = "", **known: int | None) -> Fault:
    """Return the fault for what only our side can see, such as a stream that ends too early."""
    kind = _OWN[cause]
    return Fault(kind=kind, message=detail, cause=cause, retryable=kind in TRANSIENT, **known)

"""From a fault and what was tried before to the next rung (S5.2, S5.3): pure, so that every schedule can be tried.

Two ways up, never mixed. What passes by itself (limits, overload, network, time-outs) is waited for. What is too long
is made smaller, each rung once a turn. What neither heals is surfaced at once.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from .faults import Fault, FaultKind

MAX_TRIES = 10
MAX_WAIT = 300.0  # seconds that one turn waits in all
LONGEST_DELAY = 300.0  # seconds: a server that asks for more than five minutes is not waited for
OVERLOADS = 3  # in a row, then the fallback model takes over
CONTINUATIONS = 3  # of an answer that was cut by its limit
ESCALATED = 64_000  # tokens: what the hard limit is raised to (S5.2)
LEAST_OUTPUT = 256  # tokens: an answer with less room than this is not worth asking for
_FEW = {"empty": 2, "miswritten": 2}  # the model's own doing: a second answer may be better, a tenth is not


@dataclass(frozen=True, slots=True)
class Retry:
    """Wait *delay* seconds, then send the same request again."""

    delay: float


@dataclass(frozen=True, slots=True)
class AggressiveCompact:
    """Snip and clear old results, without a model."""


@dataclass(frozen=True, slots=True)
class ReactiveCompact:
    """Let the model summarise."""


@dataclass(frozen=True, slots=True)
class DegradeMedia:
    """Replace old images and files by a line of text: the request has too many bytes, not too many tokens."""


@dataclass(frozen=True, slots=True)
class ClampOutput:
    """Ask for at most *max_output* tokens."""

    max_output: int


@dataclass(frozen=True, slots=True)
class EscalateTokens:
    """Raise our own hard limit (or, for an answer without a word, its largest output) to *limit* tokens."""

    limit: int = ESCALATED


@dataclass(frozen=True, slots=True)
class MultiTurn:
    """Ask for the answer in parts: continue the text that was cut, or go step by step."""


@dataclass(frozen=True, slots=True)
class Fallback:
    """Go on with *model*. *reason* is the key of a text in the room ``model``; the other fields are its values."""

    model: str
    reason: Literal["fallback_overloaded", "fallback_wait", "fallback_budget"]
    count: int = 0
    seconds: float = 0.0
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Surface:
    """Stop and tell the user; *reason* as in ``Fallback``."""

    reason: Literal["surface_wait", "surface_budget", "surface_never", "surface_climbed", "surface_background"]
    seconds: float = 0.0
    tries: int = 0
    limit: float = 0.0


Rung: TypeAlias = (
    Retry
    | AggressiveCompact
    | ReactiveCompact
    | DegradeMedia
    | ClampOutput
    | EscalateTokens
    | MultiTurn
    | Fallback
    | Surface
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What the ladder must know of the call. *key* names session and request: it seeds the jitter.

    *fallback* is the model to go to, "" for none. *has_media*: there are images that can be degraded. *has_text*: an
    answer that was cut has words to go on from. *hard_limit* is our own budget. A *background* call never waits for an
    overload.
    """

    key: str
    fallback: str = ""
    has_media: bool = False
    has_text: bool = True
    max_output: int = 8_192
    hard_limit: int = 40_000
    window: int | None = None
    background: bool = False
    max_tries: int = MAX_TRIES
    max_wait: float = MAX_WAIT
    longest_delay: float = LONGEST_DELAY


@dataclass(frozen=True, slots=True)
class Attempts:
    """What one turn has tried. *streak* counts retries since the last answer, *climbed* names the rungs used up."""

    tries: int = 0
    streak: int = 0
    waited: float = 0.0
    overloads: int = 0
    few: int = 0
    continued: int = 0
    climbed: frozenset[str] = frozenset()
    fell_back: bool = False

    def answered(self) -> "Attempts":
        """Return the attempts after a reply: rows are broken, budgets and used rungs stay for the turn."""
        return replace(self, streak=0, overloads=0, few=0)


def next_rung(fault: Fault, attempts: Attempts, situation: Situation) -> tuple[Rung, Attempts]:
    """Return what to do about *fault*, and the attempts to hand in with the next one."""
    overloads = attempts.overloads + 1 if fault.kind is FaultKind.Overloaded else 0
    attempts = replace(attempts, overloads=overloads)
    if fault.cause == "bytes" or (fault.cause == "media" and situation.has_media):
        return _fewer_bytes(attempts, situation)
    if fault.cause == "cut":
        return _go_on(attempts, situation)
    if fault.kind in {FaultKind.PromptTooLong, FaultKind.TokenExhausted}:
        return _smaller(fault, attempts, situation)
    if fault.retryable:
        return _wait(fault, attempts, situation)
    return Surface("surface_never"), attempts


def _wait(fault: Fault, attempts: Attempts, situation: Situation) -> tuple[Rung, Attempts]:
    overloaded = fault.kind in {FaultKind.Overloaded, FaultKind.RateLimited}
    if situation.background and overloaded:
        return Surface("surface_background"), attempts
    if attempts.overloads >= OVERLOADS and (taken := _fall_back("fallback_overloaded", attempts, situation)):
        return taken
    if (fault.retry_after or 0.0) > situation.longest_delay:
        return _too_long_a_wait(fault.retry_after or 0.0, attempts, situation)
    if fault.cause in _FEW:
        if attempts.few >= _FEW[fault.cause]:
            return Surface("surface_budget", attempts.waited, attempts.tries), attempts
        attempts = replace(attempts, few=attempts.few + 1)
    delay = backoff(attempts.streak, situation.key, fault.retry_after)
    if attempts.tries >= situation.max_tries or attempts.waited + delay > situation.max_wait:
        return _out_of_budget(attempts, situation)
    tried = replace(attempts, tries=attempts.tries + 1, streak=attempts.streak + 1, waited=attempts.waited + delay)
    return Retry(delay), tried


def backoff(attempt: int, key: str, asked: float | None = None) -> float:
    """Return the seconds before retry *attempt* (from 0): min(500·2^attempt, 32,000) ms and up to a quarter more.

    A delay that the server *asked* for is never shortened: a tenth more at most. The jitter hashes (key, attempt), so
    it is the same again for the same request, and different from client to client.
    """
    digest = hashlib.sha256(f"{key}\0{attempt}".encode("utf-8", "surrogatepass")).digest()
    share = int.from_bytes(digest[:8], "big") / 2**64
    if asked is not None:
        return asked * (1 + share / 10)
    return min(500 << min(attempt, 16), 32_000) / 1000 * (1 + share / 4)


def _fall_back(
    reason: Literal["fallback_overloaded", "fallback_wait", "fallback_budget"],
    attempts: Attempts,
    situation: Situation,
    seconds: float = 0.0,
) -> tuple[Rung, Attempts] | None:
    if attempts.fell_back or not situation.fallback:
        return None
    rung = Fallback(situation.fallback, reason, attempts.overloads, seconds, attempts.tries)
    return rung, replace(attempts, fell_back=True, streak=0, overloads=0, few=0)


def _too_long_a_wait(asked: float, attempts: Attempts, situation: Situation) -> tuple[Rung, Attempts]:
    taken = _fall_back("fallback_wait", attempts, situation, asked)
    return taken or (Surface("surface_wait", asked, attempts.tries, situation.longest_delay), attempts)


def _out_of_budget(attempts: Attempts, situation: Situation) -> tuple[Rung, Attempts]:
    taken = _fall_back("fallback_budget", attempts, situation, attempts.waited)
    return taken or (Surface("surface_budget", attempts.waited, attempts.tries, situation.max_wait), attempts)


def _climb(attempts: Attempts, rungs: tuple[Rung, ...]) -> tuple[Rung, Attempts]:
    """Return the first rung that was not used in this turn."""
    for rung in rungs:
        name = type(rung).__name__
        if name not in attempts.climbed:
            return rung, replace(attempts, climbed=attempts.climbed | {name})
    return Surface("surface_climbed", attempts.waited, attempts.tries), attempts


def _fewer_bytes(attempts: Attempts, situation: Situation) -> tuple[Rung, Attempts]:
    media: tuple[Rung, ...] = (DegradeMedia(),) if situation.has_media else ()
    return _climb(attempts, (*media, AggressiveCompact(), ReactiveCompact()))


def _smaller(fault: Fault, attempts: Attempts, situation: Situation) -> tuple[Rung, Attempts]:
    clamp = _clamp(fault, situation)
    window = fault.window or situation.window
    roomy = situation.hard_limit < ESCALATED and (window is None or window > ESCALATED)
    raised: tuple[Rung, ...] = (EscalateTokens(),) if roomy else ()
    return _climb(attempts, (*clamp, AggressiveCompact(), ReactiveCompact(), *raised, MultiTurn()))


def _clamp(fault: Fault, situation: Situation) -> tuple[Rung, ...]:
    """Return the output that fits, if asking for less is what helps: by what the error reveals, else half as much."""
    if fault.kind is not FaultKind.TokenExhausted:
        return ()
    room = fault.window - fault.prompt_tokens if fault.window and fault.prompt_tokens is not None else None
    known = [limit for limit in (fault.output_limit, room) if limit is not None]
    fits = min(known) if known else situation.max_output // 2
    return (ClampOutput(fits),) if LEAST_OUTPUT <= fits < situation.max_output else ()


def _go_on(attempts: Attempts, situation: Situation) -> tuple[Rung, Attempts]:
    """Continue an answer that its limit cut, a bounded number of times; without a word of text, give it more room."""
    if not situation.has_text:
        more: tuple[Rung, ...] = (EscalateTokens(),) if situation.max_output < ESCALATED else ()
        return _climb(attempts, more)
    if attempts.continued >= CONTINUATIONS:
        return Surface("surface_climbed", attempts.waited, attempts.tries), attempts
    return MultiTurn(), replace(attempts, continued=attempts.continued + 1)

"""From what came back to one ``Fault`` (R5.1): the status limits what is possible, then code and text decide."""

import time
from collections.abc import Mapping

from .evidence import Evidence, gather
from .kinds import TRANSIENT, Cause, Fault, FaultKind
from .limits import Overflow, overflow
from .rules import SIGNS, THROTTLED, possible
from .waits import wait

_TIMEOUT_NAMES = frozenset(
    [
        "TimeoutError",
        "Timeout",
        "TimeoutException",
        "APITimeoutError",
        "ReadTimeout",
        "ConnectTimeout",
        "PoolTimeout",
        "WriteTimeout",
        "ServerTimeoutError",
    ]
)
_NETWORK_NAMES = frozenset(
    [
        "ConnectionError",
        "APIConnectionError",
        "NetworkError",
        "ConnectError",
        "ReadError",
        "WriteError",
        "CloseError",
        "RemoteProtocolError",
        "ProtocolError",
        "OSError",
        "SSLError",
        "gaierror",
        "TransportError",
        "IncompleteRead",
        "IncompleteReadError",
        "ChunkedEncodingError",
        "ClientConnectionError",
        "ClientPayloadError",
        "ServerDisconnectedError",
        "JSONDecodeError",
        "ContentDecodingError",
        "DecodingError",
        "EndOfStream",
        "BrokenResourceError",
        "ClosedResourceError",
        "HTTPException",
        "BotoCoreError",
    ]
)
_OURS_TO_MEND = frozenset(["UnsupportedProtocol", "InvalidURL", "LocalProtocolError"])


def classify_error(
    *,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
    body: object = None,
    exception: BaseException | None = None,
    now: float | None = None,
) -> Fault:
    """Tell what kind of failure a provider's answer or an SDK's exception is.

    *body* is str, bytes or decoded JSON. Any argument may be None. *now* (epoch seconds) is for dates in headers; it is
    the system's clock unless given.
    """
    evidence = gather(status, headers, body, exception)
    too_long = overflow(evidence)
    kind = _kind(evidence, too_long)
    over = too_long if too_long and too_long.kind == kind else None
    cause: Cause = over.cause if over else _cause(evidence, kind)
    return Fault(
        kind=kind,
        message=evidence.message or (f"HTTP {evidence.status}" if evidence.status else ""),
        retry_after=wait(evidence, time.time() if now is None else now)
        if kind in TRANSIENT | {FaultKind.Quota}
        else None,
        retryable=_retryable(evidence, kind, cause),
        cause=cause,
        status=evidence.status,
        window=over.window if over else None,
        prompt_tokens=over.prompt_tokens if over else None,
        output_limit=over.output_limit if over else None,
    )


def _kind(evidence: Evidence, too_long: Overflow | None) -> FaultKind:
    if evidence.status is None and (by_name := _by_name(evidence.names)):
        return by_name
    candidates, default = possible(evidence.status)
    filtered = FaultKind.ContentFilter in candidates and _shows(evidence, FaultKind.ContentFilter)
    if too_long and not filtered:
        return too_long.kind
    found = next((kind for kind in candidates if _shows(evidence, kind)), default)
    throttled = found is FaultKind.InvalidRequest and any(THROTTLED.fullmatch(code) for code in evidence.codes)
    return FaultKind.RateLimited if throttled else found  # some send 400 for it; only their code can be trusted then


def _shows(evidence: Evidence, kind: FaultKind) -> bool:
    sign = SIGNS[kind]
    if sign.unless.search(evidence.text):
        return False
    return any(sign.codes.fullmatch(code) for code in evidence.codes) or bool(sign.text.search(evidence.text))


def _by_name(names: frozenset[str]) -> FaultKind | None:
    if names & _OURS_TO_MEND:
        return FaultKind.InvalidRequest
    if names & _TIMEOUT_NAMES:
        return FaultKind.Timeout
    return FaultKind.Network if names & _NETWORK_NAMES else None


def _cause(evidence: Evidence, kind: FaultKind) -> Cause:
    if kind == FaultKind.Network and (
        "SSLCertVerificationError" in evidence.names or "certificate verify failed" in evidence.text.lower()
    ):
        return "certificate"
    return "miswritten" if kind == FaultKind.ModelError and _shows(evidence, kind) else ""


def _retryable(evidence: Evidence, kind: FaultKind, cause: Cause) -> bool:
    """A server that forbids a retry is obeyed; one that allows it does not make a bad key good."""
    if evidence.headers.get("x-should-retry", "").lower() == "false" or cause == "certificate":
        return False
    return kind in TRANSIENT or cause == "miswritten"

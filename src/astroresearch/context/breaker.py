"""The circuit breaker of paid compactions, a frozen value that is told the time (S3.5, R3.8)."""

from dataclasses import dataclass, replace
from typing import Literal

MAX_CONSECUTIVE_FAILURES = 3
AUTO_RECOVERY_TIMEOUT_SECS = 300.0


@dataclass(frozen=True, slots=True)
class Breaker:
    """*opened* is when it opened, in seconds of the caller's clock; *seen* what was asked then.

    It half-opens only when the time has passed *and* the request is another one (beyond-the-document 6).
    """

    failures: int = 0
    opened: float | None = None
    seen: int = 0

    def state(self, now: float, request: int) -> Literal["closed", "open", "half_open"]:
        if self.opened is None:
            return "closed"
        waited = now - self.opened >= AUTO_RECOVERY_TIMEOUT_SECS
        return "half_open" if waited and request != self.seen else "open"

    def can_attempt(self, now: float, request: int) -> bool:
        return self.state(now, request) != "open"

    def record_success(self) -> "Breaker":
        return self if self == Breaker() else Breaker()

    def record_failure(self, now: float, request: int) -> "Breaker":
        failures = self.failures + 1
        if failures < MAX_CONSECUTIVE_FAILURES:
            return replace(self, failures=failures)
        return Breaker(failures, now, request)

    def reset(self) -> "Breaker":
        """After a manual compaction that worked (S3.3)."""
        return Breaker()

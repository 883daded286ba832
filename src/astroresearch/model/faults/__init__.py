"""Failures of providers as values: ``classify_error`` tells them apart (R5.1)."""

from .classify import classify_error
from .kinds import TRANSIENT, Cause, Fault, FaultKind, ModelFailure, noticed

__all__ = ["TRANSIENT", "Cause", "Fault", "FaultKind", "ModelFailure", "classify_error", "noticed"]

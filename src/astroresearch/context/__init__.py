"""The context engine: what a model is sent, kept inside its window, with nothing lost. Standard library only."""

from .dicts import InvalidTranscript
from .engine import Engine, Fitted
from .policy import InvalidPolicy, Policy
from .references import UnknownReference
from .window import ContextOverflow

__all__ = ["ContextOverflow", "Engine", "Fitted", "InvalidPolicy", "InvalidTranscript", "Policy", "UnknownReference"]

"""``AGENT_MODEL=local``: a deterministic researcher behind the ``Model`` protocol. It has no language model."""

from .researcher import LocalModel

__all__ = ["LocalModel"]

"""Our own engine behind the same line, so that it is timed as the others are."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wire import Plain, Setup, serve

from astroresearch.context import Engine, Policy

RESERVE = 8_000 / 128_000


class Ours:
    """*variant*: the policy, and ``+summary`` if the fake summariser may be asked."""

    def __init__(self, setup: Setup) -> None:
        self.kept: dict[str, str] = {}
        policy, _, summary = setup.variant.partition("+")

        def summarise(messages: list[Plain], instruction: str) -> str:
            return setup.spending.summarise(instruction + "".join(str(m["content"]) for m in messages))

        reserve = int(setup.limit * RESERVE)
        self._engine = Engine(Policy.named(policy), setup.limit, reserve, summarise if summary else None)
        self._transcript: list[Plain] = []

    def native(self, messages: list[Plain]) -> list[Any]:
        return messages

    def manage(self, new: list[Any]) -> list[Any]:
        self._transcript.extend(new)
        return self._engine.fit(self._transcript).messages

    def plain(self, view: list[Any]) -> list[Plain]:
        return view


if __name__ == "__main__":
    serve(Ours)

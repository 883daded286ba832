"""A model that plays a script: for tests, demos and replay, so that nothing needs to be patched."""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ..context.messages import Message, Text, Thinking, ToolCall, assistant
from ..locales import say
from .base import Chunk, Reply, Request, Stop, TextDelta, ThoughtDelta
from .faults import Fault, FaultKind, ModelFailure, noticed
from .usage import estimated_usage

__all__ = ["Broken", "ScriptedModel", "Step", "estimated_usage", "read_script"]


@dataclass(frozen=True, slots=True)
class Broken:
    """The stream says *deltas* and then fails with *fault*, without a reply."""

    deltas: tuple[TextDelta | ThoughtDelta, ...] = ()
    fault: Fault = field(default_factory=lambda: noticed("truncated"))


Step: TypeAlias = Message | Reply | Fault | Exception | Broken


class ScriptedModel:
    """Plays one *step* a request, and keeps the *requests*: a message is a whole reply, a fault is raised.

    *piece*: text is streamed in deltas of so many characters; 0 sends it whole.
    """

    def __init__(self, script: Iterable[Step], *, name: str = "scripted", piece: int = 0) -> None:
        self.name = name
        self.requests: list[Request] = []
        self._script, self._piece, self._played = iter(script), piece, 0

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        self.requests.append(request)
        step = next(self._script, None)
        if step is None:
            told = say("en", "model.script_over", count=self._played)
            raise ModelFailure(Fault(kind=FaultKind.ModelError, message=told))
        self._played += 1
        for chunk in self._chunks(step, request):
            yield chunk

    def _chunks(self, step: Step, request: Request) -> Iterator[Chunk]:
        match step:
            case Fault():
                raise ModelFailure(step)
            case Broken():
                yield from step.deltas
                raise ModelFailure(step.fault)
            case Reply():
                yield from self._deltas(step.message)
                yield step
            case Message():
                yield from self._deltas(step)
                yield Reply(step, estimated_usage(request, step), _stop(step))
            case _:
                raise step

    def _deltas(self, message: Message) -> Iterator[TextDelta | ThoughtDelta]:
        for part in message.parts:
            if isinstance(part, Thinking) and part.text:
                yield ThoughtDelta(part.text)
            elif isinstance(part, Text):
                size = self._piece or len(part.text) or 1
                for start in range(0, len(part.text), size):
                    yield TextDelta(part.text[start : start + size])


def _stop(message: Message) -> Stop:
    return "tool_use" if message.calls else "end"


def read_script(path: Path) -> tuple[Step, ...]:
    """Read a script, a JSON object a line: ``{"text", "thought", "calls": [{"id", "name", "arguments"}]}`` or a fault,
    ``{"fault", "message", "retry_after", "retryable", "window", "cause"}``.

    Raises ``ValueError`` naming the line that is none.
    """
    steps = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            steps.append(_step(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise ValueError(say("en", "model.bad_script", path=path, line=number, problem=problem)) from problem
    return tuple(steps)


def _step(told: Mapping[str, object]) -> Step:
    if "fault" in told:
        known = {k: v for k, v in told.items() if k in ("message", "retry_after", "window", "retryable", "cause")}
        return Fault(kind=FaultKind(str(told["fault"])), **known)  # type: ignore[arg-type]
    calls = told.get("calls") or ()
    if not isinstance(calls, list | tuple) or not {"text", "thought", "calls"} & set(told):
        raise ValueError(sorted(told))
    return assistant(str(told.get("text", "")), *map(_call, calls), thought=str(told.get("thought", "")))


def _call(told: Mapping[str, object]) -> ToolCall:
    arguments = told.get("arguments", {})
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(str(told["id"]), str(told["name"]), written)

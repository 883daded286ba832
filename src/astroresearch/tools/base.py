"""What a tool is: a name, a schema, how it may be run and forgotten, and one async function."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from ..context.messages import Status
from ..locales import Locale

Clearing: TypeAlias = Literal["never", "stale_only", "normal", "eager"]


class Arguments(BaseModel):
    """Base of every tool's arguments: an unknown name is an error that the model can act on."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Citation:
    """A paper that a result quotes: *id* is its bibcode, arXiv id or library key; *place* a section or page."""

    id: str
    title: str
    year: int | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool returns. *text* is what the model reads; the executor cuts it to size with a reference."""

    text: str
    status: Status = "ok"
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """Who calls: given to every tool run."""

    session_id: str
    call_id: str
    agent_name: str = "lead"
    locale: Locale = "en"
    report: Callable[[str], None] = lambda text: None  # progress, shown to the user


Run: TypeAlias = Callable[..., Awaitable[Outcome]]  # (arguments: Arguments, context: CallContext) -> Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """*read_only* calls run side by side; *clearing* says when compaction may forget a result (beyond-the-document 4);
    *subject* names what a call is about (a paper, a query), for placeholders and to find superseded reads."""

    name: str
    summary: str  # one line for the system prompt, about 20 tokens (R1.3)
    description: str  # for the schema
    arguments: type[Arguments]
    run: Run
    read_only: bool = True
    idempotent: bool = True
    slow: bool = False
    polling: bool = False
    clearing: Clearing = "normal"
    timeout: float | None = None  # seconds; None: the setting
    subject: Callable[[Mapping[str, object]], str] = field(default=lambda arguments: "")

    @property
    def schema(self) -> Mapping[str, object]:
        """The OpenAI-style function schema."""
        parameters = self.arguments.model_json_schema()
        parameters.pop("title", None)
        parameters.pop("description", None)
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": parameters},
        }

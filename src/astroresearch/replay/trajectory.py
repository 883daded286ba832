"""Export a session as our own trajectory (docs/trajectory.md), or as chat messages that other tools read."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

VERSION = 1
REDACTED = "[redacted]"

# Shapes of credentials that a tool's output or a pasted command may hold; values known to be secret come on top.
_SECRETS = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}|\bxox[abprs]-[A-Za-z0-9-]{10,}"
    r"|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    r"|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}=*|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----"
)


def session_record(session_id: str, *, tools: Sequence[Mapping[str, Any]] = (), **about: Any) -> dict[str, Any]:
    """Return the first record; *about*: model, locale, created_at, … as JSON values."""
    return {"type": "session", "version": VERSION, "session_id": session_id, "tools": list(tools), **about}


def message_record(position: int, agent: str, message: Mapping[str, Any], **about: Any) -> dict[str, Any]:
    """Return the record of an OpenAI-style *message*; *about*: turn, origin, usage, created_at, …"""
    return {"type": "message", "position": position, "agent": agent, **about, "message": dict(message)}


def compaction_record(agent: str, record: Mapping[str, Any], **about: Any) -> dict[str, Any]:
    """Return the record of a compaction as the context engine described it."""
    return {"type": "compaction", "agent": agent, **about, "record": dict(record)}


def event_record(seq: int, event: Mapping[str, Any], **about: Any) -> dict[str, Any]:
    """Return the record of a public event with its number."""
    return {"type": "event", "seq": seq, **about, "event": dict(event)}


def jsonl(records: Iterable[Mapping[str, Any]], secrets: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of the file with their newlines; *secrets* and what looks like a credential are redacted."""
    known = _known(secrets)
    for record in records:
        yield json.dumps(_redacted(record, known), ensure_ascii=False) + "\n"


def chat(records: Iterable[Mapping[str, Any]], agent: str = "lead", secrets: Sequence[str] = ()) -> dict[str, Any]:
    """Return ``{"id", "tools", "messages"}`` of one agent, the form that other tools read; redacted as ``jsonl``."""
    ident, tools, placed = "", list[Any](), list[tuple[int, Any]]()
    for record in records:
        if record["type"] == "session":
            ident, tools = record["session_id"], record.get("tools") or []
        elif record["type"] == "message" and record["agent"] == agent:
            placed.append((record["position"], record["message"]))
    messages = [message for _, message in sorted(placed, key=lambda p: p[0])]
    document: dict[str, Any] = _redacted({"id": ident, "tools": tools, "messages": messages}, _known(secrets))
    return document


def _known(secrets: Sequence[str]) -> re.Pattern[str] | None:
    worth = sorted({s for s in secrets if len(s) >= 6}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, worth))) if worth else None


def _redacted(value: Any, known: re.Pattern[str] | None) -> Any:
    if isinstance(value, str):
        return redact(value, known)
    if isinstance(value, Mapping):
        return {key: _redacted(inner, known) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(inner, known) for inner in value]
    return value


def redact(text: str, known: re.Pattern[str] | None = None) -> str:
    """Return *text* without what *known* matches and without what has the shape of a credential."""
    text = known.sub(REDACTED, text) if known else text
    return _SECRETS.sub(REDACTED, text)

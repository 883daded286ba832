"""Histories to measure with: a synthetic one with planted needles, and the recorded sessions where they are at hand."""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Plain = dict[str, Any]
WINDOW = 128_000
NEEDLES = 40
NEAR = 8  # of the needles; the others are needed 12 to 400 calls later
USERS = 12
PROSE = (
    "the stellar halo shows a smooth profile with weak gradient toward outer radii while residual scatter follows "
    "known dust lanes and sky subtraction leaves faint ripples near bright sources so calibration frames were taken "
    "again under stable seeing and photometric zero points agree between nights within expected noise"
)


WORDS = PROSE.split()


@dataclass(frozen=True)
class History:
    """*limit*: the tokens that a manager may use of its window. *needles*: identifiers planted to be needed again."""

    name: str
    messages: list[Plain]
    limit: int
    needles: tuple[str, ...] = ()


def synthetic(calls: int = 494, *, limit: int = WINDOW, result_characters: int = 1_900, seed: int = 7) -> History:
    """Return a history of ``2·calls + 13`` messages; with the defaults 1,001 messages, about 268k tokens.

    A result holds text, a few identifiers that nobody asks for again, and now and then a needle, which one later call
    names. Between them the user adds a remark now and then.
    """
    chance = random.Random(seed)
    planted, wanted = _needles(chance, calls)
    remarks = {round(calls * (n + 1) / USERS) for n in range(USERS - 1)}
    messages = [_message("system", "You are a careful research assistant. " + _prose(chance, 900))]
    messages.append(_message("user", "Compare the distance scales of these fields. Always give values with errors."))
    recent = "the first field"
    for n in range(calls):
        asked = " ".join(f"check {needle}" for needle in wanted.get(n, ()))
        messages.append(_call(chance, n, recent, asked))
        recent = f"source {_plain_identifier(chance)}"
        messages.append(_result(chance, n, recent, planted.get(n, ()), result_characters))
        if n in remarks:
            messages.append(_message("user", f"Go on with the next field, remark {n}. {_prose(chance, 200)}"))
    needles = tuple(needle for found in planted.values() for needle in found)
    return History(f"synthetic {len(messages):,}", messages, limit, needles)


def _needles(chance: random.Random, calls: int) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Return which result holds which needle, and which call names it later."""
    planted: dict[int, list[str]] = {}
    wanted: dict[int, list[str]] = {}
    for n in range(NEEDLES):
        far = chance.randint(12, min(400, calls - 60)) if n >= NEAR else chance.randint(2, 8)
        at = chance.randint(1, calls - far - 2)
        needle = f"NDL-{chance.randint(100_000, 999_999)}-{chance.randint(10, 99)}"
        planted.setdefault(at, []).append(needle)
        wanted.setdefault(at + far, []).append(needle)
    return planted, wanted


def _prose(chance: random.Random, characters: int) -> str:
    return " ".join(chance.choices(WORDS, k=characters // 6))[:characters]


def _plain_identifier(chance: random.Random) -> str:
    return f"SRC_{chance.randint(10_000_000, 99_999_999)}"


def _message(role: str, text: str) -> Plain:
    return {"role": role, "content": text}


def _call(chance: random.Random, n: int, recent: str, asked: str) -> Plain:
    query = f"{asked or 'look further at'} {recent} {_prose(chance, 60)}"
    function = {"name": "search_catalog", "arguments": json.dumps({"query": query})}
    call = {"id": f"call_{n}", "type": "function", "function": function}
    return {"role": "assistant", "content": f"Next I look at {recent}.", "tool_calls": [call]}


def _result(chance: random.Random, n: int, recent: str, needles: Any, characters: int) -> Plain:
    noise = [f"{_plain_identifier(chance)} at {chance.uniform(0, 360):.5f}" for _ in range(3)]
    facts = [recent, *noise, *(f"calibrator {needle} = {chance.uniform(60, 80):.3f} ± 0.031" for needle in needles)]
    text = "\n".join(f"{_prose(chance, characters // len(facts))}; {fact}." for fact in facts)
    return {"role": "tool", "tool_call_id": f"call_{n}", "content": text}


def recorded() -> Iterator[History]:
    """Yield the recorded sessions with their limits; nothing where the shared data is absent."""
    for path in sorted(trajectories().glob("*.json")):
        messages = [_clean(m) for m in json.loads(path.read_text())["messages"]]
        for limit in (32_000, 100_000) if path.name.startswith("pi_mono") else (8_000,):
            yield History(path.stem, messages, limit)


def trajectories() -> Path:
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("ASTRORESEARCH_SHARED", beside)) / "data" / "trajectories"


def _clean(message: Plain) -> Plain:
    """Return only what every peer can carry: role, text, calls with JSON arguments, and which call a result answers."""
    made = _message(message["role"], _text(message.get("content")))
    if message.get("tool_calls"):
        made["tool_calls"] = [_clean_call(call) for call in message["tool_calls"]]
    if message["role"] == "tool":
        made["tool_call_id"] = message.get("tool_call_id") or "unknown"
    return made


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content or ""


def _clean_call(call: Plain) -> Plain:
    """Arguments are written anew, so that managers that parse them and those that do not show the same text."""
    text = call["function"].get("arguments") or "{}"
    try:
        value = json.loads(text)
    except ValueError:
        value = {"_raw": text}
    value = value if isinstance(value, dict) else {"_raw": text}
    function = {"name": call["function"]["name"], "arguments": json.dumps(value, ensure_ascii=False)}
    return {"id": call["id"], "type": "function", "function": function}

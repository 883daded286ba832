"""A stable prefix is worth money: a real server's own ``cached_tokens`` over a session that compacts on the way."""

import json
import urllib.request
from typing import Any

from astroresearch.context import Engine, Policy
from tests.llama import llama

STEPS = 40
WINDOW = 3_072


def ask(url: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
    body = {"messages": messages, "max_tokens": 4, "temperature": 0, "cache_prompt": True}
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        usage: dict[str, Any] = json.load(answer)["usage"]
    return usage


def call(step: int) -> dict[str, Any]:
    function = {"name": "read_paper", "arguments": json.dumps({"paper": f"2022ApJ...{step:03d}L...7R"})}
    return {
        "role": "assistant",
        "content": f"I read paper {step}.",
        "tool_calls": [{"id": f"c{step}", "type": "function", "function": function}],
    }


def test_most_of_a_forty_step_session_comes_from_the_servers_cache():
    engine = Engine(policy=Policy.adaptive(), window=WINDOW, reserve=256)
    history: list[dict[str, Any]] = [
        {"role": "system", "content": "You are a research assistant for astronomers. Answer briefly."},
        {"role": "user", "content": "Which values of the Hubble constant are published?"},
    ]
    prompt = cached = compactions = 0
    with llama(WINDOW) as url:
        for step in range(STEPS):
            fitted = engine.fit(history)
            compactions += bool(fitted.applied)
            usage = ask(url, fitted.messages)
            engine.observe(usage["prompt_tokens"])
            prompt += usage["prompt_tokens"]
            cached += usage["prompt_tokens_details"]["cached_tokens"]
            history.append(call(step))
            text = f"Paper {step} finds H0 = {65 + step / 4:.2f} ± 1.{step % 10} km/s/Mpc from supernovae."
            history.append({"role": "tool", "tool_call_id": f"c{step}", "name": "read_paper", "content": text})
    assert compactions >= 1
    assert usage["prompt_tokens"] < WINDOW
    assert cached / prompt >= 0.85, f"{cached} of {prompt} prompt tokens came from the cache"

"""Histories as they come in practice, broken ones included, and what every view of them must be."""

import json
from typing import Any

from hypothesis import strategies as st

Dict = dict[str, Any]
SENTENCE = "the Hubble constant 哈勃常数 is 73.04 ± 1.04 km/s/Mpc in 2022ApJ...934L...7R at /data/sn/t_4.csv $H_0 = 70$"
WORDS = SENTENCE.split()
IDS = ["a", "b", "c", "list_dir:0", ""]
TOOLS = ["read_paper", "search_library", "todo_write", "bash"]


def _text(seed: int) -> str:
    """A text that one number describes: hypothesis stays fast, and shrinks towards short ones."""
    kind, size = seed % 4, seed // 4
    if kind == 0:
        return " ".join(WORDS[(i * 7 + size) % len(WORDS)] for i in range(size % 60))
    if kind == 1:
        return "x" * (size % 2_000)
    if kind == 2:
        return "红移" * (size % 400)
    return f"v{size} = {size / 7:.3f} ± 0.0{size % 9} Mpc\n" * (size % 12)


texts = st.integers(0, 20_000).map(_text)
arguments = st.one_of(
    st.dictionaries(st.sampled_from(["path", "query", "content"]), texts, max_size=2).map(json.dumps),
    st.just("{}"),
    st.just('{"path": "cut'),
)
calls = st.builds(
    lambda i, name, args: {"id": i, "type": "function", "function": {"name": name, "arguments": args}},
    st.sampled_from(IDS),
    st.sampled_from(TOOLS),
    arguments,
)
images = st.just([{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 40}}])
thinking = st.just(
    [{"type": "thinking", "thinking": "let me see", "signature": "c2ln"}, {"type": "text", "text": "so"}]
)


@st.composite
def users(draw: st.DrawFn) -> Dict:
    return {"role": "user", "content": draw(st.one_of(texts.filter(bool), images))}


@st.composite
def assistants(draw: st.DrawFn) -> Dict:
    message: Dict = {"role": "assistant", "content": draw(st.one_of(st.none(), texts, thinking))}
    if asked := draw(st.lists(calls, max_size=3)):
        message["tool_calls"] = asked
    if draw(st.booleans()):
        message["reasoning_content"] = "hm"
    return message


@st.composite
def histories(draw: st.DrawFn, least: int = 1, most: int = 20) -> list[Dict]:
    """A transcript: mostly whole groups, with missing, orphan, doubled and late results in between."""
    history: list[Dict] = []
    if draw(st.booleans()):
        history.append({"role": "system", "content": draw(texts)})
    if draw(st.integers(0, 9)):
        history.append(draw(users()))
    for _ in range(draw(st.integers(least, most))):
        kind = draw(st.sampled_from(["user", "turn", "turn", "turn", "orphan", "system"]))
        if kind == "user":
            history.append(draw(users()))
        elif kind == "system":
            history.append({"role": "system", "content": draw(texts)})
        elif kind == "orphan":
            history.append({"role": "tool", "tool_call_id": draw(st.sampled_from(IDS)), "content": draw(texts)})
        else:
            history += draw(turns())
    return history


@st.composite
def turns(draw: st.DrawFn) -> list[Dict]:
    asking = draw(assistants())
    results = [
        {"role": "tool", "tool_call_id": call["id"], "name": call["function"]["name"], "content": draw(texts)}
        for call in asking.get("tool_calls", [])
    ]
    fate = draw(st.sampled_from(["whole", "whole", "whole", "missing", "interrupted", "swapped"]))
    if fate == "missing" and results:
        results.pop(draw(st.integers(0, len(results) - 1)))
    if fate == "swapped":
        results.reverse()
    if fate == "interrupted" and results:
        results.insert(draw(st.integers(0, len(results))), draw(users()))
    return [asking, *results]


def broken(view: list[Dict]) -> str:
    """Return why *view* is no valid request of the OpenAI and the Anthropic API; empty if it is one."""
    spoken = [m for m in view if m["role"] != "system"]
    if spoken and spoken[0]["role"] != "user":
        return f"the first message is of role {spoken[0]['role']}"
    open_ids: list[str] = []
    for i, message in enumerate(view):
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_ids:
                return f"{i}: a result without its call"
            open_ids.remove(message["tool_call_id"])
            continue
        if open_ids:
            return f"{i}: calls {open_ids} have no result"
        open_ids = [call["id"] for call in message.get("tool_calls", [])]
        if len(set(open_ids)) != len(open_ids) or "" in open_ids:
            return f"{i}: call ids {open_ids} are not unique"
    return f"the last calls {open_ids} have no result" if open_ids else ""

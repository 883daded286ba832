"""Small ways to write a history down."""

import json
from typing import Any

Dict = dict[str, Any]


def user(text: Any) -> Dict:
    return {"role": "user", "content": text}


def system(text: str) -> Dict:
    return {"role": "system", "content": text}


def calls(*ids: str, name: str = "read_paper", **arguments: Any) -> Dict:
    asked = [
        {"id": i, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments or {"paper": i})}}
        for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": asked}


def result(call_id: str, text: str = "z" * 400, name: str = "read_paper") -> Dict:
    return {"role": "tool", "tool_call_id": call_id, "name": name, "content": text}


def says(text: str) -> Dict:
    return {"role": "assistant", "content": text}


def session(steps: int, size: int = 400, question: str = "What is H0?") -> list[Dict]:
    """One question and *steps* calls, each with a result of *size* characters."""
    history = [system("You are an assistant."), user(question)]
    for k in range(steps):
        history += [
            calls(f"c{k}", paper=f"2022ApJ...{k:03d}L...7R"),
            result(f"c{k}", f"[{k}] " + "word " * (size // 5)),
        ]
    return history


def text_of(view: list[Dict]) -> str:
    return "\n".join(json.dumps(m, ensure_ascii=False) for m in view)

"""How far the token estimate is from real tokenizers: o200k_base (bpe-openai) and SmolLM2 (its own GGUF), side by side.

Each kind of text is sent as a growing session: a system prompt of 8,000 characters, then twenty messages of 300 to
3,000. *raw*: the estimate of whole requests without any
report. *calibrated*: the prediction of each next request after the requests before it were reported, as in a real loop.
Run: ``python -m benchmarks.tokens`` (texts from $ASTRORESEARCH_SHARED and from this package's Chinese texts).
"""

import json
import os
import random
import re
import statistics
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from astroresearch.context.dicts import parse
from astroresearch.context.tokens import Calibration, estimate_message, estimate_text

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("ASTRORESEARCH_SHARED", ROOT.parent / "shared"))
MESSAGES, SESSIONS, REPORTED = 20, 12, 2
Count = Callable[[str], int]


def texts() -> dict[str, list[str]]:
    """Return the corpora by kind."""
    latex = [_read(f) for f in sorted(SHARED.glob("data/papers/*.tex"))]
    chinese = [_read(f) for f in sorted(ROOT.glob("src/astroresearch/locales/zh/*.py"))] + [
        _read(ROOT / "README.zh.md")
    ]
    results = list(_results())
    return {
        "English papers": [_prose(text) for text in latex] + [_read(f) for f in SHARED.glob("data/papers/*.md")],
        "LaTeX": latex,
        "JSON": [text for text in results if _is_json(text)],
        "code and logs": [text for text in results if not _is_json(text)],
        "Chinese": chinese,
    }


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def _prose(latex: str) -> str:
    body = re.sub(r"(?<!\\)%.*", "", latex.partition("\\begin{document}")[2])
    body = re.sub(
        r"\\begin\{(equation|align|figure|table|deluxetable)\*?\}.*?\\end\{\1\*?\}", "", body, flags=re.DOTALL
    )
    body = re.sub(r"\\cite\w*\*?(\[[^\]]*\])*\{[^}]*\}", "(Smith et al. 2020)", body)
    return re.sub(r"\\[a-zA-Z]+\*?|[{}$]", "", body)


def _results() -> Iterator[str]:
    for file in sorted(SHARED.glob("data/trajectories/*.json")):
        for message in json.loads(_read(file))["messages"]:
            content = message.get("content")
            if message["role"] == "tool" and isinstance(content, str) and len(content) > 600:
                yield content
            yield from (c["function"]["arguments"] for c in message.get("tool_calls") or [])


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def tokenizers(llama_url: str) -> dict[str, Count]:
    """Return both tokenizers; the second is asked over llama.cpp's own ``/tokenize``."""
    from bpe_openai import get_encoding

    encoding = get_encoding("o200k_base")

    def smollm(text: str) -> int:
        body = json.dumps({"content": text}).encode()
        request = urllib.request.Request(
            llama_url.removesuffix("/v1") + "/tokenize", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return len(json.load(answer)["tokens"])

    return {"o200k_base": lambda text: len(encoding.encode(text)), "SmolLM2": smollm}


def errors(kind_texts: list[str], count: Count, chance: random.Random) -> tuple[list[float], list[float]]:
    """Return the relative errors, raw and calibrated, of whole requests in growing sessions of one kind of text."""
    raw_errors, calibrated_errors = [], []
    for _ in range(SESSIONS):
        calibration, raw, real = Calibration(), 0, 0
        for turn in range(MESSAGES + 1):
            piece = _piece(kind_texts, chance) if turn else _prompt(kind_texts, chance)
            raw, real = raw + estimate_text(piece), real + count(piece)
            raw_errors.append(raw / real - 1)
            if turn >= REPORTED:
                calibrated_errors.append(calibration.apply(raw) / real - 1)
            calibration = calibration.observe(raw, real)
    return raw_errors, calibrated_errors


def _prompt(kind_texts: list[str], chance: random.Random) -> str:
    return "\n".join(_piece(kind_texts, chance) for _ in range(40))[:8_000]


def _piece(kind_texts: list[str], chance: random.Random) -> str:
    text, size = chance.choice(kind_texts), chance.choice((300, 1_000, 3_000))
    at = chance.randrange(max(len(text) - size, 1))
    return text[at : at + size] or text


def reported_usage() -> tuple[list[float], list[float]]:
    """Return the errors against the usage that a provider reported in the recorded ``pi_mono`` session.

    Its system prompt and tools are not in the file: their size is what the first report of each stretch between two
    recorded compactions leaves over.
    """
    document = json.loads(_read(next(iter(SHARED.glob("data/trajectories/pi_mono*.json")))))
    reports = {u["i"]: u["input"] + u["cacheRead"] + u["cacheWrite"] for u in document["usage"]}
    calibration, raw, overhead, found = Calibration(), 0, -1, []
    for i, message in enumerate(document["messages"]):
        if "_compaction" in message:
            calibration, raw, overhead = calibration.forget(), 0, -1
        if reported := reports.get(i, 0):
            if overhead < 0:
                overhead = max(reported - raw, 0)
            elif calibration.reported and calibration.reports >= REPORTED:
                found.append(calibration.apply(raw + overhead) / reported - 1)
            calibration = calibration.observe(raw + overhead, reported)
        raw += estimate_message(parse({k: v for k, v in message.items() if k[0] != "_"}, i))
    return [], found


def row(name: str, found: tuple[list[float], list[float]]) -> str:
    """Return one line: median absolute error, and the worst undercount, of both."""
    cells = []
    for values in found:
        if not values:
            cells += ["", ""]
            continue
        cells += [f"{statistics.median(map(abs, values)):.1%}", f"{min(0.0, *values):.1%}"]
    return f"| {name} | " + " | ".join(cells) + " |"


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from tests.llama import llama

    if not (SHARED / "data").is_dir():
        raise SystemExit(f"no texts at {SHARED}: set ASTRORESEARCH_SHARED")
    print("| text · tokenizer | raw: median | worst under | calibrated: median | worst under |")
    print("|---|---:|---:|---:|---:|")
    with llama(4_096) as url:
        for name, count in tokenizers(url).items():
            for kind, kind_texts in texts().items():
                print(row(f"{kind} · {name}", errors(kind_texts, count, random.Random(7))), flush=True)
    print(row("pi_mono · reported by the provider", reported_usage()))


if __name__ == "__main__":
    main()

"""Models by name; what is wrong is said in one line."""

from pathlib import Path

import pytest

from astroresearch.context.messages import ToolCall, assistant, user
from astroresearch.model.base import Reply, Request
from astroresearch.model.choose import CannotOpen, close_model, open_model
from astroresearch.model.faults import ModelFailure
from astroresearch.model.known import known, names
from astroresearch.model.scripted import read_script

ASK = Request(model="m", history=(user("x"),))


@pytest.mark.parametrize(
    ("spec", "more", "told"),
    [
        ("openai/m", {}, "OPENAI_API_KEY"),
        ("anthropic/m", {}, "ANTHROPIC_API_KEY"),
        ("gpt-4", {}, "openai/NAME"),
        ("openai/", {}, "openai/NAME"),
        ("openai/m", {"base_url": "localhost:8080"}, "localhost:8080"),
        ("openai/m", {"base_url": "http://localhost:8000/v1", "quirks": ("nope",)}, "unknown adapter nope"),
        ("scripted/no/such/file", {}, "no/such/file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(spec: str, more: dict[str, object], told: str) -> None:
    with pytest.raises(CannotOpen) as caught:
        open_model(spec, **more)  # type: ignore[arg-type]
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_key_is_said_in_chinese_too() -> None:
    with pytest.raises(CannotOpen, match="未设置 OPENAI_API_KEY"):
        open_model("openai/m", locale="zh")


async def test_a_server_of_ones_own_needs_no_key() -> None:
    model = open_model("openai/org/model-name", base_url="http://127.0.0.1:1/v1")
    assert model.name == "org/model-name"
    await close_model(model)


async def test_a_script_from_a_file_is_played(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text(
        '{"text": "Let me look.", "calls": [{"id": "a", "name": "search_library", "arguments": {"query": "H0"}}]}\n\n'
        '{"fault": "RateLimited", "retry_after": 2, "retryable": true}\n'
        '{"text": "73.04"}\n',
        encoding="utf-8",
    )
    model = open_model(f"scripted/{script}")
    first = [c async for c in model.stream(ASK)][-1]
    assert isinstance(first, Reply)
    assert first.message == assistant("Let me look.", ToolCall("a", "search_library", '{"query": "H0"}'))
    with pytest.raises(ModelFailure) as caught:
        await anext(model.stream(ASK))  # type: ignore[call-overload]
    assert caught.value.fault.retry_after == 2
    assert [c async for c in model.stream(ASK)][-1].message.text == "73.04"  # type: ignore[union-attr]
    with pytest.raises(ModelFailure, match="3"):
        await anext(model.stream(ASK))  # type: ignore[call-overload]


@pytest.mark.parametrize("line", ["{", '{"txt": "x"}', '{"calls": [{"id": "a"}]}', '{"fault": "Nope"}', "[]"])
def test_a_bad_step_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"text": "fine"}\n' + line, encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        read_script(script)


def test_known_windows_are_found_with_provider_and_date_and_unknown_ones_are_none() -> None:
    found = known("anthropic/claude-haiku-4-5-20251001")
    assert found is not None
    assert (found.window, found.max_output) == (200_000, 64_000)
    assert known("smollm2") is None
    assert known("gpt-4o") is None, "a longer name is another model"


def test_each_known_model_names_its_source_and_sane_numbers() -> None:
    for name in names():
        found = known(name)
        assert found is not None
        assert found.source
        assert 0 < found.max_output <= found.window
        assert found.cached is None or (found.uncached or 0) > found.cached

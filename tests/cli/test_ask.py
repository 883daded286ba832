"""``ask``: where answer, progress and events go, and what comes back as the exit code."""

import re
from collections.abc import Callable

import pytest

from .conftest import ANSWER, SEARCH, Cli

Script = Callable[..., str]


def test_the_answer_is_on_stdout_and_the_progress_on_stderr(cli: Cli, script: Script) -> None:
    said = cli("ask", "What is the Hubble constant?", "--model", script(SEARCH, ANSWER))
    assert (said.code, said.out) == (0, "It is **67.4** km/s/Mpc.\n")
    lines = said.err.splitlines()
    assert lines[:3] == [
        "· Look it up.",
        '→ search_library {"query": "Hubble constant"}',
        '→ todo_write {"todos": [{"content": "read", "status": "in_progress"}]}',
    ]
    assert re.fullmatch(r'session: [0-9a-f]{32} · go on: astroresearch ask --session [0-9a-f]{32} "…"', lines[-2])
    assert re.fullmatch(r"context: [\d,]+ of 128,000 tokens \([\d.]+ %\) · compacted: nothing", lines[-1])


def test_what_a_sub_agent_does_stands_under_its_name_and_is_recalled_by_it(cli: Cli, script: Script) -> None:
    delegated = {"calls": [{"id": "d", "name": "delegate_research", "arguments": {"question": "Look it up."}}]}
    found = {"text": "It says 67.4."}
    said = cli("ask", "What is H0?", "--model", script(delegated, SEARCH, found, ANSWER))
    assert said.out == "It is **67.4** km/s/Mpc.\n"
    assert '  sub_1_1 → search_library {"query": "Hubble constant"}' in said.err.splitlines()
    session = re.search(r"session: ([0-9a-f]{32})", said.err)
    assert session
    assert cli("recall", session[1], "sub_1_1/m0").out == "[m0 user]\nLook it up.\n"


def test_json_is_one_event_a_line_in_order(cli: Cli, script: Script) -> None:
    said = cli("ask", "What is the Hubble constant?", "--json", "--model", script(SEARCH, ANSWER))
    events = said.lines
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    kinds = " ".join(event["type"] for event in events)
    assert re.fullmatch(r"session thought( tool_call)+( tool_result)+ text_delta usage done", kinds)
    calls = [event["id"] for event in events if event["type"] == "tool_call"]
    assert [event["id"] for event in events if event["type"] == "tool_result"] == calls
    assert events[-1]["answer"] == "It is **67.4** km/s/Mpc."


def test_continue_goes_on_with_the_latest_session(cli: Cli, script: Script) -> None:
    first = cli("ask", "One?", "--json", "--model", script({"text": "1"})).lines
    second = cli("ask", "Two?", "--continue", "--json", "--model", script({"text": "2"})).lines
    assert second[0]["session_id"] == first[0]["session_id"]
    assert second[0]["turn"] == 2
    assert second[0]["seq"] == first[-1]["seq"] + 1
    by_prefix = cli(
        "ask", "Three?", "--session", first[0]["session_id"][:8], "--json", "--model", script({"text": "3"})
    )
    assert by_prefix.lines[0]["turn"] == 3


def test_the_language_is_that_of_the_question(cli: Cli, script: Script) -> None:
    said = cli("ask", "哈勃常数是多少？", "--model", script({"text": "67.4"}))
    assert "上下文：" in said.err
    assert "上下文：" not in cli("ask", "哈勃常数是多少？", "--locale", "en", "--model", script({"text": "67.4"})).err


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([ANSWER], 0),
        ([{"fault": "Quota", "message": "no credit"}], 4),
        ([{"fault": "Auth", "message": "bad key"}], 3),
    ],
)
def test_exit_codes_of_a_turn(cli: Cli, script: Script, steps: list[object], code: int) -> None:
    assert cli("ask", "Q?", "--model", script(*steps)).code == code


def test_a_failed_turn_says_what_and_what_to_do(cli: Cli, script: Script) -> None:
    said = cli("ask", "Q?", "--model", script({"fault": "Quota", "message": "no credit"}))
    assert said.out == ""
    assert "error: no credit. " in said.err


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [
        (["ask"], 2, "Missing argument"),
        (["ask", "Q?", "--jsno"], 2, "--json"),
        (["ask", "Q?", "--max-steps", "none"], 2, "a whole number from 1 to 1000"),
        (["ask", "Q?", "--locale", "fr"], 2, "auto | zh | en"),
        (["ask", "Q?", "--model", "gpt"], 2, "openai/NAME"),
        (["ask", "Q?", "--model", "openai/gpt-x"], 3, "OPENAI_API_KEY"),
        (["ask", "Q?", "--model", "anthropic/claude-x"], 3, "ANTHROPIC_API_KEY"),
        (["ask", "Q?", "--session", "abcdef"], 5, "sessions list"),
        (["ask", "Q?", "--session", "../../etc"], 5, "sessions list"),
        (["ask", "Q?", "--continue"], 5, "no session yet"),
        (["ask", "Q?", "--continue", "--session", "abcdef"], 2, "not both"),
        (["ask", ""], 2, "empty"),
        (["ask", " \n\t\u200b "], 2, "empty"),
        (["ask", "\udcff\udcfe"], 2, "UTF-8"),
        (["ask", "\x00\x01\x02\x03 ab"], 2, "control characters"),
        (["ask", "x" * 200_001], 2, "at most 200,000"),
        (["aks", "Q?"], 2, "aks"),
        (["sessions", "show", "abcdef"], 5, "sessions list"),
        (["sessions", "nope"], 2, "nope"),
        (["context", "abcdef"], 5, "sessions list"),
        (["recall", "abcdef", "m1"], 5, "sessions list"),
        (["library", "show", "nothing"], 5, "library list"),
        (["library", "add", "nothing.tex"], 5, "no such file"),
        (["library", "add", "."], 2, "folder"),
        (["library", "add", "2020A&A...641A...6P"], 5, "2020A&A...641A...6P"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(cli: Cli, args: list[str], code: int, text: str) -> None:
    said = cli(*args)
    assert said.code == code
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert text in said.err


def test_control_characters_and_line_ends_do_not_reach_the_model(cli: Cli, script: Script) -> None:
    cli("ask", "line one\r\nline\x07 two", "--model", script(ANSWER))
    assert "line one\nline two" in cli("sessions", "show", _latest(cli)).out


def test_compaction_is_told(cli: Cli, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TOKEN_SOFT_LIMIT", "3000")
    long = {"text": "word " * 1_200}
    cli("ask", "Tell me a lot", "--model", script(long))
    cli("ask", "Tell me more", "--continue", "--model", script(long))
    said = cli("ask", "And more", "--continue", "--model", script({"text": "A summary."}, {"text": "More."}))
    assert re.search(r"context compacted: .+, [\d,]+ → [\d,]+ tokens \(recall m\d", said.err)
    assert "compacted: nothing" not in said.err


def _latest(cli: Cli) -> str:
    return cli("sessions", "list").out.split()[0]


def test_an_answer_cannot_steer_the_terminal(cli: Cli, script: Script) -> None:
    said = cli("ask", "Q?", "--model", script({"text": "red \x1b[31malert\x07"}))
    assert said.out == "red [31malert\n"

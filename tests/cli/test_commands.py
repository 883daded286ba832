"""The commands around a session, the library and the settings."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import ANSWER, SEARCH, Cli

Script = Callable[..., str]


@pytest.fixture
def asked(cli: Cli, script: Script) -> str:
    """A session with one turn."""
    id: str = cli("ask", "What is the Hubble constant?", "--json", "--model", script(SEARCH, ANSWER)).lines[0][
        "session_id"
    ]
    return id


def test_sessions_are_listed_shown_exported_and_removed(cli: Cli, asked: str) -> None:
    assert "What is the Hubble constant?" in cli("sessions", "list").out
    (row,) = json.loads(cli("sessions", "list", "--json").out)
    assert (row["id"], row["turns"], row["title"]) == (asked, 1, "What is the Hubble constant?")
    shown = cli("sessions", "show", asked[:8]).out
    assert "[m0 user]\nWhat is the Hubble constant?" in shown
    assert "It is **67.4** km/s/Mpc." in shown
    exported = cli("sessions", "export", asked).lines
    assert exported[0]["tasks"] == [{"id": "1", "content": "read", "status": "in_progress", "blocked_by": []}]
    messages = [record for record in exported if record["type"] == "message"]
    assert [(m["agent"], m["position"]) for m in messages] == [("lead", n) for n in range(5)]
    assert exported[-1]["event"]["type"] == "done"
    assert cli("sessions", "rm", asked).code == 0
    assert cli("sessions", "show", asked).code == 5


def test_an_exported_session_is_replayed_and_holds_no_key(
    cli: Cli, asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("ask", "My key is canary-4711-key, keep it", "--session", asked)
    monkeypatch.setenv("OPENAI_API_KEY", "canary-4711-key")
    file = tmp_path / "session.jsonl"
    file.write_text(cli("sessions", "export", asked).out)
    assert "canary" not in file.read_text()
    assert "My key is [redacted], keep it" in file.read_text()
    replayed = json.loads(cli("replay", str(file), "--json").out)
    assert replayed["total"]["requests"] > 2
    assert replayed["total"]["needs"]["lost"] == 0


def test_context_adds_up(cli: Cli, asked: str) -> None:
    found = json.loads(cli("context", asked, "--json").out)
    assert list(found["parts"]) == [
        "system",
        "tools",
        "skills",
        "memory",
        "history",
        "tool_results",
        "files",
        "summaries",
    ]
    assert found["parts"]["system"] > 0
    assert found["parts"]["tool_results"] > 0
    assert found["used"] == sum(found["parts"].values())
    assert found["used"] + found["reserve"] + found["free"] == found["window"]
    assert "tool results" in cli("context", asked).out


def test_looking_at_a_session_needs_no_key(cli: Cli, asked: str, script: Script, home: Path) -> None:
    assert cli("context", asked).code == 0
    assert cli("recall", asked, "m0").out == "[m0 user]\nWhat is the Hubble constant?\n"


def test_recall_finds_and_says_what_is_not_there(cli: Cli, asked: str) -> None:
    assert "67.4" in cli("recall", asked, "m4", "--query", "67.4").out
    said = cli("recall", asked, "m99")
    assert (said.code, said.err) == (5, "error: m99 names nothing in this session\n")
    assert "write m42 or m40-m61" in cli("recall", asked, "42").err


def test_compact_by_hand(cli: Cli, script: Script, home: Path) -> None:
    lengthy = [{"text": "word " * 2_000}] * 3
    model = script(*lengthy, {"text": "In short."})
    id = cli("ask", "One", "--json", "--model", model).lines[0]["session_id"]
    for text in ("Two", "Three"):
        cli("ask", text, "--session", id, "--model", script(*lengthy))
    said = cli("compact", id)
    assert said.code == 0
    assert "tokens (recall m" in said.out or "nothing" in said.out


def test_papers_are_added_listed_found_and_shown(cli: Cli, tmp_path: Path) -> None:
    paper = tmp_path / "flares.md"
    paper.write_text(
        "# Flares of TIC 277\n\n## Results\n\nThe flare lasted 3.5 hours and had 1e33 erg.\n", encoding="utf-8"
    )
    added = cli("library", "add", str(paper))
    assert added.code == 0
    assert added.out.startswith("added flares-")
    key = added.out.split()[1]
    assert cli("library", "add", str(paper)).out.startswith("already there: ")
    assert key in cli("library", "list").out
    assert "The flare lasted 3.5 hours" in cli("library", "search", "How long did the flare last?").out
    assert "The flare lasted 3.5 hours" in cli("library", "show", key).out


def test_one_bad_file_does_not_keep_the_others_out(cli: Cli, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.pdf"
    good.write_text("# Good\n\nA good paper on quasars.\n", encoding="utf-8")
    bad.write_bytes(b"%PDF-1.7 rest")
    said = cli("library", "add", str(bad), str(good))
    assert said.code == 2
    assert "bad.pdf can't be read as a paper" in said.err
    assert said.out.startswith("added good-")


def test_config_show_says_where_values_come_from_and_hides_secrets(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    (home / "astroresearch.toml").write_text('AGENT_MAX_STEPS = 5\nOPENAI_API_KEY = "sk-canary"\n', encoding="utf-8")
    Path("astroresearch.toml").write_text('AGENT_MAX_MESSAGES = 60\nOPENAI_BASE_URL = "https://evil.example"\n')
    monkeypatch.setenv("AGENT_TOKEN_SOFT_LIMIT", "20000")
    said = cli("config", "show", "--json")
    found = json.loads(said.out)
    assert found["AGENT_MAX_STEPS"] == {"value": "5", "source": str(home / "astroresearch.toml")}
    assert found["AGENT_TOKEN_SOFT_LIMIT"]["source"] == "environment variable AGENT_TOKEN_SOFT_LIMIT"
    assert found["AGENT_MAX_MESSAGES"]["value"] == "60"
    assert found["AGENT_TOKEN_HARD_LIMIT"] == {"value": "40000", "source": "default"}
    assert found["OPENAI_API_KEY"]["value"] == "(set, not shown)"
    assert found["OPENAI_BASE_URL"]["value"] == ""
    assert "ignored OPENAI_BASE_URL" in said.err
    assert "canary" not in said.out + said.err + cli("config", "show").out + cli("doctor").out


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("AGENT_MAX_STEPS", "abc", "a whole number from 1 to 1000"),
        ("AGENT_MODEL", "gpt-4", "local, openai/NAME or anthropic/NAME"),
        ("AGENT_CONTEXT_POLICY", "none", "document, adaptive, or a .toml"),
        ("AGENT_DATABASE_URL", "mysql://x", "sqlite:////folder/file.db"),
        ("AGENT_TOKEN_HARD_LIMIT", "1000", "AGENT_TOKEN_SOFT_LIMIT"),
        ("OPENAI_BASE_URL", "localhost", "http://"),
    ],
)
def test_a_bad_setting_names_itself_and_what_is_right(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, value: str, right: str
) -> None:
    monkeypatch.setenv(name, value)
    said = cli("ask", "Q?")
    assert said.code == 3
    assert said.err.count("\n") == 1
    assert name in said.err
    assert value in said.err
    assert right in said.err


def test_a_policy_comes_from_a_file_and_a_bad_one_says_what_is_wrong(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    monkeypatch.setenv("AGENT_CONTEXT_POLICY", str(file))
    assert "mine.toml" in cli("ask", "Q?").err
    file.write_text("soft_limits = 9000\n")
    said = cli("ask", "Q?")
    assert said.code == 3
    assert "unknown field 'soft_limits'" in said.err
    file.write_text('base = "adaptive"\nsoft_limit = 4000\n')
    assert cli("ask", "What is the Hubble constant?").code == 0


def test_a_misspelled_name_in_the_file_is_an_error(cli: Cli, home: Path) -> None:
    home.mkdir()
    (home / "astroresearch.toml").write_text("AGENT_MAX_STEP = 5\n")
    said = cli("config", "show")
    assert said.code == 3
    assert "did you mean AGENT_MAX_STEPS?" in said.err


def test_doctor_has_a_line_for_everything(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    said = cli("doctor")
    assert said.code == 0
    names = [line.split(maxsplit=1)[1].split(":")[0] for line in said.out.splitlines()]
    assert names == ["Python", "SQLite", "settings", "database", "model", "keys", "library", "disk", "terminal"]
    monkeypatch.setenv("AGENT_DATABASE_URL", "postgresql://nobody:canary@127.0.0.1:1/none")
    monkeypatch.setenv("AGENT_MAX_STEP", "3")
    said = cli("doctor")
    assert said.code == 3
    assert "fail  database" in said.out
    assert "did you mean AGENT_MAX_STEPS?" in said.out
    assert "canary" not in said.out

"""``astroresearch replay`` from the outside: what it prints, writes and refuses."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from astroresearch.replay.command import register
from astroresearch.replay.formats import read_bytes
from astroresearch.replay.trajectory import chat, event_record, jsonl, message_record, session_record

APP = typer.Typer()
register(APP)
RUNNER = CliRunner()


def run(*arguments: object) -> Any:
    return RUNNER.invoke(APP, [str(a) for a in arguments])


def session(name: str = "K1NW8N", rounds: int = 30) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = [{"role": "user", "content": f"Look for {name}."}]
    for n in range(rounds):
        call = {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": "read", "arguments": f'{{"path": "/data/{n}.txt"}}'},
        }
        said.append({"role": "assistant", "content": None, "tool_calls": [call]})
        said.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"id{n:04d} " + "word " * 400})
    said.append({"role": "assistant", "content": f"{name} and id0003"})
    return said


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(session()))
    return path


def test_json_is_one_document_with_the_promised_numbers(file: Path) -> None:
    done = run(file, "--json", "--soft-limit", 4000, "--counter", "chars4")
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    (entry,) = document["files"]
    named = "requests tokens_in uncached cached prefix_breaks max_request summariser_in summariser_out cost"
    for numbers in (entry, document["total"]):
        assert {*named.split(), "cost_with_recall", "needs", "needs_far"} <= numbers.keys()
        assert numbers["needs"].keys() == numbers["needs_far"].keys() == {"visible", "recoverable", "lost"}
    assert entry["file"] == str(file)
    assert entry["requests"] == 31
    assert entry["tokens_in"] == entry["cached"] + entry["uncached"]
    assert entry["needs"]["lost"] == 0
    assert entry["summariser_in"] > 0


def test_without_a_summariser_nothing_is_paid_to_one(file: Path) -> None:
    done = run(file, "--json", "--soft-limit", 4000, "--summariser", "none")
    assert json.loads(done.stdout)["total"]["summariser_in"] == 0


def test_policies_are_compared_in_the_order_asked_for(file: Path) -> None:
    for asked in (["--policy", "adaptive,document"], ["--policy", "adaptive", "--policy", "document"]):
        document = json.loads(run(file, "--json", *asked).stdout)
        assert [f["policy"] for f in document["files"]] == ["adaptive", "document"]
        assert list(document["totals"]) == ["adaptive", "document"]
        assert document["total"] == document["totals"]["adaptive"]


def test_a_policy_may_come_from_a_file(file: Path, tmp_path: Path) -> None:
    policy = tmp_path / "tight.toml"
    policy.write_text('base = "adaptive"\nsoft_limit = 3000\n')
    document = json.loads(run(file, "--json", "--policy", policy).stdout)
    assert document["files"][0]["policy"] == "tight"
    assert document["total"]["max_request"] < 6000


def test_prices_are_settable(file: Path) -> None:
    total = json.loads(run(file, "--json", "--prices", "cached=0,summariser_in=0,summariser_out=0").stdout)["total"]
    assert total["cost"] == total["uncached"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--policy", "clever"], "unknown policy 'clever'; known are document, adaptive"),
        (["--policy", "none.toml"], "none.toml: No such file"),
        (["--prices", "cached=x"], "bad price 'cached=x'"),
        (["--prices", "warm=1"], "bad price 'warm=1'"),
        (["--prices", "cached=-1"], "bad price 'cached=-1'"),
        (["--report", "/nowhere/x.html"], "/nowhere/x.html: No such file"),
        (["--window", "0"], "window"),
        (["--counter", "words"], "counter"),
    ],
)
def test_bad_usage_is_told_in_a_line_and_ends_with_2(file: Path, arguments: list[str], said: str) -> None:
    done = run(file, *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_a_bad_policy_file_names_the_field(file: Path, tmp_path: Path) -> None:
    policy = tmp_path / "bad.json"
    policy.write_text('{"low_tide": 1}')
    done = run(file, "--policy", policy)
    assert done.exit_code == 2
    assert "unknown field 'low_tide'" in done.stderr


def test_a_file_that_is_no_transcript_does_not_stop_the_others(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.txt"
    other.write_text("hello")
    done = run(other, file, "--json")
    assert done.exit_code == 2
    assert f"{other}: not a transcript" in done.stderr
    assert json.loads(done.stdout)["total"]["requests"] == 31


def test_warnings_are_told_on_stderr_and_in_the_json(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(m) for m in session(rounds=2)) + '\n{"role": "us')
    done = run(path, "--json")
    assert done.exit_code == 0
    assert "line 7: skipped, the last record is cut off" in done.stderr
    assert json.loads(done.stdout)["files"][0]["warnings"] == ["line 7: skipped, the last record is cut off"]


def test_a_window_that_cannot_hold_the_request_is_an_error_not_a_crash(file: Path) -> None:
    done = run(file, "--window", 40, "--json")
    assert done.exit_code == 2
    assert re.search(r"a\.json: message \d+: ContextOverflow: ", done.stderr)
    assert "Traceback" not in done.stderr + done.stdout


def test_the_table_names_files_and_total(file: Path) -> None:
    done = run(file, "--policy", "document,adaptive")
    assert done.exit_code == 0
    assert "a.json" in done.stdout
    assert "total" in done.stdout
    assert "合计" in run(file, "--locale", "zh").stdout


# -- the page ----------------------------------------------------------------------------------------------------------


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [str(v) for k, v in attrs if k in ("src", "href", "srcset", "action", "data")]


def page(path: Path) -> tuple[str, Elements]:
    text = path.read_text("utf-8")
    elements = Elements()
    elements.feed(text)
    return text, elements


def test_the_page_needs_nothing_from_outside(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    assert run(file, "--policy", "document,adaptive", "--soft-limit", 4000, "--report", out).exit_code == 0
    text, elements = page(out)
    assert elements.links == []
    assert "{{" not in text
    assert not re.search(r"@import|url\(|<link|fetch\(|XMLHttpRequest", text)
    assert set(re.findall(r"https?://[^\s\"']+", text)) == {"http://www.w3.org/2000/svg"}


def test_the_page_holds_each_request_of_each_policy(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    numbers = json.loads(
        run(file, "--json", "--policy", "document,adaptive", "--soft-limit", 4000, "--report", out).stdout
    )
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', out.read_text("utf-8"))
    assert found
    (shown,) = json.loads(found[1])["files"]
    for series, entry in zip(shown["runs"], numbers["files"], strict=True):
        assert [sum(series["cached"]), sum(series["uncached"])] == [entry["cached"], entry["uncached"]]
        assert sum(map(sum, series["categories"].values())) == entry["tokens_in"]
        assert series["needs"] == list(entry["needs"].values())
        assert any(series["applied"])
        assert series["cost"][-1] == round(entry["cost"])


def test_nothing_from_a_file_becomes_markup(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script><!--"
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "<img src=q>&.json").write_text(json.dumps([*session(evil, 2), {"role": evil, "content": ""}]))
    (folder / "<").mkdir()
    (folder / "<" / "script><b>.json").write_text(json.dumps(session("b", 2)))
    out = tmp_path / "r.html"
    assert run(*sorted(folder.rglob("*.json")), "--report", out).exit_code == 0
    text, elements = page(out)
    assert elements.tags.count("script") == 2
    assert not {"img", "b"} & set(elements.tags)
    assert "alert(1)</script>" not in text
    assert "&lt;img src=q&gt;&amp;.json" in text


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_page_speaks_the_language_asked_for(file: Path, tmp_path: Path, locale: str) -> None:
    out = tmp_path / "r.html"
    run(file, "--report", out, "--locale", locale)
    assert ("上下文重放" in out.read_text("utf-8")) is (locale == "zh")
    assert f'<html lang="{locale}">' in out.read_text("utf-8")


# -- our own trajectory, out and in again ------------------------------------------------------------------------------


def test_an_exported_session_is_read_back_as_it_was() -> None:
    said = session(rounds=3)
    tool = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}
    records = [session_record("s1", tools=[tool], model="local")]
    records += [message_record(i, "lead", m, turn=1) for i, m in reversed([*enumerate(said)])]
    records += [message_record(0, "sub_1", said[0]), event_record(1, {"type": "done"})]
    (found,) = read_bytes("".join(jsonl(records)).encode(), "a")
    assert (found.messages, found.tools) == (said, [tool])
    document = chat(records)
    assert (document["messages"], document["tools"], document["id"]) == (said, [tool], "s1")


@pytest.mark.parametrize(
    "secret",
    ["sk-abcdefghijklmnop1234", "ghp_" + "a" * 36, "AKIA" + "A" * 16, "xoxb-1234567890-abc", "correct horse battery"],
)
def test_credentials_do_not_leave_with_an_export(secret: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": json.dumps({"key": secret})}}
    records = [message_record(0, "lead", {"role": "assistant", "content": f"it is {secret}.", "tool_calls": [call]})]
    known = ["correct horse battery"]
    for text in ("".join(jsonl(records, known)), json.dumps(chat(records, secrets=known))):
        assert secret not in text
        assert text.count("[redacted]") == 2


def test_all_recorded_sessions_are_replayed_with_nothing_lost(shared: Path) -> None:
    files = sorted((shared / "data" / "trajectories").glob("*.json"))
    done = run(*files, "--json", "--policy", "document,adaptive", "--soft-limit", 8000)
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    assert len(document["files"]) == 2 * 36
    assert all(t["needs"]["lost"] == 0 and t["max_request"] <= 120_000 for t in document["totals"].values())

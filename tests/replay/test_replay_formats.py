"""Transcripts of other programs, whole and torn, built here from their documented shapes."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.replay.formats import NotATranscript, Transcript, read_bytes, read_transcripts


def one(value: Any) -> Transcript:
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    (found,) = read_bytes(data, "a")
    return found


def lines(*records: Any, end: bytes = b"\n") -> bytes:
    return b"\n".join(r if isinstance(r, bytes) else json.dumps(r, ensure_ascii=False).encode() for r in records) + end


USER = {"role": "user", "content": "What is H0 in 2024?"}
REPLY = {"role": "assistant", "content": "73.04 ± 1.04"}
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "H0"}'}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "found"}
CHAT = [{"role": "system", "content": "Help."}, USER, CALLING, RESULT, REPLY]


@pytest.mark.parametrize(
    "data", [CHAT, {"messages": CHAT}, lines(*CHAT), lines(*CHAT, end=b""), lines({"messages": CHAT})]
)
def test_openai_chat_in_all_its_wrappings(data: Any) -> None:
    found = one(data)
    assert found.messages == CHAT
    assert found.warnings == []
    assert found.usage == [None, None]


def test_annotations_are_stripped_and_reported_usage_is_kept() -> None:
    found = one({"messages": [USER | {"_note": 1}, REPLY | {"usage": {"prompt_tokens": 12}, "refusal": None}], "_x": 2})
    assert found.messages == [USER, REPLY]
    assert found.usage == [12]


def test_usage_beside_the_messages_belongs_to_the_assistant_message_it_names() -> None:
    usage = [{"i": 2, "input": 5, "cacheRead": 7, "cacheWrite": 1, "output": 9}]
    assert one({"messages": [USER, REPLY, REPLY], "usage": usage}).usage == [None, 13]


def test_tools_of_either_api_become_openai_schemas() -> None:
    ours = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    theirs = {"name": "g", "description": "d", "input_schema": {"type": "object"}}
    found = one({"messages": [USER, REPLY], "tools": [ours, theirs, 7]})
    assert [t["function"]["name"] for t in found.tools] == ["f", "g"]
    assert found.tools[1]["function"]["parameters"] == {"type": "object"}
    assert "1 tools skipped" in found.warnings[0]


def test_older_function_calls_and_decoded_arguments_are_read() -> None:
    old = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    answer = {"role": "function", "name": "f", "content": "x"}
    decoded = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "a", "function": {"name": "g", "arguments": {"é": 1}}}],
    }
    messages = one([{"role": "developer", "content": "be"}, USER, old, answer, decoded]).messages
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert messages[2]["tool_calls"][0]["id"] == messages[3]["tool_call_id"]
    assert messages[4]["tool_calls"][0]["function"]["arguments"] == '{"é": 1}'


@pytest.mark.parametrize(
    "bad",
    [
        5,
        {"content": "x"},
        {"role": "narrator", "content": "x"},
        {"role": "user", "content": 7},
        {"role": "user", "content": [3]},
        {"role": "assistant", "tool_calls": [{}]},
        {"role": "assistant", "tool_calls": "x"},
    ],
)
def test_a_bad_message_is_skipped_and_named(bad: Any) -> None:
    in_document, in_lines = one([USER, bad, REPLY]), one(lines(USER, bad, REPLY))
    assert in_document.messages == in_lines.messages == [USER, REPLY]
    assert [w.split(":")[0] for w in in_document.warnings + in_lines.warnings] == ["message 1", "line 2"]


def test_jsonl_of_documents_is_several_transcripts() -> None:
    found = read_bytes(lines({"messages": CHAT}, {"messages": [USER, REPLY]}), "a.jsonl")
    assert [(t.name, len(t.messages)) for t in found] == [("a.jsonl#1", 5), ("a.jsonl#2", 2)]


# -- Anthropic ---------------------------------------------------------------------------------------------------------

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}


def test_anthropic_messages() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "H0"}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "found"}, IMAGE]}
    document = {
        "system": [{"type": "text", "text": "Help."}],
        "tools": [{"name": "search", "input_schema": {"type": "object"}}],
        "messages": [
            {"role": "user", "content": "What is H0?"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "s"},
                    {"type": "text", "text": "I look."},
                    use,
                ],
            },
            {"role": "user", "content": [answer, {"type": "text", "text": "go on"}]},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "73"}],
                "usage": {"input_tokens": 3, "cache_read_input_tokens": 4},
            },
        ],
    }
    found = one(document)
    assert [m["role"] for m in found.messages] == ["system", "user", "assistant", "tool", "user", "assistant"]
    reply, result = found.messages[2], found.messages[3]
    assert (reply["content"], reply["reasoning_content"]) == ("I look.", "hm")
    assert reply["tool_calls"][0] == {
        "id": "t1",
        "type": "function",
        "function": {"name": "search", "arguments": '{"q": "H0"}'},
    }
    assert result["tool_call_id"] == "t1"
    assert result["content"][0] == {"type": "text", "text": "found"}
    assert result["content"][1]["image_url"]["url"] == "data:image/png;base64,QUJD"
    assert found.messages[4]["content"] == "go on"
    assert found.usage == [None, 7]
    assert found.tools[0]["function"]["name"] == "search"


def test_parallel_results_of_one_anthropic_message_are_a_tool_message_each() -> None:
    uses = [{"type": "tool_use", "id": i, "name": "f", "input": {}} for i in "ab"]
    results = [{"type": "tool_result", "tool_use_id": i, "content": i} for i in "ab"]
    messages = one([USER, {"role": "assistant", "content": uses}, {"role": "user", "content": results}]).messages
    assert [(m["role"], m.get("tool_call_id")) for m in messages[2:]] == [("tool", "a"), ("tool", "b")]


# -- Claude Code -------------------------------------------------------------------------------------------------------


def said(uuid: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {"type": kind, "uuid": uuid, "sessionId": "s", "isSidechain": False, "message": message, **more}


USE = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a.py"}}
SESSION = [
    {"type": "summary", "summary": "A title", "leafUuid": "x"},
    said("1", "user", "fix it", isMeta=False),
    said(
        "2", "assistant", [{"type": "text", "text": "I read."}], message={"id": "msg_1", "usage": {"input_tokens": 9}}
    ),
    said("3", "assistant", [USE], message={"id": "msg_1", "usage": {"input_tokens": 9}}),
    said("4", "user", [{"type": "tool_result", "tool_use_id": "t1", "content": "code"}], toolUseResult={}),
    said("5", "assistant", [{"type": "text", "text": "sub"}], isSidechain=True, message={"id": "msg_9"}),
    said("6", "assistant", [{"type": "text", "text": "done"}], message={"id": "msg_2"}),
    {"type": "file-history-snapshot", "messageId": "z"},
]


def test_a_claude_code_session_joins_the_blocks_of_a_reply_and_leaves_sidechains_out() -> None:
    found = one(lines(*SESSION))
    assert [m["role"] for m in found.messages] == ["user", "assistant", "tool", "assistant"]
    assert found.messages[1]["content"] == "I read."
    assert found.messages[1]["tool_calls"][0]["function"]["name"] == "Read"
    assert found.usage == [9, None]
    assert found.warnings == ["1 records of sub-agents (sidechains) are not replayed"]


def test_a_file_of_a_sub_agent_alone_is_replayed() -> None:
    found = one(lines(*[{**r, "isSidechain": True} for r in SESSION if "uuid" in r]))
    assert [m["content"] for m in found.messages if m["role"] == "assistant"] == ["I read.", "sub", "done"]


def test_records_repeated_on_resume_and_errors_of_the_client_are_left_out() -> None:
    failed = said("7", "assistant", [{"type": "text", "text": "API Error"}], isApiErrorMessage=True)
    found = one(lines(*SESSION, *SESSION[1:5], failed))
    assert len(found.messages) == 4
    assert any(w.startswith("line 13: skipped, an error written by the client") for w in found.warnings)


# -- our own -----------------------------------------------------------------------------------------------------------


def test_our_own_trajectory() -> None:
    records = [
        {"type": "session", "session_id": "s1", "tools": [{"type": "function", "function": {"name": "f"}}]},
        {"type": "message", "position": 1, "agent": "lead", "message": REPLY, "usage": {"prompt_tokens": 8}},
        {"type": "message", "position": 0, "agent": "lead", "message": USER},
        {"type": "message", "position": 0, "agent": "sub_1", "message": USER},
        {"type": "compaction", "agent": "lead", "record": {}},
        {"type": "event", "seq": 1, "event": {"type": "done"}},
    ]
    found = one(lines(*records))
    assert found.messages == [USER, REPLY]
    assert found.usage == [8]
    assert [t["function"]["name"] for t in found.tools] == ["f"]
    assert found.warnings == ["1 messages of other agents than lead are not replayed"]


# -- torn files --------------------------------------------------------------------------------------------------------

CHINESE = {"role": "user", "content": "哈勃常数是多少"}
WRAPPED = [
    CHAT,
    SESSION,
    [{"type": "message", "position": i, "agent": "lead", "message": m} for i, m in enumerate(CHAT)],
]


@pytest.mark.parametrize("records", WRAPPED, ids=["chat", "claude_code", "ours"])
@given(cut=st.integers(1, 400))
def test_a_file_cut_anywhere_keeps_all_whole_records(records: list[Any], cut: int) -> None:
    data = lines(*records)
    kept = data[: max(len(data) - cut, data.index(b"\n", data.index(b"user")) + 1)]
    whole = [json.loads(line) for line in kept.split(b"\n") if _is_whole(line)]
    found = one(kept)
    assert found.messages == one(lines(*whole)).messages
    torn = kept.count(b"\n") + 1 if kept.split(b"\n")[-1] and not _is_whole(kept.split(b"\n")[-1]) else 0
    assert [w for w in found.warnings if "cut off" in w] == (
        [f"line {torn}: skipped, the last record is cut off"] if torn else []
    )


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def test_a_line_torn_inside_a_character_is_skipped_and_named() -> None:
    torn = json.dumps(CHINESE, ensure_ascii=False).encode()
    torn = torn[: torn.index("常".encode()) + 1]
    found = one(lines(USER, REPLY, torn, end=b""))
    assert found.messages == [USER, REPLY]
    assert found.warnings == ["line 3: skipped, the last record is cut off"]


def test_a_complete_last_record_without_newline_is_kept() -> None:
    found = one(lines(USER, REPLY, CHINESE, end=b""))
    assert found.messages == [USER, REPLY, CHINESE]
    assert found.warnings == []


def test_a_run_of_nul_bytes_costs_only_itself() -> None:
    behind = b"\0" * 9 + json.dumps(CHINESE).encode()
    found = one(lines(USER, b"\0" * 4096, REPLY, behind))
    assert found.messages == [USER, REPLY, CHINESE]
    assert found.warnings == ["line 2: 4096 NUL bytes skipped", "line 4: 9 NUL bytes skipped"]


@pytest.mark.parametrize("records", WRAPPED, ids=["chat", "claude_code", "ours"])
def test_a_record_appended_to_a_torn_line_is_kept(records: list[Any]) -> None:
    parts = [json.dumps(r).encode() for r in records]
    fused = lines(*parts[:3], parts[3][:40] + parts[4], *parts[5:])
    found = one(fused)
    assert found.messages == one(lines(*parts[:3], *parts[4:])).messages
    assert "line 4: the cut-off beginning is skipped, the whole record behind it is kept" in found.warnings


def test_garbage_between_records_is_named_by_its_line() -> None:
    found = one(lines(USER, b"{oops", b"", b"[1, 2]", b"\xff\xfe", REPLY))
    assert found.messages == [USER, REPLY]
    assert [w.split(":")[0] for w in found.warnings] == ["line 2", "line 4", "line 5"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("wrap", [True, False])
def test_a_document_that_was_cut_gives_its_whole_messages(indent: int | None, wrap: bool) -> None:
    text = json.dumps({"id": "x", "messages": CHAT} if wrap else CHAT, indent=indent)
    found = one(text[: text.index("73.04")].encode())
    assert found.messages == CHAT[:4]
    assert "4 whole messages" in found.warnings[0]


def test_halves_of_surrogate_pairs_are_replaced_and_named() -> None:
    found = one(lines(USER, b'{"role": "assistant", "content": "a\\ud83d"}'))
    assert found.messages[1]["content"] == "a\ufffd"
    assert found.warnings == ["line 2: broken Unicode characters replaced by U+FFFD"]


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    data = b"\xef\xbb\xbf" + lines(USER, REPLY).replace(b"\n", b"\r\n")
    assert one(data).messages == [USER, REPLY]
    assert one(data).warnings == []


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the file is empty"),
        (b" \n\0\0", "the file is empty"),
        (b"hello", "not a transcript"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not a transcript"),
        (b"{}", "not a transcript"),
        (b"7", "not a transcript"),
        (b'{"messages": []}', "not a transcript"),
        (b'{"messages": 7}', "not a transcript"),
        (b"[" * 100_000, "not a transcript"),
        (b'{"a": 1}\n{"b": 2}\n', "not a transcript"),
    ],
)
def test_what_is_no_transcript_is_refused_in_one_line(data: bytes, why: str) -> None:
    with pytest.raises(NotATranscript, match=f"^a: {why}") as refused:
        read_bytes(data, "a")
    assert "\n" not in str(refused.value)


def test_directories_and_missing_files_are_refused_in_one_line(tmp_path: Path) -> None:
    for path, why in ((tmp_path, "Is a directory"), (tmp_path / "none.json", "No such file")):
        with pytest.raises(NotATranscript, match=why):
            read_transcripts(path)


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fall(data: bytes) -> None:
    try:
        found = read_bytes(data, "a")
    except NotATranscript:
        return
    assert all(t.messages for t in found)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["user", "assistant", "text", "tool_use"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "type", "messages", "message", "tool_calls", "function", "name", "input", "text"]
            )
            | st.sampled_from(
                ["usage", "uuid", "system", "tools", "source", "session_id", "position", "agent", "id", "arguments"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@given(st.lists(JSON, max_size=4), st.booleans())
def test_no_json_makes_the_reader_fall(values: list[Any], as_lines: bool) -> None:
    try:
        found = read_bytes(lines(*values) if as_lines else json.dumps(values).encode(), "a")
    except NotATranscript:
        return
    for transcript in found:
        assert len(transcript.usage) == sum(m["role"] == "assistant" for m in transcript.messages)


def test_all_recorded_sessions_are_read_whole(shared: Path) -> None:
    files = sorted((shared / "data" / "trajectories").glob("*.json"))
    assert len(files) == 36
    for path in files:
        (found,) = read_transcripts(path)
        recorded = json.loads(path.read_text())["messages"]
        assert found.warnings == []
        assert [m["role"] for m in found.messages] == [m["role"] for m in recorded]
        assert not any(key.startswith("_") for m in found.messages for key in m)

"""What is committed is there, whole, in order, and nothing else is."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from astroresearch.context.messages import (
    Media,
    Message,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    assistant,
    tool_result,
    user,
)
from astroresearch.store.codec import RESULT_CHARS
from astroresearch.store.sessions import (
    AmbiguousSession,
    AuditRow,
    BadName,
    BadRecord,
    NoSuchMessage,
    NoSuchSession,
    SessionExists,
    Store,
    StoredCompaction,
    StoredMessage,
    Task,
)

CALL = ToolCall("call_1", "search_library", '{"query": "哈勃常数"}')
SIGNED = Message(
    "assistant",
    (Thinking("hm", "c2lnbmF0dXJl+/==", {"format": "v1"}), Text("Let me look."), CALL),
    "model",
    {"refusal": None, "provider": {"id": "x"}},
)
SEEN = Message("user", (Text("What is this?"), Media("image_url", {"image_url": {"url": "data:image/png;base64,AA"}})))


async def test_a_turn_is_read_back_as_it_was(store: Store) -> None:
    row = await store.create_session(title="H0", model="local", locale="zh", metadata={"from": ["cli"]})
    begun = await store.begin_turn(row.session_id, SEEN, [{"type": "session", "turn": 1}])
    result = tool_result(CALL, "73.04 ± 1.04 km/s/Mpc", "error")
    first = await store.commit(row.session_id, 1, messages=[SIGNED], events=[{"type": "thought"}, {"type": "x"}])
    second = await store.commit(row.session_id, 1, messages=[result, assistant("ok")], token_counts=[12, None])

    assert (begun.turn, begun.positions, begun.seqs) == (1, (0,), (1,))
    assert (first.positions, first.seqs) == ((1,), (2, 3))
    assert (second.positions, second.seqs) == ((2, 3), ())
    history = await store.history(row.session_id)
    assert [entry.message for entry in history] == [SEEN, SIGNED, result, assistant("ok")]
    assert [entry.position for entry in history] == [0, 1, 2, 3]
    assert [entry.token_count for entry in history] == [None, None, 12, None]
    assert {entry.turn for entry in history} == {1}
    assert (await store.message(row.session_id, 2)).message == result


async def test_a_session_is_read_back_as_it_was(store: Store) -> None:
    made = await store.create_session(title="H0", model="local", locale="zh", owner="ann", metadata={"a": [1, "二"]})
    await store.update_session(made.session_id, title="T", engine_state={"window": {"seen": 3}})
    row = await store.session(made.session_id)
    assert (row.title, row.model, row.locale, row.owner) == ("T", "local", "zh", "ann")
    assert row.metadata == {"a": [1, "二"]}
    assert row.engine_state == {"window": {"seen": 3}}
    assert datetime.now(UTC) - row.created_at < timedelta(minutes=5)
    await store.update_session(made.session_id, model="openai/x", metadata={}, engine_state={})
    row = await store.session(made.session_id)
    assert (row.title, row.model, row.metadata, row.engine_state) == ("T", "openai/x", {}, {})


async def test_turns_are_counted_when_they_begin(store: Store) -> None:
    key = (await store.create_session()).session_id
    assert await store.turn_count(key) == 0
    assert [(await store.begin_turn(key, user("q"))).turn for _ in range(3)] == [1, 2, 3]
    assert await store.turn_count(key) == 3
    assert (await store.session(key)).turn_count == 3


async def test_the_journal_keeps_the_order_of_messages_and_compactions(store: Store) -> None:
    key = (await store.create_session()).session_id
    await store.begin_turn(key, user("q"))
    await store.commit(key, 1, compaction={"layer": "snip", "of": [1, 2]})
    await store.commit(key, 1, messages=[assistant("a"), user("b")], compaction={"layer": "micro"})
    await store.commit(key, 1, messages=[user("theirs")], compaction={"layer": "x"}, agent_name="sub_1")
    await store.commit(key, 1, messages=[user("c")])
    kept = [r.record["layer"] if isinstance(r, StoredCompaction) else r.message.text for r in await store.records(key)]
    assert kept == ["q", "snip", "a", "b", "micro", "c"]
    assert len(await store.records(key, "*")) == 8


async def test_agents_are_kept_apart_and_all_are_read_in_commit_order(store: Store) -> None:
    key = (await store.create_session()).session_id
    for agent, text in [("lead", "1"), ("sub_a", "2"), ("lead", "3"), ("sub_b", "4"), ("sub_a", "5")]:
        await store.commit(key, 1, messages=[user(text)], agent_name=agent)
    assert [(e.position, e.message.text) for e in await store.history(key)] == [(0, "1"), (1, "3")]
    assert [(e.position, e.message.text) for e in await store.history(key, "sub_a")] == [(0, "2"), (1, "5")]
    everything = await store.history(key, "*")
    assert [(e.agent_name, e.message.text) for e in everything] == [
        ("lead", "1"),
        ("sub_a", "2"),
        ("lead", "3"),
        ("sub_b", "4"),
        ("sub_a", "5"),
    ]
    assert await store.history(key, "sub_c") == []


async def test_events_are_read_on_from_any_seq(store: Store) -> None:
    key = (await store.create_session()).session_id
    await store.begin_turn(key, user("q"), [{"type": "session"}])
    await store.commit(key, 1, events=[{"type": "text_delta", "text": str(n)} for n in range(5)])
    assert [e.seq for e in await store.events(key)] == [1, 2, 3, 4, 5, 6]
    later = await store.events(key, after=2, limit=2)
    assert [(e.seq, e.turn, e.payload) for e in later] == [
        (3, 1, {"type": "text_delta", "text": "1"}),
        (4, 1, {"type": "text_delta", "text": "2"}),
    ]
    assert await store.events(key, after=6) == []


async def test_a_plan_is_replaced_for_its_agent_only(store: Store) -> None:
    key = (await store.create_session()).session_id
    plan = [Task("2", "read", "in_progress", (), "lead"), Task("1", "write", "pending", ("2",))]
    await store.commit(key, 1, tasks=plan)
    await store.commit(key, 1, tasks=[Task("1", "theirs")], agent_name="sub")
    await store.commit(key, 1, messages=[user("the plan stays")])
    assert await store.tasks(key) == plan
    await store.commit(key, 1, tasks=[])
    assert await store.tasks(key) == []
    assert await store.tasks(key, "sub") == [Task("1", "theirs")]


async def test_the_audit_log_keeps_each_call_in_order(store: Store) -> None:
    key = (await store.create_session()).session_id
    rows = [
        AuditRow(
            session_id=key,
            step=n,
            tool_name="bash",
            call_id=f"c{n}",
            agent_name="sub",
            status="denied",
            elapsed_ms=n * 7,
            output_preview="no",
        )
        for n in range(3)
    ]
    await store.commit(key, 1, audit=rows[:2])
    await store.commit(key, 1, audit=rows[2:])
    kept = await store.audit(key)
    assert [(r.step, r.call_id, r.agent_name, r.status, r.elapsed_ms) for r in kept] == [
        (0, "c0", "sub", "denied", 0),
        (1, "c1", "sub", "denied", 7),
        (2, "c2", "sub", "denied", 14),
    ]
    assert all(r.created_at for r in kept)


async def test_sessions_are_listed_by_last_use_and_owner(store: Store) -> None:
    owner = uuid4().hex
    assert await store.latest_session(owner=owner) is None
    keys = [(await store.create_session(owner=owner)).session_id for _ in range(3)]
    await store.begin_turn(keys[0], user("again"))
    assert [row.session_id for row in await store.sessions(owner=owner)] == [keys[0], keys[2], keys[1]]
    assert len(await store.sessions(2, owner)) == 2
    latest = await store.latest_session(owner=owner)
    assert latest is not None
    assert latest.session_id == keys[0]


async def test_another_owners_session_is_as_unknown_as_a_missing_one(store: Store) -> None:
    key = (await store.create_session(owner="ann")).session_id
    assert (await store.session(key, owner="ann")).session_id == key
    with pytest.raises(NoSuchSession):
        await store.session(key, owner="bob")
    with pytest.raises(NoSuchSession):
        await store.session(key[:8], owner="bob")


async def test_the_beginning_of_an_id_is_enough_if_only_one_begins_so(store: Store) -> None:
    begins = uuid4().hex[:10]
    key = (await store.create_session(session_id=begins + "_a")).session_id
    assert (await store.session(begins)).session_id == key
    with pytest.raises(NoSuchSession):
        await store.session(begins[:5])
    with pytest.raises(NoSuchSession):
        await store.session(begins[:8] + "__")
    await store.create_session(session_id=begins + "_b")
    with pytest.raises(AmbiguousSession, match="more than one"):
        await store.session(begins)
    assert (await store.session(key)).session_id == key


async def test_an_id_is_used_once(store: Store) -> None:
    key = (await store.create_session()).session_id
    with pytest.raises(SessionExists, match=key):
        await store.create_session(session_id=key)


@pytest.mark.parametrize("name", ["", "a b", "../x", "a\0b", "\ud800", "x" * 65, "a'--"])
async def test_bad_names_are_refused_or_unknown(store: Store, name: str) -> None:
    key = (await store.create_session()).session_id
    if name:
        with pytest.raises(BadName):
            await store.create_session(session_id=name)
    with pytest.raises(BadName):
        await store.commit(key, 1, agent_name=name)
    with pytest.raises(NoSuchSession):
        await store.session(name)


async def test_what_is_not_there_is_a_typed_error(store: Store) -> None:
    key = (await store.create_session()).session_id
    with pytest.raises(NoSuchMessage, match="m0"):
        await store.message(key, 0)
    for call in (store.history, store.records, store.events, store.tasks, store.turn_count, store.remove_session):
        with pytest.raises(NoSuchSession) as caught:
            await call("nowhere-1")  # type: ignore[operator]
        assert caught.value.args[0] == "nowhere-1"
        assert str(caught.value) == "no session nowhere-1"
    with pytest.raises(NoSuchSession):
        await store.commit("nowhere-1", 1, messages=[user("x")])
    with pytest.raises(NoSuchSession):
        await store.begin_turn("nowhere-1", user("x"))
    with pytest.raises(NoSuchSession):
        await store.update_session("nowhere-1", title="x")


async def test_a_removed_session_leaves_nothing_and_its_id_is_free(store: Store) -> None:
    key = (await store.create_session()).session_id
    await store.begin_turn(key, user("q"), [{"type": "session"}])
    await store.commit(key, 1, compaction={"a": 1}, tasks=[Task("1", "x")])
    await store.update_session(key, engine_state={"a": 1})
    await store.remove_session(key)
    with pytest.raises(NoSuchSession):
        await store.session(key)
    again = await store.create_session(session_id=key)
    assert again.engine_state is None
    assert await store.records(key, "*") == []
    assert await store.events(key) == []
    assert await store.tasks(key) == []


async def test_a_commit_happens_whole_or_not_at_all(store: Store) -> None:
    key = (await store.create_session()).session_id
    await store.begin_turn(key, user("q"), [{"type": "session"}])
    with pytest.raises(BadRecord, match="event can't be stored"):
        await store.commit(key, 1, messages=[assistant("lost")], events=[{"type": "x", "bad": object()}])
    with pytest.raises(BadRecord, match="message can't be stored"):
        await store.commit(key, 1, messages=[assistant("kept?"), Message("user", extra={"bad": {1, 2}})])
    committed = await store.commit(key, 1, messages=[assistant("a")], events=[{"type": "y"}])
    assert (committed.positions, committed.seqs) == ((1,), (2,))
    assert [e.message.text for e in await store.history(key)] == ["q", "a"]


@pytest.mark.parametrize("text", ["a\0b", "\ud83d alone", "half \udc00", "\x01\x1f\x7f\u2028\ufeff\uffff", "🜨 哈勃"])
async def test_characters_that_databases_refuse_survive(store: Store, text: str) -> None:
    key = (await store.create_session(title=text, metadata={"t": text})).session_id
    call = ToolCall(text, "tool", text)
    sent = [
        Message("assistant", (Thinking(text, text, {"k": text}), Text(text), call), "model", {text: text}),
        Message("tool", (ToolResult(text, text, "tool"),), "tool"),
    ]
    audit = AuditRow(
        session_id=key, step=1, tool_name="t", call_id=text, status="ok", elapsed_ms=1, output_preview=text
    )
    await store.commit(key, 1, messages=sent, events=[{"type": "x", "t": text}], compaction={"t": text}, audit=[audit])
    await store.commit(key, 1, tasks=[Task("1", text)])
    await store.update_session(key, engine_state={"t": text})

    assert [entry.message for entry in await store.history(key)] == sent
    assert (await store.events(key))[0].payload["t"] == text
    folded = (await store.records(key))[-1]
    assert isinstance(folded, StoredCompaction)
    assert folded.record == {"t": text}
    row = await store.session(key)
    assert (row.metadata, row.engine_state) == ({"t": text}, {"t": text})
    shown = "".join("␀" if c == "\0" else "�" if "\ud800" <= c <= "\udfff" else c for c in text)
    assert row.title == shown
    assert (await store.tasks(key))[0].content == shown
    assert (await store.audit(key))[0].output_preview == shown


async def test_a_result_is_kept_whole_up_to_a_bound_and_then_says_so(store: Store) -> None:
    key = (await store.create_session(locale="zh")).session_id
    fits, long = tool_result(CALL, "x" * RESULT_CHARS), tool_result(CALL, "y" * (RESULT_CHARS + 5))
    await store.commit(key, 1, messages=[fits, long])
    kept = [entry.message for entry in await store.history(key)]
    assert kept[0] == fits
    assert kept[1].text == "y" * RESULT_CHARS + "\n[存储时截断：此处为 2000005 个字符中的前 2000000 个]"
    assert kept[1].result is not None
    assert kept[1].result.call_id == "call_1"


async def test_originals_are_read_by_range_and_searched(store: Store) -> None:
    key = (await store.create_session()).session_id
    said = ["H0 is 73.04", "100% sure_ly", "Omega_m", "the 哈勃 constant H0", "h0 = 67.4"]
    await store.commit(key, 1, messages=[user(text) for text in said])
    await store.commit(key, 1, messages=[SIGNED, user("H0 of the sub-agent")], agent_name="sub")

    def positions(found: list[StoredMessage]) -> list[int]:
        return [entry.position for entry in found]

    assert positions(await store.originals(key, 1, 3)) == [1, 2, 3]
    assert positions(await store.originals(key, 3, 99)) == [3, 4]
    assert positions(await store.search(key, "h0")) == [0, 3, 4]
    assert positions(await store.search(key, "H0 哈勃")) == [3]
    assert positions(await store.search(key, "0%")) == [1]
    assert positions(await store.search(key, "e_l")) == [1]
    assert positions(await store.search(key, "H0", limit=2)) == [0, 3]
    assert positions(await store.search(key, "哈勃常数", "sub")) == [0]  # in a call's arguments
    assert len(await store.search(key, "H0", "*")) == 4
    assert await store.search(key, "nowhere") == []
    with pytest.raises(NoSuchSession):
        await store.originals("nowhere-1", 0, 1)

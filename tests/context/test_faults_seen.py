"""Faults that others' programs had, one test a kind: compaction, pairing, ids, loops, summaries, images, thinking."""

import json

import pytest

from astroresearch.context import ContextOverflow, Engine, InvalidTranscript, Policy
from tests.laws.histories import broken

from .histories import calls, result, says, session, system, text_of, user


def engine(soft: int = 1_000, summarise=None, make=Policy.document, window: int = 100_000, **options):
    return Engine(policy=make(soft_limit=soft), window=window, summarise=summarise, **options)


# -- the cut falls between a call and its result --------------------------------------------------------------------


@pytest.mark.parametrize("make", [Policy.document, Policy.adaptive])
@pytest.mark.parametrize("size", range(200, 4_000, 400))
def test_no_cut_parts_a_call_from_its_result(make, size):
    history = [system("s"), user("q"), calls("a"), result("a", "z" * size), user("and now?"), says("so it is")]
    made = engine(300, make=make)
    assert broken(made.fit(history).messages) == ""
    assert broken(made.compact().messages) == ""


def test_pairs_stay_whole_through_a_second_and_third_compaction():
    made = engine(1_500, lambda m, i: "Read papers.")
    history = session(60)
    for end in range(2, len(history) + 1, 2):
        assert broken(made.fit(history[:end]).messages) == ""


def test_what_the_summariser_is_asked_is_itself_a_valid_request():
    asked = []

    def summarise(messages, instruction):
        asked.append([*messages, user(instruction)])
        return "Read papers."

    made = engine(1_500, summarise)
    history = [*session(40), calls("open")]
    made.fit(history)
    made.compact()
    assert len(asked) >= 1
    assert [broken(request) for request in asked] == [""] * len(asked)


def test_a_compaction_that_the_model_called_for_comes_after_its_result():
    history = [*session(20), calls("k", name="compress_context"), result("k", "will be done", "compress_context")]
    made = engine(50_000)
    made.fit(history)
    view = made.compact().messages
    assert broken(view) == ""
    assert "will be done" in text_of(view)


def test_an_orphan_result_is_told_in_words_and_a_lost_call_is_not_invented():
    view = engine().fit([user("q"), result("gone", "H0 = 70"), says("ok")]).messages
    assert broken(view) == ""
    assert any(m["role"] == "user" and "H0 = 70" in m["content"] for m in view)


def test_a_call_without_a_result_gets_an_interrupted_one_with_a_stable_id():
    history = [user("q"), calls("a", "b"), result("b", "two"), user("go on")]
    first = engine().fit(history).messages
    again = engine().fit(history).messages
    assert broken(first) == ""
    assert first == again
    assert "interrupted" in next(m for m in first if m.get("tool_call_id") == "a")["content"]


# -- ids ---------------------------------------------------------------------------------------------


def test_ids_that_repeat_from_turn_to_turn_lose_no_result():
    history = [user("q")]
    for k in range(12):
        history += [calls("list_dir:0", paper=str(k)), result("list_dir:0", f"answer {k}")]
    view = engine().fit(history).messages
    assert view == history


def test_one_constant_id_for_parallel_calls_is_healed_in_order():
    history = [user("q"), calls("x", "x"), result("x", "first"), result("x", "second"), says("done")]
    view = engine().fit(history).messages
    assert broken(view) == ""
    assert [m["content"] for m in view if m["role"] == "tool"] == ["first", "second"]


# -- loops and thresholds ---------------------------------------------------------------------------------------------


def test_overhead_that_leaves_no_room_is_said_at_once_with_its_culprit():
    tools = [{"type": "function", "function": {"name": "t", "description": "word " * 40_000, "parameters": {}}}]
    with pytest.raises(ContextOverflow, match="tool schemas"):
        engine(window=32_768).fit([user("hello")], tools=tools)


def test_a_kept_turn_above_the_threshold_does_not_compact_for_ever():
    made = engine(1_000)
    history = [user("q"), calls("a"), result("a", "word " * 4_000)]
    compactions = 0
    for k in range(30):
        history += [says(f"step {k}")] if k % 2 else [user(f"go on {k}")]
        compactions += bool(made.fit(history).applied)
    assert compactions <= 4


def test_a_summary_is_made_from_values_and_never_quotes_the_last_one():
    made = engine(1_200, lambda m, i: "They read papers.")
    history = session(120)
    sizes = []
    for end in range(2, len(history) + 1, 2):
        fitted = made.fit(history[:end])
        if fitted.applied:
            block = next(m["content"] for m in fitted.messages if "Context state" in str(m["content"]))
            assert block.count("Context state") == 1
            sizes.append(len(block))
    assert len(sizes) > 5
    assert max(sizes) < 2 * min(sizes) + 2_000


def test_usage_reported_before_a_compaction_does_not_trigger_another():
    made = engine(2_000)
    history = session(40)
    made.fit(history)
    made.observe(prompt_tokens=9_000)
    made.compact()
    history.append(user("thanks, go on"))
    assert made.fit(history).applied == ()


def test_a_failed_compaction_leaves_the_counters_and_fires_again():
    answers = iter(["", "They read papers."])
    made = engine(1_500, lambda m, i: next(answers), Policy.adaptive)
    history = session(30)
    before = made.fit(history)
    assert before.tokens <= 1_500, "the model-free layers still bound the request"
    history += session(30)[2:]
    assert "auto" in made.fit(history).applied


def test_system_tools_and_the_answer_are_counted_in():
    tools = [{"type": "function", "function": {"name": "t", "description": "word " * 3_000, "parameters": {}}}]
    made = Engine(policy=Policy.adaptive(), window=12_000, reserve=4_000)
    assert made.fit(session(60), tools=tools).tokens <= 8_000


def test_the_providers_count_is_believed():
    made = Engine(policy=Policy.adaptive(), window=262_144, reserve=8_000)
    history = session(300)
    made.fit(history)
    made.observe(prompt_tokens=253_000)
    history += session(10)[2:]
    fitted = made.fit(history)
    assert fitted.applied
    assert fitted.tokens < 200_000


# -- summaries ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["", "   \n", None, "blah " * 50_000])
def test_an_empty_or_longer_summary_changes_nothing_of_the_history(bad):
    made = engine(1_500, lambda m, i: bad, Policy.adaptive)
    fitted = made.fit(session(30))
    assert "auto" not in fitted.applied
    assert fitted.tokens <= 1_500
    assert "2022ApJ...003L...7R" in made.recall("m2-m60", query="2022ApJ...003L...7R")


def test_one_error_while_summarising_replaces_nothing_by_a_notice():
    def summarise(messages, instruction):
        raise ConnectionError("503")

    made = engine(1_500, summarise, Policy.adaptive)
    assert "503" not in text_of(made.fit(session(30)).messages)


def test_what_stands_after_a_compaction_says_go_on():
    made = engine(1_500, lambda m, i: "They read papers.", Policy.adaptive)
    block = next(m["content"] for m in made.fit(session(60)).messages if "Context state" in str(m["content"]))
    assert "not a new request" in block
    assert "go on" in block


def test_everything_that_is_replaced_reaches_the_summariser():
    seen = []

    def summarise(messages, instruction):
        seen.append(text_of(messages))
        return "Read."

    made = Engine(policy=Policy.adaptive(soft_limit=4_000), window=6_000, reserve=500, summarise=summarise)
    history = session(400, size=300)
    history[301]["content"] = "NEEDLE-1 " + "word " * 3_000
    made.fit(history)
    told = "\n".join(seen)
    assert all(f"[{k}] word" in told for k in range(380) if history[2 * k + 3]["content"].startswith("["))
    assert "NEEDLE-1" in told


def test_a_summary_that_names_what_no_original_holds_is_marked():
    made = engine(1_500, lambda m, i: "H0 = 99.9 ± 0.1 km/s/Mpc (2099ApJ...999L...9Z).", Policy.adaptive)
    block = text_of(made.fit(session(60)).messages)
    assert "not in the originals: 2099ApJ...999L...9Z" in block


def test_a_summary_that_lost_an_identifier_gets_it_appended():
    history = session(30, size=800)
    history[5]["content"] = "The paper says H0 = 73.04 ± 1.04 km/s/Mpc in 2022ApJ...934L...7R. " + "word " * 60
    made = engine(3_000, lambda m, i: "They read some papers.", Policy.adaptive)
    block = text_of(made.fit(history).messages)
    assert "73.04 ± 1.04 km/s/Mpc" in block
    assert "2022ApJ...934L...7R" in block


def test_five_compactions_keep_every_constraint_and_a_bounded_ledger():
    made = engine(2_000, lambda m, i: "Read papers.", Policy.adaptive)
    history = session(10, question="Only use spectroscopic redshifts. Never cite before 2015.")
    history += [user("Always give km/s/Mpc.")]
    sizes = []
    for round_ in range(5):
        history += [m for m in session(20)[2:]]
        history[-1] = {**history[-1], "content": f"round {round_}: v{round_}123 = 1{round_}.04 ± 0.1 Mpc " + "w " * 100}
        made.fit(history)
        view = made.compact().messages
        shown = text_of(view)
        assert "Only use spectroscopic redshifts. Never cite before 2015." in shown
        assert "Always give km/s/Mpc." in shown
        sizes.append(len(shown))
    assert max(sizes) < 2 * sizes[0] + 3_000


# -- images, thinking, odd content ------------------------------------------------------------------------------------


def test_a_screenshot_is_not_counted_by_its_bytes():
    image = [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": "data:" + "A" * 3_000_000}},
    ]
    fitted = Engine(policy=Policy.adaptive(), window=32_000).fit([user(image), says("a galaxy")])
    assert fitted.applied == ()
    assert fitted.tokens < 2_000


def test_what_an_image_costs_is_a_setting():
    image = [{"type": "image_url", "image_url": {"url": "data:,"}}]
    cheap = Engine(policy=Policy.adaptive(image_tokens=10), window=32_000).fit([user(image)])
    dear = Engine(policy=Policy.adaptive(image_tokens=9_000), window=32_000).fit([user(image)])
    assert dear.tokens - cheap.tokens == 8_990


def test_reasoning_stays_with_its_call_or_leaves_with_it():
    history = session(20)
    for message in history:
        if message["role"] == "assistant":
            message["reasoning_content"] = "I should read it."
    view = engine(1_000, make=Policy.adaptive).fit(history).messages
    assert all(m.get("reasoning_content") == "I should read it." for m in view if m["role"] == "assistant")


def test_a_signed_thinking_block_is_kept_byte_for_byte():
    block = {"type": "thinking", "thinking": "…", "signature": "EqQBCg=="}
    history = [user("q"), {**calls("a"), "content": [block]}, result("a"), says("x")]
    view = engine(300, make=Policy.adaptive).fit(history).messages
    for message in view:
        if message["role"] == "assistant" and isinstance(message.get("content"), list):
            assert message["content"] == [block]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"role": "robot", "content": "x"}, "unknown role 'robot'"),
        ({"content": "x"}, "unknown role None"),
        ("hello", "must be a dict"),
        ({"role": "user", "content": 3}, "content must be"),
        ({"role": "assistant", "tool_calls": [{"id": "a"}]}, "no function name"),
        (
            {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"x": {1, 2}}}}]},
            "can't be written as JSON",
        ),
    ],
)
def test_invalid_input_names_the_index(message, reason):
    with pytest.raises(InvalidTranscript, match=r"messages\[1\]") as caught:
        engine().fit([user("q"), message])
    assert reason in str(caught.value)
    assert caught.value.index == 1


def test_a_transcript_that_is_not_a_continuation_is_refused_and_nothing_is_lost():
    made = engine()
    made.fit([user("a"), says("b")])
    with pytest.raises(InvalidTranscript, match="append-only"):
        made.fit([user("other"), says("b"), user("c")])
    assert made.fit([user("a"), says("b"), user("c")]).messages[-1] == user("c")


def test_null_content_and_unknown_fields_pass_unchanged():
    history = [user("q"), {**calls("a"), "audio": None, "x_vendor": {"k": 1}}, result("a")]
    assert engine().fit(history).messages == json.loads(json.dumps(history))

"""The measuring instrument against the plain definitions of docs/replay.md."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.replay.counters import counter
from astroresearch.replay.formats import Transcript, read_transcripts
from astroresearch.replay.identifiers import Vocabulary, needs_of, stands, text_of
from astroresearch.replay.metrics import FAR, Prices, Sources, serialised, spans_in, total
from astroresearch.replay.player import FakeSummariser, ReplayFailed, Setting, play

CHARS4 = counter("chars4")
COUNTED = Setting("test", CHARS4)


def says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def calls(name: str, arguments: str, ident: str = "c1") -> dict[str, Any]:
    call = {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def result(text: str, ident: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": ident, "content": text}


def asks(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def transcript(messages: list[dict[str, Any]], tools: Sequence[dict[str, Any]] = ()) -> Transcript:
    replies = sum(m["role"] == "assistant" for m in messages)
    return Transcript("a.json", messages, list(tools), [], [None] * replies)


class Fitted:
    def __init__(self, messages: list[dict[str, Any]], references: Sequence[str] = ()) -> None:
        self.messages, self.references = messages, references


class Everything:
    """Sends the whole transcript."""

    def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
        return Fitted(messages)


class Newest:
    """Keeps the last *keep* messages and names what left; ``recall`` gives it back."""

    def __init__(self, keep: int, *, named: bool = True) -> None:
        self.keep, self.named, self.asked = keep, named, 0
        self.seen: list[dict[str, Any]] = []

    def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
        self.seen = messages
        gone = max(len(messages) - self.keep, 0)
        if not gone:
            return Fitted(messages)
        reference = f"m0-m{gone - 1}" if gone > 1 else "m0"
        note = asks(f"[folded: recall {reference}]" if self.named else "[folded]")
        return Fitted([note, *messages[gone:]], [reference])

    def recall(self, ref: str, query: str | None = None) -> str:
        self.asked += 1
        (first, last), *_ = spans_in(ref)
        return "\n".join(text_of(m) for m in self.seen[first : last + 1])


# -- identifiers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see 2022ApJ...934L...7R and 2024A&A...680A...1X.", {"2022ApJ...934L...7R", "2024A&A...680A...1X"}),
        ("arXiv:2112.04510v2, astro-ph/9805201", {"2112.04510v2", "astro-ph/9805201"}),
        ("doi 10.3847/2041-8213/ac5c5b.", {"10.3847/2041-8213/ac5c5b"}),
        ("(see https://ui.adsabs.harvard.edu/abs/x).", {"https://ui.adsabs.harvard.edu/abs/x"}),
        ("at https://arxiv.org/abs/2112.04510", {"https://arxiv.org/abs/2112.04510", "2112.04510"}),
        ("read /data/run_1/out.fits, then src/a.py; and/or km/s", {"/data/run_1/out.fits", "src/a.py"}),
        ('the "Large Magellanic Cloud" is `completed`', {"Large Magellanic Cloud"}),
        ("《三体》 and 「大麦哲伦云」", {"三体", "大麦哲伦云"}),
        ("user sara_doe_496 booked K1NW8N", {"sara_doe_496", "K1NW8N"}),
        ("H0 = 73.04 in 2022, 1,234 sources, 42 left", {"73.04", "2022", "1,234"}),
        ("<b>bold</b> it's don't", set()),
        ("在2024年看/data/表.txt", {"2024", "/data"}),
    ],
)
def test_identifiers_of_each_kind(text: str, found: set[str]) -> None:
    assert needs_of(says(text)) == found


def test_identifiers_in_arguments_are_those_of_the_values_not_of_the_json() -> None:
    message = calls("read_file", '{"path": "src/a b.py", "name": "Crab Nebula", "start": 1054, "text": "x\\n2024ab"}')
    assert needs_of(message) == {"src/a b.py", "b.py", "Crab Nebula", "1054", "2024ab"}


def test_reasoning_makes_no_need_but_can_be_its_source() -> None:
    thinking = {"role": "assistant", "content": "", "reasoning_content": "it was NGC4993"}
    assert needs_of(thinking) == set()
    assert [n.sources for n in Sources([thinking, says("NGC4993")]).needs(1)] == [[0]]


@pytest.mark.parametrize(
    ("identifier", "text", "there"),
    [
        ("2024", "in 2024.", True),
        ("2024", "120245", False),
        ("2024", "x_2024", False),
        ("2024", "x2024", False),
        ("2024", '{"text": "a\\n2024"}', True),
        ("/a/b.py", "open /a/b.py:12", True),
        ("/a/b.py", "open /a/b.pyc", False),
        ("大麦哲伦云", "\\u5927\\u9ea6\\u54f2\\u4f26\\u4e91", True),
        ("C:\\new\\x1234", '{"p": "C:\\\\new\\\\x1234"}', True),
    ],
)
def test_what_stands_in_a_text(identifier: str, text: str, there: bool) -> None:
    assert stands(identifier, text) is there
    assert (identifier in Vocabulary([identifier]).standing_in(text)) is there


PIECES = st.sampled_from(
    [
        "2024",
        "_",
        "a",
        "/",
        ".",
        "\\n",
        "\\u4e2d",
        "中",
        " ",
        "ab12",
        "x.py",
        '"',
        "'",
        "10.1234/ab",
        "http://",
        "-",
        "\\",
        "m4",
    ]
)
WRITTEN = st.lists(PIECES, max_size=14).map("".join)


@given(st.lists(WRITTEN, max_size=4), WRITTEN)
def test_a_vocabulary_finds_exactly_what_the_definition_says(said: list[str], text: str) -> None:
    names = set().union(*(needs_of(says(s)) for s in said), said) - {""}
    assert Vocabulary(names).standing_in(text) == {n for n in names if stands(n, text)}


@given(WRITTEN)
def test_each_identifier_stands_in_its_own_message(text: str) -> None:
    assert all(stands(name, text_of(says(text))) for name in needs_of(says(text)))


# -- needs against a brute-force count --------------------------------------------------------------------------------

WORDS = st.sampled_from(["A1001", "B2002", "C3003", "/data/x.py", "2022", "plain words", "NGC4993\\n2022"])
TEXTS = st.lists(WORDS, max_size=3).map(" ".join)
MESSAGES = st.lists(
    st.one_of(TEXTS.map(asks), TEXTS.map(says), TEXTS.map(result), TEXTS.map(lambda t: calls("f", f'{{"x": "{t}"}}'))),
    max_size=40,
)


def brute(messages: list[dict[str, Any]], keep: int, named: bool) -> tuple[list[int], list[int]]:
    needs, far = [0, 0, 0], [0, 0, 0]
    for i, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        manager = Newest(keep, named=named)
        view = "\n\n".join(text_of(m) for m in manager.fit(messages[:i]).messages)
        for name in needs_of(message):
            sources = [p for p in range(i) if stands(name, text_of(messages[p]))]
            if not sources:
                continue
            kind = 0 if stands(name, view) else 1 if named else 2
            needs[kind] += 1
            far[kind] += sum(m["role"] == "assistant" for m in messages[sources[-1] : i]) > FAR
    return needs, far


@given(MESSAGES, st.integers(1, 12), st.booleans())
def test_needs_are_those_of_the_definition(messages: list[dict[str, Any]], keep: int, named: bool) -> None:
    numbers = play(transcript(messages), Newest(keep, named=named), COUNTED).numbers()
    counted = [list(numbers[k].values()) for k in ("needs", "needs_far")]
    assert counted == [*brute(messages, keep, named)]


def test_far_means_more_than_ten_replies_back() -> None:
    near = [asks("K1NW8N"), *[says("on")] * 10, says("K1NW8N")]
    assert play(transcript(near), Everything(), COUNTED).numbers()["needs_far"]["visible"] == 0
    far = [asks("K1NW8N"), *[says("on")] * 11, says("K1NW8N")]
    assert play(transcript(far), Everything(), COUNTED).numbers()["needs_far"]["visible"] == 1


def test_a_reference_that_does_not_give_the_text_back_recovers_nothing() -> None:
    class Forgetful(Newest):
        def recall(self, ref: str, query: str | None = None) -> str:
            raise KeyError(ref)

    said = [asks("K1NW8N"), asks("more"), asks("still more"), says("K1NW8N")]
    assert play(transcript(said), Forgetful(1), COUNTED).numbers()["needs"]["lost"] == 1
    assert play(transcript(said), Newest(1), COUNTED).numbers()["needs"]["recoverable"] == 1


def test_a_reference_to_other_messages_recovers_nothing() -> None:
    class Elsewhere(Newest):
        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            return Fitted([asks("see m1"), *super().fit(messages).messages[-1:]], ["m1"])

        def recall(self, ref: str, query: str | None = None) -> str:
            return "K1NW8N"

    said = [asks("K1NW8N"), asks("more"), asks("still more"), says("K1NW8N")]
    assert play(transcript(said), Elsewhere(1), COUNTED).numbers()["needs"]["lost"] == 1


def test_a_word_like_a_reference_in_an_original_message_is_none() -> None:
    class Bare:
        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            return Fitted(messages[1:])

        def recall(self, ref: str, query: str | None = None) -> str:
            return "K1NW8N"

    said = [asks("K1NW8N"), asks("Messier says m0 is bright"), says("K1NW8N")]
    assert play(transcript(said), Bare(), COUNTED).numbers()["needs"]["lost"] == 1


def test_a_manager_may_have_references_of_its_own_kind() -> None:
    class Files:
        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            return Fitted([asks("older messages: /stash/0")], ["/stash/0"])

        def recall(self, ref: str) -> str:
            return "K1NW8N" if ref == "/stash/0" else ""

    said = [asks("K1NW8N"), says("K1NW8N")]
    assert play(transcript(said), Files(), COUNTED).numbers()["needs"]["recoverable"] == 1


# -- prefixes and prices ----------------------------------------------------------------------------------------------


@given(MESSAGES, st.integers(1, 12))
def test_prefixes_are_accounted_as_defined(messages: list[dict[str, Any]], keep: int) -> None:
    numbers = play(transcript(messages), Newest(keep), COUNTED).numbers()
    cached = whole = breaks = largest = 0
    last: list[str] = []
    for i, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        view = Newest(keep).fit(messages[:i]).messages
        lines = [serialised(m) for m in view]
        common = next((n for n in range(len(lines)) if lines[n : n + 1] != last[n : n + 1]), len(lines))
        cached += sum(CHARS4(m) for m in view[:common])
        whole += (size := sum(CHARS4(m) for m in view))
        breaks += lines[: len(last)] != last
        largest = max(largest, size)
        last = lines
    given = [numbers[k] for k in ("cached", "uncached", "tokens_in", "prefix_breaks", "max_request")]
    assert given == [cached, whole - cached, whole, breaks, largest]


def test_cost_and_what_recalls_add_by_hand() -> None:
    said = [asks("K1NW8N " + "x" * 393), says("a" * 40), says("K1NW8N")]
    run = play(transcript(said), Newest(1), Setting("k", CHARS4, Prices(cached=0.5)))
    folded = CHARS4(asks("[folded: recall m0]"))
    second = folded + CHARS4(said[1])
    assert [s.tokens for s in run.steps] == [104, second]
    assert run.numbers()["cost"] == 104 + second
    assert run.numbers()["cost_with_recall"] == 104 + second + 0.5 * second + CHARS4(result("K1NW8N " + "x" * 393))


def test_tool_schemas_are_part_of_each_request_and_cached_after_the_first() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    bare = play(transcript([asks("a"), says("b"), says("c")]), Everything(), COUNTED).numbers()
    armed = play(transcript([asks("a"), says("b"), says("c")], [tool]), Everything(), COUNTED).numbers()
    schemas = armed["max_request"] - bare["max_request"]
    assert schemas > 10
    assert armed["uncached"] - bare["uncached"] == schemas == armed["cached"] - bare["cached"]


def test_the_fake_summariser_is_paid_for() -> None:
    class Summarising:
        def __init__(self, ask: FakeSummariser) -> None:
            self.ask = ask

        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            return Fitted([asks(self.ask(messages, "Summarise."))])

    ask = FakeSummariser(CHARS4)
    said = [asks("x" * 400), says("b" * 40), says("c")]
    numbers = play(transcript(said), Summarising(ask), COUNTED, ask).numbers()
    assert numbers["summariser_in"] == 104 + (104 + 14) + 2 * CHARS4(asks("Summarise."))
    assert numbers["summariser_out"] == 2 * (500 // 4 + 4)
    paid = numbers["uncached"] + 0.1 * numbers["cached"]
    assert numbers["cost"] == paid + numbers["summariser_in"] + 5 * numbers["summariser_out"]


def test_the_total_is_the_sum_and_the_largest_request() -> None:
    runs = [play(transcript([asks("x" * n), says("b")]), Everything(), COUNTED) for n in (400, 800)]
    assert total(runs)["uncached"] == 104 + 204
    assert total(runs)["max_request"] == 204
    assert total([])["requests"] == 0


def test_a_manager_that_edits_a_message_in_place_is_seen() -> None:
    class Editing:
        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            fresh = [dict(m) for m in messages]
            fresh[0]["content"] = f"now {len(messages)}"
            return Fitted(fresh)

    class Shared(Editing):
        kept = asks("")

        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            self.kept["content"] = f"now {len(messages)}"
            return Fitted([self.kept, *messages[1:]])

    said = [asks("a"), says("b"), says("c"), says("d")]
    for manager in (Editing(), Shared()):
        assert play(transcript(said), manager, COUNTED).numbers()["prefix_breaks"] == 2


def test_a_manager_that_changes_its_input_is_told_so() -> None:
    class Rude:
        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            messages[0]["content"] = "gone"
            return Fitted(messages)

    with pytest.raises(ReplayFailed, match="changed message 0"):
        play(transcript([asks("a"), says("b")]), Rude(), COUNTED)


def test_a_manager_that_gives_up_ends_the_replay_in_one_line() -> None:
    class Failing:
        def fit(self, messages: list[dict[str, Any]], tools: Any = None) -> Fitted:
            raise ValueError("too long")

    with pytest.raises(ReplayFailed, match=r"^a\.json: message 1: ValueError: too long$"):
        play(transcript([asks("a"), says("b")]), Failing(), COUNTED)


def test_without_compaction_the_recorded_sessions_cost_what_was_published(shared: Any) -> None:
    """10.36 M for the long session, 1.02 M for the other 35: four characters a token, tool schemas not counted."""
    files = sorted((shared / "data" / "trajectories").glob("*.json"))
    runs = [play(replace(t, tools=[]), Everything(), COUNTED) for f in files for t in read_transcripts(f)]
    long = [r for r in runs if "pi_mono" in r.file]
    assert round(total(long)["cost"] / 1e6, 2) == 10.36
    assert round(total([r for r in runs if r not in long])["cost"] / 1e6, 2) == 1.02
    assert total(runs)["needs"]["lost"] == total(runs)["prefix_breaks"] == 0
    assert all(t.tokens > 0 for r in runs for t in r.steps[1:])

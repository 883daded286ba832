"""The embedded researcher step by step: histories in, the next message out."""

import json
from collections.abc import Iterable, Mapping

import pytest

from astroresearch.context.messages import History, Message, ToolCall, assistant, system, tool_result, user
from astroresearch.locales import say
from astroresearch.model.base import Reply, Request, TextDelta
from astroresearch.model.local import LocalModel

NAMES = ("search_library", "read_paper", "recall_context", "todo_write")
TOOLS: tuple[Mapping[str, object], ...] = tuple(
    {"type": "function", "function": {"name": name, "parameters": {}}} for name in NAMES
)
PROMPT = system("You research.")
ASKED = user("What is the mass of PSR J0740+6620?")
ROW = "[1] 2021ApJ...915L..12F · Fonseca et al. · 2021 · Refined Mass of PSR J0740+6620 · match 1.00"
MASS = "The mass of the neutron star PSR J0740+6620 is 2.08 ± 0.07 M_sun."
FOUND = f"{ROW}\n    §Measured values: {MASS}"
PAGE = f"# 2021ApJ...915L..12F · Refined Mass of PSR J0740+6620\n## §Measured values\n{MASS}"
NOTE = f"• [2021ApJ...915L..12F] §Measured values: {MASS}"


async def step(history: Iterable[Message], tools: tuple[Mapping[str, object], ...] = TOOLS) -> Message:
    """Return the message that follows *history*; what is streamed and what is replied must agree."""
    said, reply = "", None
    async for chunk in LocalModel().stream(Request(model="local", history=tuple(history), tools=tools)):
        match chunk:
            case TextDelta(text):
                said += text
            case Reply():
                reply = chunk
    assert reply is not None
    assert reply.message.text == said
    return reply.message


async def played(history: History, results: dict[str, str]) -> tuple[History, Message]:
    """Go on from *history* to the answer; each tool's result is the text under its name."""
    for _ in range(12):
        message = await step(history)
        if not message.calls:
            return history, message
        answers = (tool_result(call, results.get(call.name, "ok")) for call in message.calls)
        history = (*history, message, *answers)
    raise AssertionError("no end")


def names(message: Message) -> list[str]:
    return [call.name for call in message.calls]


def arguments(message: Message, name: str) -> list[dict[str, object]]:
    return [json.loads(call.arguments) for call in message.calls if call.name == name]


async def test_plans_searches_reads_ticks_off_and_quotes() -> None:
    history, answer = await played((PROMPT, ASKED), {"search_library": FOUND, "read_paper": PAGE})
    steps = [names(message) for message in history if message.calls]
    assert steps == [["todo_write", "search_library"], ["todo_write", "read_paper"], ["todo_write"]]
    plan = json.loads(history[-2].calls[0].arguments)["todos"]
    assert {item["status"] for item in plan} == {"completed"}
    assert f"“{MASS}” — [2021ApJ...915L..12F] §Measured values" in answer.text
    assert say("en", "local.who") in answer.text


async def test_the_same_history_gets_the_same_step() -> None:
    assert await step((PROMPT, ASKED)) == await step((PROMPT, ASKED))


async def test_no_call_id_comes_twice_even_when_the_history_shrinks() -> None:
    first = await step((PROMPT, ASKED))
    history = (PROMPT, ASKED, first, *(tool_result(call, "0 results") for call in first.calls))
    second = await step(history)
    fold = user("[Context state · m1-m9] folded\nDone:\nm2 search_library mass", "summary")
    third = await step((PROMPT, ASKED, fold))
    ids = [call.id for message in (first, second, third) for call in message.calls]
    assert len(set(ids)) == len(ids)


async def test_says_when_nothing_was_found() -> None:
    _, answer = await played((PROMPT, ASKED), {"search_library": "0 results"})
    assert answer.text.startswith(say("en", "local.not_found"))
    assert "[" not in answer.text


async def test_a_failed_search_is_tried_once_more_and_its_reason_told() -> None:
    message = await step((PROMPT, ASKED))
    history: History = (PROMPT, ASKED)
    for _ in range(2):
        assert "search_library" in names(message)
        history = (*history, message, *(tool_result(call, "no such table", "error") for call in message.calls))
        message = await step(history)
    assert "no such table" in message.text


@pytest.mark.parametrize(
    ("question", "value", "other"),
    [
        ("What is the orbital period of Proxima c?", "The orbital period of Proxima b is 11.186 days.", "planet"),
        ("How thick is the ring of Saturn?", "Saturn's E ring has tiny (1 μm) particles.", "unit"),
        ("What is the albedo of Enceladus?", "Enceladus is a moon. Mab has an albedo of 0.46.", "another's name"),
        ("How many moons does Neptune have?", "Neptune and its moons were observed at 2 μm by Voyager 2.", "no count"),
        ("What is the distance to the Small Magellanic Cloud?", "The Large Magellanic Cloud is 50 kpc away.", "twin"),
        ("海王星的质量是多少？", "Neptune was observed in 1989 (Smith 1989, Figure 3).", "years and figures"),
    ],
)
async def test_a_near_miss_is_no_answer(question: str, value: str, other: str) -> None:
    found = f"[1] paper-1 · Doe · 2020 · A survey · match 0.90\n    §2 Results: {value}"
    _, answer = await played((PROMPT, user(question)), {"search_library": found, "read_paper": "# paper-1 · A survey"})
    assert "“" not in answer.text, other


async def test_a_number_keeps_its_unit_and_error_behind_words_between() -> None:
    said = "The distance to the Large Magellanic Cloud is 49.59 ± 0.09 (statistical) ± 0.54 (systematic) kpc."
    found = f"[1] paper-1 · Doe · 2020 · A survey · match 0.90\n    §2 Results: {said}"
    _, answer = await played((PROMPT, user("大麦哲伦云有多远？")), {"search_library": found})
    assert said in answer.text
    assert answer.text.startswith(say("zh", "local.answer"))


async def test_a_search_that_left_the_view_is_fetched_back_before_reading() -> None:
    asked = user("Compare the mass of PSR J0740+6620 and PSR J0030+0451")
    message = await step((PROMPT, asked))
    assert names(message) == ["todo_write", "search_library", "search_library"]
    plan, lost, kept = message.calls
    cleared = "[Previous: used search_library] mass PSR J0740+6620 · 900 tokens · recall m3"
    row = "[1] 2019ApJ...887L..21R · Riley et al. · 2019 · A NICER View of PSR J0030+0451 · match 1.00"
    history: History = (
        PROMPT,
        asked,
        message,
        tool_result(plan, "ok"),
        tool_result(lost, cleared),
        tool_result(kept, row),
    )
    message = await step(history)
    assert arguments(message, "recall_context") == [{"ref": "m3"}]
    history = (
        *history,
        message,
        *(tool_result(c, FOUND if c.name == "recall_context" else "ok") for c in message.calls),
    )
    message = await step(history)
    todos = arguments(message, "todo_write")[0]["todos"]
    assert isinstance(todos, list)
    contents = [item["content"] for item in todos]
    assert sum("2019ApJ...887L..21R" in content for content in contents) == 1
    assert sum("2021ApJ...915L..12F" in content for content in contents) == 1


def folded(question: Message, plan: str, *, notes: str = "", steps: str = "") -> History:
    """A view after a compaction: the question, the state block, the plan behind it."""
    block = f"[Context state · m1-m9] 9 messages were folded.\nDone:\n{steps}\nSummary of m1-m9:\n{notes}"
    return (PROMPT, question, user(block, "summary"), user(f"[Current tasks]\n{plan}", "summary"))


STEPS = "m2 todo_write · m3 search_library mass · m5 todo_write · m6 read_paper 2021ApJ...915L..12F “mass”"


async def test_after_a_compaction_the_plan_says_what_is_read_and_the_notes_answer() -> None:
    plan = "[x] 1. Search the library\n[>] 2. Read 2021ApJ...915L..12F\n[ ] 3. Answer with quotations"
    message = await step(folded(ASKED, plan, notes=NOTE, steps=STEPS))
    assert names(message) == ["todo_write"]
    unread = "[x] 1. Search the library\n[ ] 2. Read 2021ApJ...915L..12F\n[ ] 3. Answer with quotations"
    message = await step(folded(ASKED, unread, steps="m2-m6: todo_write ×2, search_library ×1\nm8 todo_write"))
    assert [found["paper"] for found in arguments(message, "read_paper")] == ["2021ApJ...915L..12F"]


async def test_what_was_read_is_recalled_when_no_note_answers() -> None:
    plan = "[x] 1. Search the library\n[>] 2. Read 2021ApJ...915L..12F\n[ ] 3. Answer with quotations"
    history = folded(ASKED, plan, steps=STEPS)
    message = await step(history)
    assert arguments(message, "recall_context") in ([{"ref": "m3"}], [{"ref": "m6"}])
    _, answer = await played(history, {"recall_context": PAGE})
    assert MASS in answer.text


async def test_a_side_that_was_forgotten_is_read_again() -> None:
    asked = user("Compare the mass of PSR J0740+6620 and PSR J0030+0451")
    plan = (
        "[x] 1. Search the library\n[x] 2. Read 2021ApJ...915L..12F about: PSR J0740+6620\n"
        "[x] 3. Read 2019ApJ...887L..24M about: PSR J0030+0451\n[x] 4. Answer with quotations"
    )
    message = await step(folded(asked, plan, notes=NOTE, steps="m2-m9: todo_write ×3, read_paper ×2\nm10 todo_write"))
    assert [found["paper"] for found in arguments(message, "read_paper")] == ["2019ApJ...887L..24M"]


async def test_a_plan_of_an_earlier_turn_is_not_this_turns() -> None:
    tasks = user("[Current tasks]\n[x] 1. Search the library\n[x] 2. Read 2021ApJ...915L..12F", "tasks")
    message = await step((PROMPT, user("What is the age of the universe?"), assistant("Done."), ASKED, tasks))
    assert "search_library" in names(message)


async def test_a_note_vouches_for_itself_and_not_for_the_rest_of_its_paper() -> None:
    search, read = ToolCall("a", "search_library", '{"query": "mass"}'), ToolCall("b", "read_paper", '{"paper": "k"}')
    other = "# 2021ApJ...915L..12F · A survey of pulsars\n## §2 Results\nPSR J1614-2230 has a mass of 1.97 M_sun."
    history = (
        *(PROMPT, ASKED, assistant("", search), tool_result(search, "0 results")),
        *(assistant("", read, thought=NOTE), tool_result(read, other)),
    )
    message = await step(history)
    assert MASS in message.text
    assert "1.97" not in message.text


@pytest.mark.parametrize("locale", ["en", "zh"])
async def test_summaries_fit_and_keep_what_answers_each_side(locale: str) -> None:
    asked = user("Compare the mass of PSR J0740+6620 and PSR J0030+0451")
    other = "The mass of PSR J0030+0451 is 1.44 ± 0.15 M_sun."
    note = f"• [2019ApJ...887L..24M] §Measured values: {other}"
    before = user(say("en" if locale == "en" else "zh", "context.summarise_before", text=note))
    call = ToolCall("a", "read_paper", '{"paper": "2021ApJ...915L..12F"}')
    wish = user(say("en" if locale == "en" else "zh", "context.summarise", chars=300, focus=""), "reminder")
    said = (await step((PROMPT, asked, before, assistant("", call), tool_result(call, PAGE), wish))).text
    assert len(said) <= 300
    assert NOTE in said
    assert note in said


@pytest.mark.parametrize(("question", "key"), [("Hello!", "greeting"), ("你好", "greeting"), ("And?", "no_terms")])
async def test_what_needs_no_research_is_answered_at_once(question: str, key: str) -> None:
    message = await step((PROMPT, user(question)))
    assert not message.calls
    assert message.text.startswith(say("zh" if question == "你好" else "en", f"local.{key}"))


async def test_without_its_tools_it_says_so() -> None:
    assert say("en", "local.no_library") in (await step((PROMPT, ASKED), TOOLS[1:])).text
    assert "not found in the library" in (await step((PROMPT, ASKED), ())).text


async def test_a_follow_up_takes_its_topic_from_the_question_before() -> None:
    answer = assistant(f"- “{MASS}” — [2021ApJ...915L..12F] §Measured values")
    message = await step((PROMPT, ASKED, answer, user("And its radius?")))
    assert "PSR J0740+6620" in str(arguments(message, "search_library")[0]["query"])

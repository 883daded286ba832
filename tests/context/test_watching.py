"""Watching a turn: the budget and its nudges, idle steps, the todo reminder, repeated calls, the breaker, files."""

from hypothesis import given
from hypothesis import strategies as st

from astroresearch.context.breaker import AUTO_RECOVERY_TIMEOUT_SECS, Breaker
from astroresearch.context.budget import DiminishingReturns, TodoReminder, TokenBudget
from astroresearch.context.duplicates import Duplicates, canonical
from astroresearch.context.filecache import FileCache, restore_context
from astroresearch.context.messages import ToolCall, user
from astroresearch.context.policy import Policy
from astroresearch.context.window import Window

STATUS = ToolCall("s", "check_status", '{"job": 7}')
READ = ToolCall("r", "read_paper", '{"paper": "x"}')
EDIT = ToolCall("e", "edit", '{"line": 1}')
TEST = ToolCall("t", "test", "{}")


def repeated(*calls: tuple[ToolCall, str]) -> Duplicates:
    found = Duplicates()
    for call, result in calls:
        found = found.record(call, result)
    return found


# -- the budget ---------------------------------------------------------------------------------------------


def test_a_prefix_that_is_sent_again_is_not_spent_again():
    budget = TokenBudget().charge(1_000, 100).charge(1_600, 50).charge(1_650, 10)
    assert budget.spent == 1_000 + 100 + 500 + 50 + 0 + 10


def test_each_nudge_comes_once_and_only_the_highest():
    budget, told = TokenBudget(soft=1_000, hard=1_200), []
    for prompt in (700, 820, 850, 1_010, 1_050, 1_400, 1_900):
        budget, level = budget.charge(prompt, 0).nudge()
        told.append(level)
    assert told == [None, "near_soft", None, "over_soft", None, "over_hard", None]


def test_a_jump_over_two_levels_tells_the_higher_one_only():
    budget, level = TokenBudget(soft=1_000, hard=1_200).charge(5_000, 0).nudge()
    assert level == "over_hard"
    assert budget.nudge()[1] is None


def test_after_a_compaction_growth_is_measured_from_the_smaller_prompt():
    budget = TokenBudget().charge(30_000, 0).compacted(8_000).charge(8_500, 0)
    assert budget.spent == 30_500


@given(st.lists(st.tuples(st.integers(0, 90_000), st.integers(0, 4_000)), max_size=30))
def test_what_is_spent_never_falls_and_no_level_is_told_twice(calls):
    budget, told, before = TokenBudget(), [], 0
    for prompt, completion in calls:
        budget = budget.charge(prompt, completion)
        assert budget.spent >= before
        before = budget.spent
        budget, level = budget.nudge()
        told += [level] if level else []
    assert len(told) == len(set(told))


def test_two_idle_steps_after_three_continuations_end_the_turn():
    idle = DiminishingReturns().check(9_000).check(100).check(100)
    assert idle.reached
    assert not DiminishingReturns().check(100).check(100).reached
    assert not DiminishingReturns().check(9_000).check(100).check(100, read_something=True).reached
    assert not DiminishingReturns().check(9_000).check(100).check(100, moved_todo=True).reached


def test_the_todo_reminder_waits_longer_each_time_and_only_with_open_items():
    reminder, reminded = TodoReminder(), []
    for step in range(1, 40):
        reminder = reminder.step(wrote_todo=False)
        if reminder.due(open_items=2, has_tool=True, last_step=False):
            reminded.append(step)
            reminder = reminder.reminded()
    assert reminded == [3, 9, 21, 33]
    late = TodoReminder(silent=20)
    assert not late.due(open_items=0, has_tool=True, last_step=False)
    assert not late.due(open_items=2, has_tool=False, last_step=False)
    assert not late.due(open_items=2, has_tool=True, last_step=True)
    assert not late.step(wrote_todo=True).due(open_items=2, has_tool=True, last_step=False)


# -- repeated calls ---------------------------------------------------------------------------------------------


def test_polling_whose_result_changes_is_no_loop():
    found = repeated(*[(STATUS, f"{k} %") for k in range(33)])
    assert found.repetition().verdict == "none"
    assert found.detections == 0


def test_a_polling_tool_is_never_a_loop():
    found = Duplicates()
    for _ in range(20):
        found = found.record(STATUS, "running", polling=True)
    assert found.repetition().verdict == "none"


def test_the_same_call_with_the_same_result_is_seen_however_often_it_succeeds():
    verdicts = [repeated(*[(READ, "same")] * n).repetition().verdict for n in (2, 3, 5, 8, 12, 33)]
    assert verdicts == ["none", "remind", "strong", "no_tools", "stop", "stop"]


def test_cycles_of_two_to_four_calls_are_seen():
    for period in ([READ, EDIT], [READ, EDIT, TEST], [READ, EDIT, TEST, STATUS]):
        found = repeated(*[(call, "failed") for _ in range(4) for call in period])
        assert found.repetition().length == len(period)
        assert found.repetition().verdict == "remind"


def test_progress_inside_a_cycle_is_no_cycle():
    found = repeated(*[(call, f"{call.name} {k}") for k in range(4) for call in (READ, EDIT, TEST)])
    assert found.repetition().verdict == "none"


def test_arguments_are_compared_as_json():
    assert canonical('{"b": 1, "a": [1, 2]}') == canonical('{ "a":[1,2],"b":1 }')
    found = repeated((ToolCall("1", "f", '{"a":1,"b":2}'), "x"), (ToolCall("2", "f", '{"b": 2, "a": 1}'), "x"))
    assert found.would_repeat(ToolCall("3", "f", '{"b":2,"a":1}')) == 2
    assert found.would_repeat(ToolCall("3", "f", '{"b":2,"a":9}')) == 0


@given(st.lists(st.tuples(st.sampled_from([READ, EDIT, TEST]), st.sampled_from("ab")), max_size=80))
def test_a_repetition_is_really_there(calls):
    found = repeated(*calls)
    repetition = found.repetition()
    tail = calls[len(calls) - repetition.count * repetition.length :] if calls else []
    if repetition.count > 1:
        block = tail[: repetition.length]
        assert tail == block * repetition.count


# -- the breaker ---------------------------------------------------------------------------------------------


def test_three_failures_in_a_row_open_the_breaker_and_a_success_between_does_not():
    breaker = Breaker().record_failure(0, 1).record_failure(1, 2)
    assert breaker.can_attempt(2, 3)
    assert breaker.record_success().record_failure(3, 4).can_attempt(3, 5)
    assert not breaker.record_failure(2, 3).can_attempt(3, 4)


def test_it_half_opens_only_after_the_time_and_for_another_request():
    breaker = Breaker().record_failure(0, 1).record_failure(0, 1).record_failure(0, 1)
    late = AUTO_RECOVERY_TIMEOUT_SECS
    assert breaker.state(late - 1, 9) == "open"
    assert breaker.state(late, 1) == "open"
    assert breaker.state(late, 9) == "half_open"
    assert breaker.record_failure(late, 9).state(late + 1, 10) == "open"
    assert breaker.record_success().state(0, 1) == "closed"
    assert breaker.reset().state(0, 1) == "closed"


# -- files ---------------------------------------------------------------------------------------------


def test_the_least_recently_used_file_leaves_first_by_number_and_by_bytes():
    cache = FileCache(max_entries=2).read("a", "1", 0, "x").read("b", "2", 0, "x").read("a", "1", 0, "x")
    assert set(cache.read("c", "3", 0, "x").files) == {"a", "c"}
    small = FileCache(max_bytes=10).read("a", "12345678", 0, "x").read("b", "红移", 0, "x")
    assert set(small.files) == {"b"}
    assert small.size == 6


def test_an_unchanged_file_is_known_by_time_and_hash():
    cache = FileCache().read("a", "text", 1.0, "h")
    assert cache.unchanged("a", 1.0, "h")
    assert not cache.unchanged("a", 2.0, "h")
    assert not cache.unchanged("a", 1.0, "other")
    assert not cache.restore_from_snapshot(()).unchanged("a", 1.0, "h"), "a compaction took its content away"


def test_after_a_compaction_five_files_come_back_edited_ones_first_and_none_that_is_in_view():
    cache = FileCache()
    for k in range(9):
        cache = cache.read(f"f{k}", f"content {k} " * 600, 0, "h", edited=k == 1)
    snapshot = cache.to_snapshot()
    assert [f.path for f in snapshot[:3]] == ["f1", "f8", "f7"]
    blocks = restore_context(snapshot, shown=snapshot[1].text, locale="zh")
    assert len(blocks) == 4
    assert blocks[0].startswith("[压缩后恢复: f1]\n")
    assert all(len(b) < 4_200 for b in blocks)
    assert set(cache.restore_from_snapshot(snapshot).files) == {"f1", "f8", "f7", "f6", "f5"}


# -- the moment ---------------------------------------------------------------------------------------------


def test_a_finished_piece_of_work_is_a_better_moment_than_the_middle_of_one():
    window = Window(Policy.adaptive(soft_limit=2_000, early=False))
    window.append(user("Compare the values."))
    while window.tokens < 1_300:
        window.append(user("And also compare this one, please, as carefully as the others."))
    assert not window.due()
    assert window.due(boundary=True)
    assert not Window(Policy.adaptive(soft_limit=2_000)).due(boundary=True)

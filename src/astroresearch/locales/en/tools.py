"""What the tools say."""

TEXTS = {
    "cut": "[… {cut:,} of {total:,} characters left out …]",
    "cut_recall": "[… {cut:,} of {total:,} characters left out · the whole: recall {ref} …]",
    "empty": "(the tool returned nothing)",
    "cancelled": "{tool} was cancelled before it had a result.",
    "timed_out": "{tool} timed out after {seconds} s and was stopped. Ask for less at once, or go another way.",
    "failed": "{tool} failed: {reason}",
    "denied": "{tool} is not allowed here. Go on without it.",
    "unknown": "There is no tool named {name!r}. The tools are: {known}.",
    "unknown_near": "There is no tool named {name!r}. Did you mean: {near}? The tools are: {known}.",
    "bad_json": "The arguments are not valid JSON: {reason} at character {position}: {place}",
    "unreadable_json": "The arguments cannot be read as JSON ({reason}): a number or a nesting is too large.",
    "not_an_object": "The arguments must be a JSON object, but this was given: {given}",
    "bad_arguments": "The arguments of {tool} are not right:",
    "whole": "the arguments as a whole",
    "missing": "{where}: is required, but was not given",
    "extra": "{where}: there is no such argument; the arguments are: {known}",
    "wrong": "{where}: was {given}, but must be {right}",
    "more_problems": "- and {count} more",
    "example": "Example: {example}",
    "right_string_type": "a string",
    "right_string_too_short": "a string of at least {min_length} characters",
    "right_string_too_long": "a string of at most {max_length} characters",
    "right_string_pattern_mismatch": "a string that matches {pattern}",
    "right_string_unicode": "a string of valid Unicode",
    "right_int_type": "a whole number",
    "right_int_parsing": "a whole number",
    "right_int_from_float": "a whole number",
    "right_float_type": "a number",
    "right_float_parsing": "a number",
    "right_bool_type": "true or false",
    "right_bool_parsing": "true or false",
    "right_literal_error": "one of {expected}",
    "right_tuple_type": "a list",
    "right_list_type": "a list",
    "right_dict_type": "an object",
    "right_model_type": "an object",
    "right_too_long": "a list of at most {max_length} entries",
    "right_too_short": "a list of at least {min_length} entries",
    "right_greater_than": "greater than {gt}",
    "right_greater_than_equal": "at least {ge}",
    "right_less_than": "less than {lt}",
    "right_less_than_equal": "at most {le}",
    "todo_summary": "write down the plan of the work and tick off what is done.",
    "todo_description": (
        "Replaces the whole plan. todos: the list of all tasks, each with content, status (pending, in_progress or "
        "completed; at most one is in_progress), and if needed id, blocked_by (ids of tasks that must be done "
        "first) and owner. Call it at the start of any work of more than two steps and whenever a task is done."
    ),
    "todo_none": "The plan is empty.",
    "todo_blocked": " (after {ids})",
    "todo_same_id": "todos: the id {ids} is used more than once; give every task its own.",
    "todo_unknown_blocker": "todos: blocked_by names {ids}, but the tasks are: {known}.",
    "todo_cycle": "todos: these tasks wait for each other: {cycle}. Remove one blocked_by.",
    "todo_two_running": "todos: {ids} are all in_progress; at most one may be. Set the others to pending.",
    "delegate_summary": "let a sub-agent research one question on its own, with a view of its own.",
    "delegate_description": (
        "Starts a sub-agent that researches one question by itself and returns only its conclusion, with references to "
        "all that it read. Several calls in one message run side by side. question: everything it has to know, since it "
        "sees nothing of this conversation. tools: which of the reading tools it may use, all by default. max_steps: at "
        "most as many as you have."
    ),
    "delegate_too_many": "No more than {most} sub-agents in one turn; go on with what the others found.",
    "delegate_unknown_tool": "A sub-agent cannot have the tool {name}: it has reading tools only, of those you have.",
    "delegate_no_answer": "(it ended without an answer: {status})",
    "delegate_report": (
        "[Sub-agent activity]\n{activity}\n[Sub-agent conclusion]\n{answer}\n[All that it saw: recall_context {refs}]"
    ),
    "recall_summary": "give back the original of what was cleared or folded (m42, m40-m61).",
    "recall_description": (
        "Gives back the original text that a placeholder or summary stands for. ref: the reference as it is written "
        "there, m42 or m40-m61. query: only the passages about this. offset: where to go on, if an answer says that it "
        "continues."
    ),
    "recall_unknown": "Nothing is kept under {ref}: {reason}",
    "compress_summary": "fold older parts of the conversation to make room.",
    "compress_description": (
        "Folds the older part of the conversation into a summary; everything stays recallable. focus: what the summary "
        "must keep in detail."
    ),
    "compress_noted": "Noted: the context is compressed before the next step.",
}

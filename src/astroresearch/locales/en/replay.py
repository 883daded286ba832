"""Replay: warnings about transcripts, errors, the table and the report."""

TEXTS = {
    "place_line": "line {number}",
    "place_message": "message {number}",
    "bad_record": "{where}: skipped, not a usable record ({why})",
    "unreadable": "{where}: skipped, not valid JSON",
    "torn": "{where}: skipped, the last record is cut off",
    "nul": "{where}: {count} NUL bytes skipped",
    "fused": "{where}: the cut-off beginning is skipped, the whole record behind it is kept",
    "cut_document": "line {line}: the document is cut off there; the {count} whole messages before are used",
    "surrogate": "{where}: broken Unicode characters replaced by U+FFFD",
    "sidechains": "{count} records of sub-agents (sidechains) are not replayed",
    "other_agents": "{count} messages of other agents than {agent} are not replayed",
    "client_error": "{where}: skipped, an error written by the client, not by the model",
    "bad_tools": "{count} tools skipped: neither an OpenAI nor an Anthropic schema",
    "unreadable_file": "{name}: {why}",
    "empty_file": "{name}: the file is empty",
    "no_transcript": '{name}: not a transcript (read are OpenAI chat JSON or JSONL, {{"messages": [...]}}, '
    "Anthropic messages, Claude Code sessions and astroresearch trajectories)",
}

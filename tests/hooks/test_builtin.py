"""What the three built-in hooks do."""

import json
from collections.abc import Mapping

from astroresearch.hooks.builtin import AUDITED, Metrics, audit, metrics, permission
from astroresearch.hooks.events import (
    OnStepComplete,
    Override,
    PermissionDenied,
    PermissionRequest,
    PostToolUseFailure,
    UserPromptSubmit,
)
from astroresearch.hooks.registry import Hooks

REQUEST = PermissionRequest(session_id="s", call_id="c", tool="download_paper", arguments={}, reason="")


async def test_audit_tells_what_happened_and_no_content() -> None:
    entries: list[Mapping[str, object]] = []
    hooks = Hooks(audit(entries.append))
    await hooks.fire(UserPromptSubmit(session_id="s", text="my key is sk-canary"))
    failure = PostToolUseFailure(
        session_id="s", call_id="c7", tool="read", arguments={"k": "canary"}, output="canary", status="error"
    )
    await hooks.fire(failure)
    await hooks.fire(PermissionDenied(session_id="s", call_id="c8", tool="w", arguments={}, reason="a rule"))
    assert [entry["event"] for entry in entries] == ["UserPromptSubmit", "PostToolUseFailure", "PermissionDenied"]
    assert (entries[1]["call"], entries[1]["status"], entries[1]["output_chars"]) == ("c7", "error", 6)
    assert entries[2]["reason"] == "a rule"
    assert "canary" not in json.dumps(entries)
    assert len({hook.event for hook in audit(entries.append)}) == len(AUDITED)


async def test_permission_denies_what_nobody_can_answer_unless_a_hook_has_decided() -> None:
    alone = Hooks([permission(lambda: False, "en")])
    override = (await alone.fire(REQUEST)).override
    assert override is not None
    assert override.decision == "deny"
    assert "nobody" in override.reason
    assert (await Hooks([permission(lambda: True, "en")]).fire(REQUEST)).override is None
    alone.on(PermissionRequest, lambda event: Override("allow", "a policy"))
    assert (await alone.fire(REQUEST)).override == Override("allow", "a policy")


async def test_metrics_count_events_by_tool_and_status() -> None:
    counts = Metrics()
    hooks = Hooks(metrics(counts))
    for _ in range(2):
        await hooks.fire(
            PostToolUseFailure(session_id="s", call_id="c", tool='a"b', arguments={}, output="", status="error")
        )
    await hooks.fire(OnStepComplete(session_id="s", step=1, messages=4, tokens=900, window=2, spent=3, budget=4))
    lines = list(counts.lines())
    assert 'astroresearch_hook_events_total{event="PostToolUseFailure",tool="a\\"b",status="error"} 2' in lines
    assert "astroresearch_view_tokens 900" in lines

"""What is said around hooks."""

TEXTS = {
    "failed_closed": "the hook {name} decides about this and did not answer",
    "nobody_to_ask": "this needs a permission, and nobody is there to give it",
    "bad_file": "{path} cannot be used: {why}",
    "not_trusted": (
        "{path} came with this folder and is not trusted as it is now, so its hooks do not run. To look at it and to "
        "trust it: astroresearch trust"
    ),
    "blocked": "{tool} was stopped by a hook: {reason}",
    "compaction_blocked": "A hook put the compaction off: {reason}",
    "compaction_needed": "A hook wanted to put the compaction off, but without it the request would not fit: {reason}",
}

"""Where a view may be cut without parting a call from its result (S3.4, R3.7)."""

from .view import View


def find_safe_cut_point(view: View, desired_keep: int) -> int:
    """Return the index at which the last *desired_keep* messages begin, moved back to the start of its group.

    A view is always paired (``pairing.py``), so a cut is unsafe only where it falls on a tool result: it then moves
    back to the assistant message that made the call, and more than *desired_keep* messages are kept.
    """
    return group_start(view, len(view) - max(desired_keep, 0))


def group_start(view: View, index: int) -> int:
    """Return the start of the group that the item at *index* belongs to."""
    index = min(max(index, 0), len(view))
    while 0 < index < len(view) and view[index].message.role == "tool":
        index -= 1
    return index


def cut_by_tokens(view: View, keep: int, floor: int) -> int:
    """Return the smallest group start >= *floor* such that what follows has at most *keep* tokens."""
    kept, at = 0, len(view)
    for i in range(len(view) - 1, floor - 1, -1):
        kept += view[i].tokens
        if kept > keep:
            break
        if view[i].message.role != "tool":
            at = i
    return at

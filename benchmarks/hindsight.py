"""How cheap could it be? Bounds for a policy that knows the future, on one history at one limit and price.

All bounds use the measure's own rules: every message is sent when it is new, and an identifier that an assistant
message names must be in sight then, or is charged a recall. No summariser is paid.

``floor``: nobody can be cheaper. Dropping is free and breaks no prefix; of all that was read only the identifiers that
will be named are kept, written down where they stood (their characters, nothing around them), or recalled, whichever is
cheaper. Real requests can't reach it, since a drop does break the prefix.

In the others the system prompt and what the user wrote stay in every request.

``notes``: can be reached, knowing the future. Between two cuts the view only grows. At a cut everything goes but what
must stay and a note of the identifiers that will be named before the next cut; all that stands after the first dropped
message is paid anew. The cuts are the best ones (dynamic programming over all pairs). It keeps so little that no real
model could work with it: the measure asks for identifiers only.

``working``: as ``notes``, but the last ten assistant messages with their results always stay whole (as far as half the
limit holds them), as an agent that does not know the future must do. The bound to compare with.

``clearing``: as ``working``, but without a ledger: what will be needed stays as the whole message in which it last
stood, or is recalled each time, whichever is cheaper. What a perfect clearer of whole messages could do.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from astroresearch.replay.metrics import FAR, Need, Sources

from .histories import History, Plain
from .managers import COUNT

CACHED = 0.1


@dataclass(frozen=True, slots=True)
class Bounds:
    """Token-equivalents; None where no view under the limit can hold what must be sent."""

    floor: float
    notes: float | None
    working: float | None
    clearing: float | None


@dataclass(frozen=True, slots=True)
class _Plan:
    """*new[t]*: tokens that come between request t-1 and t, of which *stays[t]* must be kept whatever happens."""

    at: Sequence[int]
    new: Sequence[int]
    stays: Sequence[int]
    head: int
    needs: Sequence[Sequence[Need]]
    sizes: Sequence[int]
    limit: int

    def request_after(self, position: int) -> int:
        """Return the first request that could hold the message at *position*."""
        return bisect_right(self.at, position)


def bounds(history: History) -> Bounds:
    """Return the bounds for *history*; quadratic in its assistant messages, below 10 s for 500 of them."""
    plan = _plan(history)
    if not plan.at:
        return Bounds(0.0, 0.0, 0.0, 0.0)
    return Bounds(
        _floor(plan),
        _best(plan, _note_cost, tail=0),
        _best(plan, _note_cost, tail=FAR),
        _best(plan, _message_cost, tail=FAR),
    )


def _plan(history: History) -> _Plan:
    messages = history.messages
    sizes = [COUNT(m) for m in messages]
    at = [i for i, m in enumerate(messages) if m["role"] == "assistant"]
    edges = [0, *at]
    spans = [range(a, b) for a, b in zip(edges, at, strict=False)]
    new = [sum(sizes[i] for i in span) for span in spans]
    stays = [sum(sizes[i] for i in span if messages[i]["role"] in ("system", "user")) for span in spans]
    sources = Sources(messages)
    return _Plan(at, new, stays, _head(messages, sizes), [sources.needs(i) for i in at], sizes, history.limit)


def _head(messages: Sequence[Plain], sizes: Sequence[int]) -> int:
    """Return the tokens of what stands before the first message that can be dropped: no cut pays it anew."""
    head = 0
    for message, size in zip(messages, sizes, strict=True):
        if message["role"] not in ("system", "user"):
            break
        head += size
    return head


def _note(need: Need) -> int:
    return len(need.identifier) // 4 + 1


def _floor(plan: _Plan) -> float:
    """Each message once, and for each later naming a note kept at the cached price or a recall of just that note."""
    cost = float(sum(plan.new))
    seen: dict[str, int] = {}
    for t, needs in enumerate(plan.needs):
        for need in needs:
            since = max(plan.request_after(need.sources[-1]), seen.get(need.identifier, 0))
            cost += _note(need) * min(CACHED * (t - since), 1.0)
            seen[need.identifier] = t
    return cost


# -- cuts -------------------------------------------------------------------------------------------------------------

SegmentCost = Callable[[_Plan, int, int, "_Held"], tuple[float, int]]


@dataclass(slots=True)
class _Held:
    """What a segment keeps from before the span of request *since*, as its requests are added one by one.

    *first*: what is kept -> (tokens, how often it is needed).
    """

    since: int
    first: dict[object, tuple[int, int]]


def _note_cost(plan: _Plan, start: int, t: int, held: _Held) -> tuple[float, int]:
    """Return (extra cost, tokens held) when a note of every identifier needed up to *t* is kept from *start*."""
    for need in plan.needs[t]:
        if plan.request_after(need.sources[-1]) < held.since:
            held.first.setdefault(need.identifier, (_note(need), 1))
    size = sum(tokens for tokens, _ in held.first.values())
    return size * (1 + CACHED * (t - start)), size


def _message_cost(plan: _Plan, start: int, t: int, held: _Held) -> tuple[float, int]:
    """As ``_note_cost`` for whole messages, each kept or recalled, whichever is cheaper."""
    for need in plan.needs[t]:
        source = need.sources[-1]
        if plan.request_after(source) < held.since:
            tokens, times = held.first.get(source, (plan.sizes[source], 0))
            held.first[source] = (tokens, times + 1)
    cost, size = 0.0, 0
    for tokens, times in held.first.values():
        keep = tokens * (1 + CACHED * (t - start))
        recall = times * (tokens + CACHED * plan.head)
        cost += min(keep, recall)
        size += tokens if keep <= recall else 0
    return cost, size


def _best(plan: _Plan, extra: SegmentCost, tail: int) -> float | None:
    """Return the least cost over all ways to place cuts: best[v] = min over u of best[u] + segment(u, v)."""
    end = len(plan.at)
    best = [0.0] + [float("inf")] * end
    stays = 0
    for start in range(end):
        since = _tail_start(plan, start, tail)
        if best[start] < float("inf"):
            held = sum(plan.new[since:start]) - sum(plan.stays[since:start])
            _extend(plan, extra, start, _Held(since, {}), (stays, held), best)
        stays += plan.stays[start]
    return best[end] if best[end] < float("inf") else None


def _tail_start(plan: _Plan, start: int, tail: int) -> int:
    """Return the first of the *tail* spans before *start* that stay whole: fewer where half the limit is less."""
    since, tokens = start, 0
    while since > max(0, start - tail) and tokens + plan.new[since - 1] <= plan.limit // 2:
        since -= 1
        tokens += plan.new[since]
    return since


def _extend(
    plan: _Plan, extra: SegmentCost, start: int, held: _Held, before: tuple[int, int], best: list[float]
) -> None:
    """Try the segments that begin with a cut at *start*: pay its first request, then what each later one adds.

    *before*: the tokens from before *start* that stay for ever, and those of the tail that stays whole.
    """
    stays, tail = before
    head = min(plan.head, stays)
    cost = CACHED * head + stays - head + tail + plan.new[start]
    view = stays + tail + plan.new[start]
    for t in range(start, len(plan.at)):
        if t > start:
            cost += CACHED * view + plan.new[t]
            view += plan.new[t]
        more, size = extra(plan, start, t, held)
        if view + size > plan.limit and t > start:
            return  # it only grows from here on
        best[t + 1] = min(best[t + 1], best[start] + cost + more)

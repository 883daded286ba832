"""The pipeline: layers in the policy's order, one paid summary at the most, one transaction (S3, R3.1, R3.12).

``compress_with_fallback`` does no I/O: it *yields* the summaries it wants and is sent their texts, so that any agent,
sync or async, with any model client can drive it (``drive.py``).
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ..locales import say
from .cut import cut_by_tokens, find_safe_cut_point, group_start
from .evidence import extended, pruned
from .layers.arguments import arguments
from .layers.micro import micro, subject
from .layers.stale import stale
from .layers.truncate import truncate
from .messages import Message, Text, user
from .rules import Rules, calls_of
from .state import Said, State, Step, merged, planned, render
from .summarise import Summarise, SummaryFailed, summary
from .tokens import estimate_text
from .view import Item, View, head_length, total

CLEARED_TOKENS = 24  # about what a placeholder takes

Compression: TypeAlias = Generator[Summarise, str, "Compressed"]
Originals: TypeAlias = Callable[[int], Message | None]


@dataclass(frozen=True, slots=True)
class Compressed:
    """*view*: the new view; *states*: what its blocks are made of; *applied*: the layers that changed something."""

    view: View
    states: tuple[State, ...]
    applied: tuple[str, ...]
    summary_failed: bool = False
    summarised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the caller wants of one compaction."""

    manual: bool = False
    focus: str = ""
    pinned: str = ""
    may_summarise: bool = True


@dataclass(slots=True)
class _Work:
    """The compaction under way: *view* without the state blocks, which stand after the first *head* items.

    *sealed* blocks stay as they are, so that the provider's cache holds up to them; *state* is what the new block
    starts from: the older blocks merged, or None beside sealed ones.
    """

    view: View
    before: View
    head: int
    sealed: View
    states: tuple[State, ...]
    state: State | None
    rules: Rules
    originals: Originals
    wanted: Wanted
    folded: list[Item] = field(default_factory=list)
    applied: list[str] = field(default_factory=list)
    prose: tuple[str, tuple[int, int]] | None = None
    failed: bool = False

    @property
    def done(self) -> bool:
        """Whether the view is below the low-water mark; a manual compaction goes on until something was folded."""
        return self.rules.fits(self.view) and not (self.wanted.manual and not self.folded)

    def take(self, name: str, view: View) -> None:
        if view is not self.view:
            self.view = view
            self.applied.append(name)

    def fold(self, boundary: int) -> bool:
        """Fold everything between the head and *boundary* into the state block."""
        if boundary <= self.head:
            return False
        self.folded += self.view[self.head : boundary]
        self.view = self.view[: self.head] + self.view[boundary:]
        return True


def compress_with_fallback(
    view: View, states: tuple[State, ...], rules: Rules, originals: Originals, wanted: Wanted
) -> Compression:
    """Run the policy's layers down to the low-water mark, then whatever the hard limit still asks for."""
    work = _begun(view, states, rules, originals, wanted)
    for name in rules.policy.order:
        if name != "identity" and work.done:
            continue
        if name == "auto":
            yield from _auto(work)
        elif name in _LAYERS:
            _LAYERS[name](work)
    _emergency(work)
    return _finished(work, view)


def _begun(view: View, states: tuple[State, ...], rules: Rules, originals: Originals, wanted: Wanted) -> _Work:
    """Decide between a new block beside the old ones, which is cheap to send, and one that merges them all."""
    bare = tuple([item for item in view if item.kind not in ("state", "plan")])
    head = _head(bare, states, rules)
    sealed = tuple([item for item in view if item.kind == "state"])
    if not states or len(states) >= rules.policy.blocks or _too_much_said(states, rules):
        base = merged(states) if states else None
        return _Work(bare, bare, head, (), (), base, rules, originals, wanted)
    room = rules.state_room // rules.policy.blocks
    beside = replace(rules, state_room=room + total(sealed), block_room=room)
    return _Work(bare, bare, head, sealed, states, None, beside, originals, wanted)


def _too_much_said(states: tuple[State, ...], rules: Rules) -> bool:
    said = sum([estimate_text(said.text) for state in states for said in state.said])
    return said > rules.policy.user_share * rules.limit / 2


def _head(view: View, states: tuple[State, ...], rules: Rules) -> int:
    fixed = head_length(view)
    if states or "snip" not in rules.policy.order:
        return fixed
    return max(fixed, group_start(view, min(rules.policy.head_keep, len(view))))


def _snip(work: _Work) -> None:
    """Layer 0: over MAX_MESSAGES the middle goes; what is left, state block included, has at most so many (R3.2)."""
    policy = work.rules.policy
    state_block = 1
    if len(work.view) + state_block * bool(work.state) <= policy.max_messages:
        return
    keep = policy.max_messages - work.head - state_block
    boundary = len(work.view) - keep
    while boundary < len(work.view) and work.view[boundary].message.role == "tool":
        boundary += 1
    if boundary == len(work.view):
        boundary = find_safe_cut_point(work.view, 1)
    if work.fold(boundary):
        work.applied.append("snip")


def _clear(work: _Work, name: str, layer: Callable[[View, Rules], View]) -> None:
    """Run a clearing layer, under a direct policy only on what the summary will not take anyway."""
    start = _worth_clearing(work)
    tail = work.view[start:]
    cleared = layer(tail, work.rules)
    if cleared is not tail:
        work.take(name, work.view[:start] + cleared)


def _worth_clearing(work: _Work) -> int:
    """Return where clearing may begin: at the start, or where the tail will, if clearing alone can't reach the mark."""
    policy, rules = work.rules.policy, work.rules
    sizes = [item.tokens if item.message.role != "tool" else min(item.tokens, CLEARED_TOKENS) for item in work.view]
    if not policy.direct or sum(sizes) + rules.state_room <= rules.target:
        return 0
    kept, at = 0, len(sizes)
    while at > 0 and kept <= policy.tail_share * rules.limit:
        at -= 1
        kept += sizes[at]
    return group_start(work.view, at)


def _stale(work: _Work) -> None:
    _clear(work, "stale", stale)


def _micro(work: _Work) -> None:
    policy = work.rules.policy
    keep = int(policy.keep_share * work.rules.limit)
    _clear(work, "micro", lambda view, rules: micro(view, rules, policy.keep_recent, keep))


def _aggressive(work: _Work) -> None:
    policy = work.rules.policy
    keep = int(policy.keep_share_aggressive * work.rules.limit)
    _clear(work, "aggressive_micro", lambda view, rules: micro(view, rules, policy.keep_recent_aggressive, keep))


def _arguments(work: _Work) -> None:
    keep = int(work.rules.policy.keep_share_aggressive * work.rules.limit)
    _clear(work, "arguments", lambda view, rules: arguments(view, rules, keep))


def _auto(work: _Work) -> Generator[Summarise, str, None]:
    """Layer 2: a summary replaces the history before the recent tail; one that fails changes nothing (R3.12)."""
    boundary = _tail_start(work)
    if boundary <= work.head:
        return
    if work.wanted.may_summarise:
        span = [*work.folded, *work.view[work.head : boundary]]
        try:
            text = yield from summary(
                span, work.view[: work.head], work.state, work.rules, work.originals, work.wanted.focus
            )
        except SummaryFailed:
            work.failed = True
            return
        work.prose = (text, _span(span, work.state))
    work.fold(boundary)
    work.applied.append("auto")


def _tail_start(work: _Work) -> int:
    """Return where the tail begins that stays whole: by tokens, and at least the last group."""
    keep = int(work.rules.policy.tail_share * work.rules.limit)
    return min(cut_by_tokens(work.view, keep, work.head), group_start(work.view, len(work.view) - 1))


def _span(items: list[Item], state: State | None) -> tuple[int, int]:
    first = min([i.first for i in items] + ([state.prose_span[0]] if state and state.prose_span else []))
    return first, max(i.last for i in items)


_LAYERS: dict[str, Callable[[_Work], None]] = {
    "stale": _stale,
    "snip": _snip,
    "micro": _micro,
    "aggressive": _aggressive,
    "arguments": _arguments,
}


def _emergency(work: _Work) -> None:
    """Whatever the layers left: a request is bounded without a model, or the largest piece is cut (R3.13)."""
    rules = work.rules
    if total(work.view) + rules.state_room > rules.limit:
        boundary = _tail_start(work)
        if total(work.view[boundary:]) + rules.state_room > rules.limit:
            boundary = group_start(work.view, len(work.view) - 1)
        if work.fold(boundary):
            work.applied.append("snip")
    if total(work.view) + rules.state_room > rules.hard:
        work.take("truncate", truncate(work.view, rules, rules.hard - rules.state_room))


def _finished(work: _Work, view: View) -> Compressed:
    evicted = _evicted(work)
    if not evicted and not work.applied:
        return Compressed(view, work.states, (), work.failed)
    state = _grown(work, evicted)
    standing = "\n".join([item.message.text for item in work.sealed])
    message = render(state, work.rules, standing)
    if "identity" in work.rules.policy.order and work.rules.identity and len(work.view) < 4:
        message = _identified(message, work.rules)
        work.applied.append("identity")
    block = Item(message, state.first, state.last, work.rules.count(message), "state")
    states = (*work.states, state)
    after = (*work.view[: work.head], *work.sealed, block, *_plan(states, work), *work.view[work.head :])
    return Compressed(_bounded(after, work), states, tuple(work.applied), work.failed, work.prose is not None)


def _plan(states: tuple[State, ...], work: _Work) -> View:
    """The plan and whatever else is pinned stand behind the blocks: they change, the blocks before them need not."""
    text, position = planned(states, work.wanted.pinned, work.rules)
    if not text:
        return ()
    message = user(text, "summary")
    return (Item(message, position, position, work.rules.count(message), "plan"),)


def _bounded(view: View, work: _Work) -> View:
    """The block may be larger than the room kept for it (long user messages): cut until the request fits the window."""
    if total(view) <= work.rules.hard:
        return view
    shorter = truncate(view, work.rules, work.rules.hard)
    if shorter is not view and "truncate" not in work.applied:
        work.applied.append("truncate")
    return shorter


def _identified(message: Message, rules: Rules) -> Message:
    text = say(rules.locale, "context.identity", text=rules.identity)
    return replace(message, parts=(Text(f"{message.text}\n{text}"),))


def _evicted(work: _Work) -> list[tuple[Item, Item | None]]:
    """Return what left the view in this compaction: (the item as it stood, what is left of it)."""
    left = {id(item) for item in work.view}
    now = {(item.first, item.last, item.message.role): item for item in work.view}
    gone = []
    for item in work.before:
        if id(item) not in left:
            gone.append((item, now.get((item.first, item.last, item.message.role))))
    return gone


def _grown(work: _Work, evicted: list[tuple[Item, Item | None]]) -> State:
    """Return the state with everything that left in this compaction."""
    old = work.state or State(first=min(i.first for i, _ in evicted), last=0)
    folded = [item for item, rest in evicted if rest is None]
    sources = [
        (i.first, i.message)
        for i, _ in evicted
        if i.kind in ("whole", "cut", "repair") or i.message.role == "assistant"
    ]
    said = tuple(Said(i.first, i.message.role, i.message.text) for i in folded if _is_said(i))
    steps = _steps_of(work, folded)
    state = replace(
        old,
        first=min([old.first, *(i.first for i, _ in evicted)]),
        last=max([old.last, *(i.last for i, _ in evicted)]),
        count=old.count + len(folded),
        said=old.said + said,
        steps=old.steps + tuple(steps),
        plan=_plan_of(folded, work.rules) or old.plan,
        ledger=pruned(extended(old.ledger, sources)),
    )
    if work.prose:
        state = replace(state, prose=work.prose[0], prose_span=work.prose[1])
    return state


def _is_said(item: Item) -> bool:
    return (
        item.message.origin in ("human", "system")
        and item.message.role in ("user", "system")
        and bool(item.message.text)
    )


def _steps_of(work: _Work, folded: list[Item]) -> list[Step]:
    calls = calls_of(tuple(folded))
    steps = []
    for item, call in zip(folded, calls, strict=True):
        if call is not None and (result := item.message.result):
            text = f"{call.name} {subject(call, work.rules)}".strip()
            steps.append(Step(item.first, text, result.status in ("error", "denied")))
    return steps


def _plan_of(folded: list[Item], rules: Rules) -> Step | None:
    """Return the newest plan among the folded calls: the arguments of a todo tool, which no rule ever clears."""
    for item in reversed(folded):
        for call in reversed(item.message.calls):
            if "todo" in call.name.lower() and rules.policy.rule_for(call.name) == "never":
                return Step(item.first, call.arguments[:2_000])
    return None

"""The state block: what stands in the view for all that was folded or cleared, filled by code (beyond-the-document 2).

Goal and user messages verbatim, standing constraints, the plan, what was done, what failed, the evidence ledger, and
the model's prose last. A new block is made from the old block's *values*; its text is never quoted again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..locales import say
from .evidence import Entry, Ledger, pruned, ranked
from .ledger import constraints
from .messages import Message, Text, user
from .references import Reference
from .rules import Rules
from .tokens import MESSAGE_TOKENS


@dataclass(frozen=True, slots=True)
class Said:
    """A user's (or a later system) message that was folded, whole."""

    position: int
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call that was folded: *text* is its name and subject."""

    position: int
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """What is known of all that left the view. *first*..*last*: the transcript positions it covers."""

    first: int
    last: int
    count: int = 0
    said: tuple[Said, ...] = ()
    steps: tuple[Step, ...] = ()
    plan: Step | None = None
    prose: str = ""
    prose_span: tuple[int, int] | None = None
    ledger: Ledger = field(default_factory=dict)

    @property
    def reference(self) -> Reference:
        return Reference(self.first, self.last)


def merged(states: Sequence[State]) -> State:
    """Return one state for all of *states*, oldest first."""
    spans = [state.prose_span for state in states if state.prose_span]
    ledger: dict[str, Entry] = {}
    for entry in (entry for state in states for entry in state.ledger.values()):
        known = ledger.get(entry.text)
        uses, position = (known.uses, known.position) if known else (0, 0)
        ledger[entry.text] = replace(entry, uses=uses + entry.uses, position=max(position, entry.position))
    return State(
        first=min(state.first for state in states),
        last=max(state.last for state in states),
        count=sum(state.count for state in states),
        said=tuple(said for state in states for said in state.said),
        steps=tuple(step for state in states for step in state.steps),
        plan=next((state.plan for state in reversed(states) if state.plan), None),
        prose="\n".join(state.prose for state in states if state.prose),
        prose_span=(min(first for first, _ in spans), max(last for _, last in spans)) if spans else None,
        ledger=pruned(ledger),
    )


def render(state: State, rules: Rules, standing: str = "") -> Message:
    """Return the block as a user message of about ``rules.block_room`` tokens, user messages not counted.

    *standing*: what the older blocks say already; evidence that stands there is not told again.
    """
    head, said, prose = _head(state, rules), _said(state, rules), _prose(state, rules)
    left = rules.block_room - sum(_cost(s, rules) for s in (head, *prose))
    steps = _steps(state, rules, left // 5)
    left -= sum(_cost(s, rules) for s in steps)
    shown = "\n".join([standing, head, *said, *steps, *prose])
    return user("\n".join([head, *said, *steps, *_evidence(state, rules, left, shown), *prose]), "summary")


def planned(states: Sequence[State], pinned: str, rules: Rules) -> tuple[str, int]:
    """Return what stands behind the blocks, and the position it stands for: what the caller pins, else the plan."""
    plan = next((state.plan for state in reversed(states) if state.plan), None)
    if pinned:
        return pinned, plan.position if plan else states[-1].last
    if plan is None:
        return "", 0
    return say(rules.locale, "context.state_plan", position=plan.position, text=plan.text), plan.position


def _cost(text: str, rules: Rules) -> int:
    return rules.count(Message("user", (Text(text),))) - MESSAGE_TOKENS


def _head(state: State, rules: Rules) -> str:
    return say(rules.locale, "context.state_head", refs=str(state.reference), count=state.count)


def _said(state: State, rules: Rules) -> list[str]:
    if not state.said:
        return []
    texts = [_whole(said, rules) for said in state.said]
    room = int(rules.limit * rules.policy.user_share)
    costs = [_cost(text, rules) for text in texts]
    longest = sorted(range(len(texts)), key=lambda i: -costs[i])
    for i in longest:
        if sum(costs) <= room:
            break
        shorter = _shortened(state.said[i], max(room // 8, 40), rules)
        if (cost := _cost(shorter, rules)) < costs[i]:
            texts[i], costs[i] = shorter, cost
    return [say(rules.locale, "context.state_users"), *texts]


def _whole(said: Said, rules: Rules) -> str:
    return say(rules.locale, "context.state_user", position=said.position, role=said.role, text=said.text)


def _shortened(said: Said, tokens: int, rules: Rules) -> str:
    """Keep a long message's beginning and every sentence of it that binds what comes after."""
    binding = [s for s in constraints(said.text) if s not in said.text[: tokens * 3]]
    text = " … ".join([said.text[: tokens * 3], *binding])
    if len(text) >= len(said.text):
        text = said.text
    short = say(rules.locale, "context.state_user_short", text=text, position=said.position)
    return _whole(Said(said.position, said.role, short), rules)


def _steps(state: State, rules: Rules, room: int) -> list[str]:
    """The newest steps by name, as many as *room* tokens take; the rest as counts."""
    kept: list[str] = []
    used = 0
    for step in reversed(state.steps):
        line = f"m{step.position} {step.text}{' ✗' if step.failed else ''}"
        used += _cost(line, rules)
        if used > room:
            break
        kept.append(line)
    lines = [" · ".join(reversed(kept))] if kept else []
    if older := state.steps[: len(state.steps) - len(kept)]:
        lines.insert(0, _counted(older, rules))
    return [say(rules.locale, "context.state_steps"), *lines] if lines else []


def _counted(steps: tuple[Step, ...], rules: Rules) -> str:
    counts: dict[str, int] = {}
    for step in steps:
        name = step.text.partition(" ")[0]
        counts[name] = counts.get(name, 0) + 1
    text = ", ".join(f"{name} ×{count}" for name, count in sorted(counts.items(), key=lambda c: -c[1])[:12])
    reference = Reference(steps[0].position, steps[-1].position)
    return say(rules.locale, "context.state_steps_older", ref=str(reference), text=text)


def _evidence(state: State, rules: Rules, room: int, shown: str) -> list[str]:
    if not state.ledger:
        return []
    chosen = choose(ranked(state.ledger), room - 20, shown, rules)
    if not chosen:
        return []
    by_position: dict[int, list[str]] = {}
    for entry in chosen:
        by_position.setdefault(entry.position, []).append(entry.text)
    lines = [f"m{p}: {'; '.join(by_position[p])}" for p in sorted(by_position, reverse=True)]
    return [say(rules.locale, "context.state_evidence"), *lines]


def choose(entries: Iterable[Entry], room: int, shown: str, rules: Rules) -> list[Entry]:
    """Return the first of *entries* that fit into *room* tokens; what *shown* or a chosen entry holds costs nothing."""
    chosen: list[Entry] = []
    text = [shown]
    used, known, positions = 0, shown, set[int]()
    for entry in entries:
        if entry.text in known:
            continue
        cost = _cost(entry.text, rules) + 1 + (0 if entry.position in positions else 2)
        if used + cost > room:
            if room - used < 8:
                break
            continue
        used += cost
        positions.add(entry.position)
        chosen.append(entry)
        text.append(entry.text)
        if len(text) % 16 == 0:
            known = "\n".join(text)
    return chosen


def _prose(state: State, rules: Rules) -> list[str]:
    if not state.prose:
        return []
    first, last = state.prose_span or (state.first, state.last)
    return [say(rules.locale, "context.state_prose", refs=str(Reference(first, last))), state.prose]

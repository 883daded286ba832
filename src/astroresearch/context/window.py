"""The window: one agent's transcript, its view, and when to compact. O(new) a message; no I/O, told the time."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

from ..locales import Locale, say
from . import journal
from .breaker import Breaker
from .compact import Compressed, Wanted, compress_with_fallback
from .drive import is_compacting
from .messages import Message, Text, user
from .pairing import Pairing
from .policy import Policy
from .references import PAGE_CHARS, parse_reference, recall
from .rules import Rules
from .state import State
from .summarise import Summarise
from .tokens import Calibration, Counter, estimate_message
from .view import Item, View, head_length, total

GOOD_SHARE = 0.9  # a compaction that leaves more than this of the tokens, and does not fit, failed (R3.8)


class ContextOverflow(ValueError):
    """The request can't fit the window whatever is compacted; the message names the culprit and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """*window*: the model's context length; *reserve*: kept for its answer; both in the model's own tokens."""

    window: int = 128_000
    reserve: int = 8_000

    def __post_init__(self) -> None:
        if self.window < 1 or self.reserve < 0 or self.reserve >= self.window:
            raise ValueError(
                f"window must be positive and reserve below it, not window={self.window}, reserve={self.reserve}"
            )

    @property
    def usable(self) -> int:
        return self.window - self.reserve


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """What a compaction did. *record* is to be stored, then handed to ``Window.apply``: only then the view changes."""

    record: Mapping[str, Any]
    applied: tuple[str, ...]
    before_tokens: int
    after_tokens: int
    before_messages: int
    after_messages: int
    references: tuple[str, ...]
    manual: bool = False
    summary_failed: bool = False


Compaction: TypeAlias = Generator[Summarise, str, Compacted | None]


class Window:
    """The view of one agent's messages, kept inside *limits* by *policy*.

    *count* prices a message in raw tokens (calibrated by ``observe``); *subjects* name what a tool's call is about.
    """

    def __init__(
        self,
        policy: Policy,
        limits: Limits | None = None,
        *,
        count: Counter | None = None,
        locale: Locale = "en",
        identity: str = "",
        subjects: Mapping[str, Callable[[Mapping[str, object]], str]] | None = None,
        origin: int = 0,
    ) -> None:
        self.policy, self.limits, self.locale = policy, limits or Limits(), locale
        self._count = count or (lambda message: estimate_message(message, policy.image_tokens))
        self._identity, self._subjects = identity, subjects
        self._transcript: list[Message] = []
        self._items: list[Item] = []
        self._raw = 0
        self._pairing = Pairing(self._count, locale)
        self._begun = False
        self._overhead = 0
        self._states: tuple[State, ...] = ()
        self._breaker = Breaker()
        self._calibration = Calibration()
        self._floor = 0  # raw tokens right after the last compaction
        self._repaid = 0  # raw tokens that the last compaction made the provider read anew
        self._held = 0.0  # what holding more than the floor has cost since, in raw tokens
        self._barren = 0  # compactions in a row that gave too little back

    # -- the transcript -------------------------------------------------------------------------------------------

    def append(self, message: Message) -> int:
        """Take the next message of the transcript; return its position."""
        position = len(self._transcript)
        self._transcript.append(message)
        if not self._begun and message.role != "system":
            self._begun = True
            if message.role != "user":
                self._add([self._opening(position)])
        self._add(self._pairing.feed(position, message))
        return position

    def _opening(self, position: int) -> Item:
        """Both APIs want a user's message first; a transcript that begins otherwise gets one in the view."""
        message = user(say(self.locale, "context.begin"), "repair")
        return Item(message, position, position, self._count(message), "repair")

    def _add(self, items: list[Item]) -> None:
        self._items += items
        self._raw += sum([item.tokens for item in items])

    def __len__(self) -> int:
        return len(self._transcript)

    def set_overhead(self, tokens: int) -> None:
        """Set the raw tokens of every request that are not in the transcript: system prompt, tool schemas."""
        self._overhead = max(tokens, 0)

    # -- the view -------------------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        return (*self._items, *self._pairing.preview())

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple([item.message for item in self.view])

    @property
    def raw_tokens(self) -> int:
        return self._raw + sum([item.tokens for item in self._pairing.preview()]) + self._overhead

    @property
    def tokens(self) -> int:
        """Tokens of the next request, overhead included, as the model would count them."""
        return self._calibration.apply(self.raw_tokens)

    @property
    def states(self) -> tuple[State, ...]:
        """What the state blocks of the view are made of, oldest first."""
        return self._states

    @property
    def references(self) -> tuple[str, ...]:
        """The references that stand in the view, in its order."""
        return tuple([_reference(item) for item in self._items if item.kind in ("state", "cleared", "cut")])

    @property
    def barren(self) -> int:
        """Compactions in a row that gave too little back."""
        return self._barren

    def breaker_json(self) -> dict[str, Any]:
        return asdict(self._breaker)

    def observe(self, prompt_tokens: int) -> None:
        """Learn from what the model reported for the request that the view is now."""
        self._calibration = self._calibration.observe(self.raw_tokens, prompt_tokens)

    def observe_window(self, window: int) -> None:
        """Take a smaller window that the provider's error revealed."""
        if 0 < window < self.limits.window:
            self.limits = Limits(window=window, reserve=min(self.limits.reserve, window // 4))

    def recall(self, ref: str, query: str = "", offset: int = 0, page: int = PAGE_CHARS) -> str:
        """Return what *ref* stands for; ``UnknownReference`` if it names nothing here."""
        return recall(parse_reference(ref), self._original, query=query, offset=offset, page=page, locale=self.locale)

    def _original(self, position: int) -> Message | None:
        return self._transcript[position] if 0 <= position < len(self._transcript) else None

    # -- compaction -----------------------------------------------------------------------------------------------

    def due(self, *, boundary: bool = False) -> bool:
        """Whether the next request should be compacted first. *boundary*: a piece of work was just finished."""
        rules, tokens = self._rules(), self.tokens
        raw = self.raw_tokens - self._overhead
        if tokens > self.limits.usable:
            return True
        if tokens > self._soft:
            return self._barren < 3 or raw > 1.1 * max(self._floor, 1)
        if boundary and tokens > self.policy.boundary_share * self._soft:
            return True
        return self.policy.early and self._early(raw, rules)

    def _early(self, raw: int, rules: Rules) -> bool:
        """Cut before the limit once holding the excess has cost as much as the cut will: never far from the optimum."""
        floor = self._floor or total(tuple(self._items[: head_length(tuple(self._items[:8]))])) + rules.state_room
        excess = raw - floor
        if excess <= 0:
            return False
        self._held += self.policy.cached_price * excess
        repaid = (1 - self.policy.cached_price) * (self._repaid or floor)
        return excess >= self.policy.min_reclaim * rules.limit and self._held >= repaid

    def compaction(
        self,
        *,
        manual: bool = False,
        focus: str = "",
        now: float = 0.0,
        pinned: str = "",
        summarise: bool = True,
        boundary: bool = False,
        due: bool = False,
    ) -> Compaction | None:
        """Return the compaction that is due, as a generator to be driven; None if nothing is to be done.

        *due*: the caller has asked ``due`` already.

        The generator yields the summaries that it wants (none if not *summarise*, or the breaker is open) and returns
        what was done; ``ContextOverflow`` if no compaction can make the request fit.
        """
        if is_compacting(self) or not (manual or due or self.due(boundary=boundary)):
            return None
        return self._compaction(Wanted(manual=manual, focus=focus, pinned=pinned, may_summarise=summarise), now)

    def _compaction(self, wanted: Wanted, now: float) -> Compaction:
        rules, before, upto = self._rules(), self.view, len(self._transcript)
        self._check_floor(before, rules)
        allowed = wanted.may_summarise and (wanted.manual or self._breaker.can_attempt(now, upto))
        done = yield from compress_with_fallback(
            before, self._states, rules, self._original, replace(wanted, may_summarise=allowed)
        )
        breaker = self._judged(done, before, rules, wanted, now, upto)
        after = total(done.view)
        if after > rules.hard:
            raise ContextOverflow(self._overflow(done.view, rules))
        if not done.applied:
            self._breaker = breaker
            self._barren += 1
            return None
        record = {
            "version": journal.VERSION,
            "upto": upto,
            "view": journal.view_to_json(done.view),
            "states": [journal.state_to_json(state) for state in done.states],
            "breaker": asdict(breaker),
            "barren": self._barren_after(total(before), after, rules),
            "layers": list(done.applied),
        }
        return Compacted(
            record=record,
            applied=done.applied,
            before_tokens=self.tokens,
            after_tokens=self._calibration.forget().apply(after + self._overhead),
            before_messages=len(before),
            after_messages=len(done.view),
            references=tuple(_reference(item) for item in done.view if item.kind in ("state", "cleared", "cut")),
            manual=wanted.manual,
            summary_failed=done.summary_failed,
        )

    def _judged(self, done: Compressed, before: View, rules: Rules, wanted: Wanted, now: float, upto: int) -> Breaker:
        """Success: the view fits, or lost at least a tenth of its tokens (R3.8)."""
        after = total(done.view)
        if done.summary_failed or (after > rules.limit and after > GOOD_SHARE * total(before)):
            return self._breaker.record_failure(now, upto)
        if wanted.manual:
            return self._breaker.reset()
        return self._breaker.record_success() if done.summarised else self._breaker

    def _barren_after(self, before: int, after: int, rules: Rules) -> int:
        return self._barren + 1 if after > rules.limit and after > 0.7 * before else 0

    def apply(self, record: Mapping[str, Any]) -> None:
        """Swap the view for the one that *record* describes; messages that came after it was made stay behind it."""
        if record.get("version") != journal.VERSION:
            raise ValueError(f"a compaction record of version {record.get('version')!r} can't be read by this release")
        later = [item for item in self._items if item.first >= record["upto"]]
        if self._pairing.preview() and record["upto"] == len(self._transcript):
            self._pairing.close()
        view = journal.view_from_json(record["view"], self._transcript.__getitem__, self._count)
        self._repaid = total(view) - _same_prefix(self._items, view)
        self._items = [*view, *later]
        self._raw = sum([item.tokens for item in self._items])
        self._states = tuple(journal.state_from_json(state) for state in record["states"])
        self._breaker = Breaker(**record["breaker"])
        self._barren = record["barren"]
        self._floor, self._held = self._raw, 0.0
        self._calibration = self._calibration.forget()

    @property
    def _soft(self) -> int:
        """Tokens of a request at which compaction starts."""
        usable, soft = self.limits.usable, self.policy.soft_limit
        return min(soft, usable) if soft is not None else int(self.policy.limit_share * usable)

    def _rules(self) -> Rules:
        policy, scale = self.policy, self._calibration.safe
        soft = self._soft
        hard = int(self.limits.usable / scale) - self._overhead
        limit = min(int(soft / scale) - self._overhead, hard)
        room = int(self._state_room(soft) / scale)
        return Rules(
            policy=policy,
            count=self._count,
            limit=limit,
            target=max(int(policy.low_water * soft / scale) - self._overhead, 0),
            hard=hard,
            state_room=room,
            block_room=room,
            locale=self.locale,
            identity=self._identity,
            subjects=self._subjects,
        )

    def _state_room(self, soft: int) -> int:
        """Tokens for the state block: a share of the window, or of the limit where the policy keeps a larger ledger."""
        policy = self.policy
        block = min(max(int(policy.state_share * self.limits.window), policy.state_min), policy.state_max)
        ledger = min(
            max(int(policy.ledger_share * soft), policy.ledger_min), policy.ledger_max, int(policy.ledger_cap * soft)
        )
        return max(min(block, int(0.12 * soft)), ledger)

    def _check_floor(self, view: View, rules: Rules) -> None:
        """What no compaction can remove must fit by itself, else say so at once (beyond-the-document 6)."""
        fixed = sum(item.tokens for item in view if item.message.role == "system" and item.kind == "whole")
        if fixed > rules.hard:
            raise ContextOverflow(self._overflow(view, rules))

    def _overflow(self, view: View, rules: Rules) -> str:
        scaled = self._calibration.apply
        system = sum(item.tokens for item in view if item.message.role == "system")
        last = view[-1].tokens if view else 0
        sizes = {"system": system, "tools": self._overhead, "last": last}
        culprit = max(sizes, key=lambda k: sizes[k])
        return say(
            self.locale,
            "context.overflow",
            tokens=scaled(total(view) + self._overhead),
            usable=self.limits.usable,
            window=self.limits.window,
            reserve=self.limits.reserve,
            system=scaled(system),
            tools=scaled(self._overhead),
            last=scaled(last),
            culprit=say(self.locale, f"context.culprit_{culprit}"),
        )

    # -- over a restart ----------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return all that the window knows besides the transcript, JSON-able."""
        return {
            "calibration": asdict(self._calibration),
            "window": self.limits.window,
            "reserve": self.limits.reserve,
            "floor": self._floor,
            "held": self._held,
        }

    def load(self, raw: Mapping[str, Any]) -> None:
        """Take back what ``dump`` returned, after the records were replayed."""
        self._calibration = Calibration(**raw["calibration"])
        self.limits = Limits(window=raw["window"], reserve=raw["reserve"])
        self._floor, self._held = raw["floor"], raw["held"]


def _reference(item: Item) -> str:
    return f"m{item.first}" if item.first == item.last else f"m{item.first}-m{item.last}"


def _same_prefix(before: Sequence[Item], after: Sequence[Item]) -> int:
    """Return the raw tokens of the items with which both begin."""
    same = 0
    for old, new in zip(before, after, strict=False):
        if old.message != new.message:
            break
        same += new.tokens
    return same


def text_tokens(text: str, count: Counter) -> int:
    """Return the raw tokens of a text that is sent beside the transcript."""
    return count(Message("system", (Text(text),)))

"""Puts one session together, and its sub-agents: window, journal, tools, hooks and limits, from the settings."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..config import BadSetting, Settings
from ..context.messages import Message, ToolCall, system
from ..context.policy import NEVER_CLEARED, Clearing, InvalidPolicy, Policy
from ..context.prompt import Section, assemble
from ..context.references import UnknownReference
from ..context.tokens import estimate_message, estimate_text
from ..context.window import Limits, Window
from ..hooks.registry import Hooks
from ..locales import Locale, say
from ..model.base import Model
from ..model.choose import CannotOpen, open_model
from ..model.known import known
from ..store.sessions import SessionRow, Store
from ..tools.base import CallContext, Outcome
from ..tools.builtin.delegate import NAME as DELEGATE
from ..tools.builtin.delegate import delegate_research
from ..tools.builtin.recall import NoSuchReference, Recall, recall_context
from ..tools.executor import Executed, Executor
from ..tools.registry import Registry
from .claim import Claim
from .delegate import Activity, Delegates, Make
from .heal import heal
from .hooking import Moments
from .journal import Journal
from .ports import InsteadOf, Ports, RunTools, Wishes, nothing_new
from .session import Session, TurnLimits, recall_original

DEFAULT_WINDOW = 128_000
SUBAGENT_SECS = 600.0  # that one sub-agent gets
RECALL = "recall_context"
LEADS_OWN = frozenset({DELEGATE, RECALL})  # sub-agents have no sub-agents, and recall what they themselves have seen


def recall_from(store: Store, session_id: str, locale: Locale, agent_name: str = "lead") -> Recall:
    """Return what gives an agent back the originals that it, or a sub-agent of its session, has seen."""

    async def recall(context: CallContext, ref: str, query: str, offset: int) -> str:
        try:
            return await recall_original(store, session_id, ref, query, offset, locale, agent_name)
        except UnknownReference as unknown:
            raise NoSuchReference(str(unknown)) from None

    return recall


async def assemble_session(
    store: Store,
    row: SessionRow,
    models: Sequence[Model],
    registry: Registry,
    settings: Settings,
    locale: Locale,
    *,
    wishes: Wishes | None = None,
    hooks: Hooks | None = None,
    delegates: Delegates | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    now: Callable[[], float] = time.time,
) -> Session:
    """Return the session that *row* describes, its view restored; without *models* it can be looked at, not asked.

    With *delegates* it can have sub-agents. Raises ``SessionInUse`` while another process writes to it.
    """
    hooks = hooks or Hooks()
    if delegates:
        registry.add(delegate_research(delegates.run, locale, SUBAGENT_SECS))
    prompt = system(system_prompt(registry, locale))
    window = build_window(settings, row.model, registry, prompt, locale)
    journal = Journal(store, row.session_id, window, limit=settings.max_tool_output_chars, locale=locale)
    if models:
        journal.claim = await Claim.take(store, row.session_id)
    citations = await journal.load()
    if row.engine_state:
        kept: Mapping[str, Any] = row.engine_state
        _restore(window, kept, models[0].name if models else None, settings)
        journal.seq = kept["seq"]
    if models:
        await heal(journal, locale, journal.seq)
    moments = Moments(hooks, row.session_id, locale)
    ports = Ports(
        journal=journal,
        models=models,
        system=prompt,
        schemas=registry.schemas,
        run_tools=runner(registry, settings, row.session_id, locale, moments),
        wishes=wishes or Wishes(),
        citations=citations,
        moments=moments,
        max_output=settings.max_output_tokens,
        max_wait=settings.max_wait_secs,
        now=now,
        sleep=sleep,
    )
    limits = TurnLimits(max_steps=settings.max_steps, soft=settings.token_soft_limit, hard=settings.token_hard_limit)
    polling = frozenset(tool.name for tool in registry if tool.polling)
    session = Session(row.session_id, ports, locale=locale, limits=limits, polling=polling)
    if delegates:
        delegates.bind(session, subagents_of(ports, row, registry, hooks, settings, locale))
    return session


def subagents_of(
    parent: Ports, row: SessionRow, registry: Registry, hooks: Hooks, settings: Settings, locale: Locale
) -> Make:
    """Return what makes the effects of a sub-agent: the parent's models, its reading tools, and a view of its own."""

    def make(who: Activity, names: tuple[str, ...] | None) -> Ports:
        reading = Registry(tool for tool in registry if tool.read_only and tool.name not in LEADS_OWN)
        chosen = reading if names is None else reading.subset(name for name in names if name != RECALL)
        chosen.add(recall_context(recall_from(parent.journal.store, row.session_id, locale, who.agent), locale))
        prompt = system(system_prompt(chosen, locale))
        journal = Journal(
            parent.journal.store,
            row.session_id,
            build_window(settings, row.model, chosen, prompt, locale),
            limit=settings.max_tool_output_chars,
            locale=locale,
            agent_name=who.agent,
            told=who.nested,
        )
        journal.listeners, journal.claim = parent.journal.listeners, parent.journal.claim
        moments = Moments(hooks, row.session_id, locale, who.agent)
        return replace(
            parent,
            journal=journal,
            system=prompt,
            schemas=chosen.schemas,
            run_tools=runner(chosen, settings, row.session_id, locale, moments),
            wishes=Wishes(),
            citations={},
            moments=moments,
            notifications=nothing_new,
        )

    return make


def _restore(window: Window, kept: Mapping[str, Any], model: str | None, settings: Settings) -> None:
    """Take back what was learned of the model, unless it is another one now; a window that is set overrules it."""
    built = window.limits
    if model is None or kept.get("model", model) == model:
        window.load(kept["window"])
    if settings.context_window:
        window.limits = built


def runner(registry: Registry, settings: Settings, session_id: str, locale: Locale, moments: Moments) -> RunTools:
    """Return what runs the calls of one reply; *instead_of* may give a call its result without running it, and hooks
    may change or stop it."""

    def run(calls: Sequence[ToolCall], stop: asyncio.Event, instead_of: InsteadOf) -> AsyncIterator[Executed]:
        async def before(call: ToolCall, context: CallContext) -> ToolCall | Outcome:
            return instead_of(call) or await moments.before(call, context)

        executor = Executor(registry, timeout=settings.tool_timeout_secs, before=before, after=moments.after)
        return executor.run(calls, CallContext(session_id=session_id, call_id="", locale=locale), stop)

    return run


def system_prompt(registry: Registry, locale: Locale) -> str:
    """Return the prompt: what never changes first, so that the provider's cache holds (R1.2)."""
    sections = (
        Section("identity", "static", lambda: say(locale, "agent.identity")),
        Section("principles", "static", lambda: say(locale, "agent.principles")),
        Section("tools", "dynamic", lambda: say(locale, "agent.tools", tools=registry.prompt)),
    )
    return assemble(sections)


def build_window(settings: Settings, model: str, registry: Registry, prompt: Message, locale: Locale) -> Window:
    """Return an empty window by the settings; prompt and schemas are what every request carries beside the history."""
    listed = known(model)
    total = settings.context_window or (listed.window if listed else DEFAULT_WINDOW)
    window = Window(
        build_policy(settings, {tool.name: tool.clearing for tool in registry}, locale),
        Limits(window=total, reserve=min(settings.max_output_tokens, total // 4)),
        locale=locale,
        identity=say(locale, "agent.identity"),
        subjects={tool.name: tool.subject for tool in registry},
    )
    schemas = sum(estimate_text(json.dumps(schema, ensure_ascii=False)) for schema in registry.schemas)
    window.set_overhead(estimate_message(prompt) + schemas)
    return window


def build_policy(settings: Settings, clearing: Mapping[str, Clearing], locale: Locale) -> Policy:
    """Return the policy by the settings; what is set beside a policy overrules it. Raises ``BadSetting`` for a file."""
    name = settings.context_policy
    policy = Policy.named(name) if name in ("document", "adaptive") else _policy_file(Path(name), locale)
    given = {"soft_limit": "token_soft_limit", "max_messages": "max_messages", "summary_chars": "summary_chars"}
    wanted = {field: setting for field, setting in given.items() if setting in settings.model_fields_set}
    changes = {field: getattr(settings, setting) for field, setting in wanted.items()}
    own = {tool: rule for tool, rule in policy.clearing.items() if NEVER_CLEARED.get(tool) != rule}
    return replace(policy, clearing={**NEVER_CLEARED, **clearing, **own}, **changes)


def _policy_file(path: Path, locale: Locale) -> Policy:
    try:
        return Policy.parse(path.expanduser().read_text("utf-8"))
    except (OSError, UnicodeDecodeError, InvalidPolicy) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise BadSetting(say(locale, "config.bad_policy", file=path, why=why)) from None


def build_model(name: str, settings: Settings, locale: Locale) -> Model:
    """Return the model behind a name as AGENT_MODEL has it; raises ``BadSetting`` when it can't be opened."""
    provider = name.partition("/")[0]
    if provider == "local":
        from ..model.local import LocalModel

        return LocalModel()
    secret = {"openai": settings.openai_api_key, "anthropic": settings.anthropic_api_key}.get(provider)
    base_url = settings.openai_base_url if provider == "openai" else None
    key = secret.get_secret_value() if secret else ""
    try:
        return open_model(name, api_key=key, base_url=base_url or "", locale=locale)
    except CannotOpen as error:
        raise BadSetting(str(error)) from None

"""Settings: environment first, then files, then defaults; a bad value is one line that says what would be right.

Two files are read. ``$AGENT_HOME/astroresearch.toml`` is the user's own and may set anything but ``AGENT_HOME``. An
``astroresearch.toml`` in the current folder came with that folder, so it may only tune limits and language: whoever
wrote it must not be able to redirect keys, sessions or questions to another place (security.md P0 6).
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo

from .locales import Locale, say

FILE_NAME = "astroresearch.toml"
FOLDER_MAY_SET = frozenset(
    {
        "AGENT_MAX_STEPS",
        "AGENT_TOOL_TIMEOUT_SECS",
        "AGENT_MAX_TOOL_OUTPUT_CHARS",
        "AGENT_TOKEN_SOFT_LIMIT",
        "AGENT_TOKEN_HARD_LIMIT",
        "AGENT_MAX_MESSAGES",
        "AGENT_SUMMARY_CHARS",
        "AGENT_CONTEXT_POLICY",
        "AGENT_CONTEXT_WINDOW",
        "AGENT_MAX_OUTPUT_TOKENS",
        "AGENT_LOCALE",
    }
)


class BadSetting(Exception):
    """One setting that cannot be used; the text is one line, ready to be shown."""


def _model_name(name: str) -> str:
    provider, _, rest = name.partition("/")
    if name == "local" or (provider in ("openai", "anthropic", "scripted") and rest):
        return name
    raise ValueError("model")


def _policy_name(name: str) -> str:
    if name in ("document", "adaptive") or Path(name).suffix in (".toml", ".json"):
        return name
    raise ValueError("policy")


def _database_url(url: str) -> str:
    if url.startswith(("sqlite:///", "postgresql://")):
        return url
    raise ValueError("database")


def _http_url(url: str) -> str:
    if url.startswith(("http://", "https://")):
        return url
    raise ValueError("url")


ModelName = Annotated[str, AfterValidator(_model_name)]
PolicyName = Annotated[str, AfterValidator(_policy_name)]
DatabaseUrl = Annotated[str, AfterValidator(_database_url)]
HttpUrl = Annotated[str, AfterValidator(_http_url)]


def _named(name: str, default: Any, want: str, *more: str, **bounds: Any) -> Any:
    """One field: *want* is the text that tells what a right value looks like, *more* its other names."""
    return Field(default, validation_alias=AliasChoices(name, *more), description=want, **bounds)


class Settings(BaseModel):
    """Every setting under the name that the environment and the files give it (R10.1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_steps: int = _named("AGENT_MAX_STEPS", 8, "whole", ge=1, le=1_000)
    tool_timeout_secs: float = _named("AGENT_TOOL_TIMEOUT_SECS", 120.0, "seconds", ge=0.1, le=86_400)
    max_tool_output_chars: int = _named("AGENT_MAX_TOOL_OUTPUT_CHARS", 4_000, "whole", ge=200, le=1_000_000)
    token_soft_limit: int = _named("AGENT_TOKEN_SOFT_LIMIT", 32_000, "whole", ge=500, le=10_000_000)
    token_hard_limit: int = _named("AGENT_TOKEN_HARD_LIMIT", 40_000, "whole", ge=500, le=10_000_000)
    max_messages: int = _named("AGENT_MAX_MESSAGES", 50, "whole", ge=5, le=100_000)
    summary_chars: int = _named("AGENT_SUMMARY_CHARS", 500, "whole", ge=100, le=100_000)
    max_wait_secs: float = _named("AGENT_MAX_WAIT_SECS", 300.0, "seconds", ge=0, le=86_400)
    model: ModelName = _named("AGENT_MODEL", "local", "model")
    fallback_model: ModelName | None = _named("FALLBACK_MODEL", None, "model")
    context_policy: PolicyName = _named("AGENT_CONTEXT_POLICY", "document", "policy")
    context_window: int | None = _named("AGENT_CONTEXT_WINDOW", None, "whole", ge=1_000, le=100_000_000)
    max_output_tokens: int = _named("AGENT_MAX_OUTPUT_TOKENS", 8_192, "whole", ge=16, le=1_000_000)
    locale: Literal["auto", "zh", "en"] = _named("AGENT_LOCALE", "auto", "choice")
    home: Path = _named("AGENT_HOME", Path("~/.astroresearch"), "folder")
    database_url: DatabaseUrl | None = _named("AGENT_DATABASE_URL", None, "database")
    memory_dir: Path | None = _named("AGENT_MEMORY_DIR", None, "folder")
    api_token: SecretStr | None = _named("AGENT_API_TOKEN", None, "text")
    openai_api_key: SecretStr | None = _named("OPENAI_API_KEY", None, "text")
    openai_base_url: HttpUrl | None = _named("OPENAI_BASE_URL", None, "http")
    anthropic_api_key: SecretStr | None = _named("ANTHROPIC_API_KEY", None, "text")
    ads_dev_key: SecretStr | None = _named("ADS_DEV_KEY", None, "text", "ADS_API_TOKEN", "SCIX_API_TOKEN")

    @model_validator(mode="after")
    def _limits_in_order(self) -> "Settings":
        if self.token_hard_limit < self.token_soft_limit:
            raise ValueError("limits")
        return self

    @property
    def home_folder(self) -> Path:
        return self.home.expanduser()

    @property
    def database(self) -> str:
        """The URL of the session store: a file in ``AGENT_HOME`` unless another is set."""
        return self.database_url or f"sqlite:///{(self.home_folder / 'sessions.db').absolute()}"

    @property
    def library_file(self) -> Path:
        return self.home_folder / "library.db"


class BadFlag(BadSetting):
    """A bad value that came from the command line."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """*sources*: setting name -> the variable or file that it came from; *notices*: what was read but not followed."""

    settings: Settings
    sources: Mapping[str, str]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Given:
    value: str
    source: str


def names_of(field: FieldInfo) -> tuple[str, ...]:
    """The names that one setting answers to, its own first."""
    alias = field.validation_alias
    return tuple(str(c) for c in alias.choices) if isinstance(alias, AliasChoices) else ()


FIELDS: Mapping[str, str] = {names_of(f)[0]: key for key, f in Settings.model_fields.items()}
CANONICAL: Mapping[str, str] = {n: names_of(f)[0] for f in Settings.model_fields.values() for n in names_of(f)}
OWN_FILE_MAY_SET = frozenset(FIELDS) - {"AGENT_HOME"}  # that file lies in AGENT_HOME


def is_secret(name: str) -> bool:
    return SecretStr in get_args(Settings.model_fields[FIELDS[name]].annotation)


def load_settings(
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    *,
    locale: Locale = "en",
    flags: Mapping[str, object] | None = None,
) -> Loaded:
    """Read all sources; *flags*: variable -> value on the command line. Raises ``BadSetting`` with one line."""
    environ = os.environ if environ is None else environ
    folder = Path.cwd() if folder is None else folder
    own = Path(environ.get("AGENT_HOME") or "~/.astroresearch").expanduser() / FILE_NAME
    beside = folder / FILE_NAME
    given, notices = _from_file(own, locale, OWN_FILE_MAY_SET, "config.only_environment")
    if beside.absolute() != own.absolute():
        more, ignored = _from_file(beside, locale, FOLDER_MAY_SET, "config.not_from_folder")
        given, notices = given | more, notices + ignored
    given |= _from_environment(environ, locale)
    given |= {
        name: _Given(str(value), say(locale, "config.flag"))
        for name, value in (flags or {}).items()
        if value is not None
    }
    return Loaded(_checked(given, locale), {name: g.source for name, g in given.items()}, notices)


def _from_environment(environ: Mapping[str, str], locale: Locale) -> dict[str, _Given]:
    found: dict[str, _Given] = {}
    for name, canonical in CANONICAL.items():
        if canonical not in found and (value := environ.get(name, "").strip()):
            found[canonical] = _Given(value, say(locale, "config.environment", name=name))
    return found


def _from_file(
    path: Path, locale: Locale, allowed: frozenset[str], ignored: str
) -> tuple[dict[str, _Given], tuple[str, ...]]:
    """Read one file; a name outside *allowed* is left out, with the notice *ignored*."""
    found: dict[str, _Given] = {}
    notices: list[str] = []
    for name, value in _table(path, locale).items():
        if name not in CANONICAL:
            raise BadSetting(_unknown(name, path, locale))
        if CANONICAL[name] not in allowed:
            notices.append(say(locale, ignored, name=name, file=path))
        elif isinstance(value, bool | list | dict):
            raise BadSetting(say(locale, "config.not_a_value", name=name, file=path))
        else:
            found[CANONICAL[name]] = _Given(str(value), str(path))
    return found, tuple(notices)


def _table(path: Path, locale: Locale) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSetting(say(locale, "config.unreadable", file=path, why=str(error).splitlines()[0])) from None


def _unknown(name: str, path: Path, locale: Locale) -> str:
    close = get_close_matches(name.upper(), CANONICAL, n=1, cutoff=0.6)
    if close:
        return say(locale, "config.unknown_close", name=name, file=path, close=close[0])
    return say(locale, "config.unknown", name=name, file=path)


def _checked(given: Mapping[str, _Given], locale: Locale) -> Settings:
    try:
        return Settings.model_validate({name: g.value for name, g in given.items()})
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        if not first["loc"]:
            soft, hard = (given.get(n) for n in ("AGENT_TOKEN_SOFT_LIMIT", "AGENT_TOKEN_HARD_LIMIT"))
            raise BadSetting(_limits(soft, hard, locale)) from None
        name = CANONICAL[str(first["loc"][0])]
        kind = BadFlag if given[name].source == say(locale, "config.flag") else BadSetting
        raise kind(_bad_value(name, given[name], locale)) from None


def _limits(soft: _Given | None, hard: _Given | None, locale: Locale) -> str:
    fields = Settings.model_fields
    values = {
        "soft": soft.value if soft else fields["token_soft_limit"].default,
        "hard": hard.value if hard else fields["token_hard_limit"].default,
    }
    return say(locale, "config.limits", **values)


def _bad_value(name: str, given: _Given, locale: Locale) -> str:
    shown = say(locale, "config.hidden") if is_secret(name) else repr(given.value)
    return say(locale, "config.bad_value", name=name, value=shown, source=given.source, wanted=wanted(name, locale))


def wanted(name: str, locale: Locale) -> str:
    """What a right value of *name* looks like, in words."""
    field = Settings.model_fields[FIELDS[name]]
    low, high = (next((getattr(m, a) for m in field.metadata if hasattr(m, a)), None) for a in ("ge", "le"))
    choices = " | ".join(str(choice) for choice in get_args(field.annotation))
    return say(locale, f"config.want_{field.description}", low=low, high=high, choices=choices)

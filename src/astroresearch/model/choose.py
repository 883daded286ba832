"""From a name as AGENT_MODEL has it to a model. An SDK is imported only for the provider that is chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ..locales import Locale, say
from .base import Model
from .quirks import Quirks, quirks_for


class CannotOpen(ValueError):
    """The name, the key or the address is wrong; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class _Asked:
    name: str
    api_key: str
    base_url: str
    idle: float
    quirks: tuple[str, ...]
    locale: Locale


def open_model(
    spec: str,
    *,
    api_key: str = "",
    base_url: str = "",
    timeout: float = 120.0,
    quirks: tuple[str, ...] = (),
    locale: Locale = "en",
) -> Model:
    """Return the model ``openai/NAME``, ``anthropic/NAME`` or ``scripted/FILE``; raise ``CannotOpen``.

    *timeout* is in seconds of silence. *quirks* names adapters to use beside those that the address implies. A server
    at an address of one's own needs no key.
    """
    provider, _, name = spec.partition("/")
    opener = _OPENERS.get(provider)
    if opener is None or not name:
        raise CannotOpen(say(locale, "model.unknown_model", model=spec))
    address = urlsplit(base_url)
    if base_url and (address.scheme not in {"http", "https"} or not address.hostname):
        raise CannotOpen(say(locale, "model.bad_address", address=base_url))
    return opener(_Asked(name, api_key, base_url, timeout, quirks, locale))


def _openai(asked: _Asked) -> Model:
    if not asked.api_key and not asked.base_url:
        raise _no_key(asked, "openai", "OPENAI_API_KEY")
    wants = _wants(asked)
    from .openai import OpenAIModel

    return OpenAIModel(
        asked.name, api_key=asked.api_key or "none", base_url=asked.base_url, idle=asked.idle, quirks=wants
    )


def _anthropic(asked: _Asked) -> Model:
    if not asked.api_key:
        raise _no_key(asked, "anthropic", "ANTHROPIC_API_KEY")
    from .anthropic import AnthropicModel

    return AnthropicModel(asked.name, api_key=asked.api_key, base_url=asked.base_url, idle=asked.idle)


def _scripted(asked: _Asked) -> Model:
    from .scripted import ScriptedModel, read_script

    try:
        return ScriptedModel(read_script(Path(asked.name)))
    except (OSError, ValueError) as error:
        raise CannotOpen(str(error)) from error


_OPENERS = {"openai": _openai, "anthropic": _anthropic, "scripted": _scripted}


def _wants(asked: _Asked) -> Quirks:
    try:
        return quirks_for(asked.name, asked.base_url, asked.quirks)
    except ValueError as error:
        raise CannotOpen(str(error)) from error


def _no_key(asked: _Asked, provider: str, variable: str) -> CannotOpen:
    told: Mapping[str, str] = {"variable": variable, "model": f"{provider}/{asked.name}"}
    return CannotOpen(say(asked.locale, "model.missing_key", **told))


async def close_model(model: Model) -> None:
    """Close the connections of a model that has any."""
    close = getattr(model, "aclose", None)
    if close is not None:
        await close()

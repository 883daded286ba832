"""Where servers that speak OpenAI's chat API differ: small named adapters, chosen by address, model name or by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

from ..locales import say


@dataclass(frozen=True, slots=True)
class Quirks:
    """What one server wants on the wire; the stored history is never changed for it."""

    names: tuple[str, ...] = ()
    output_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    system_role: Literal["system", "developer"] = "system"
    one_system: bool = False  # one system message, in front; a later one is sent as a user's
    empty_content: str | None = None  # what stands beside tool calls without text
    send_thought: bool = False  # reasoning_content goes back with the calls it led to
    bridge_user: bool = False  # an assistant message between a tool result and a user message
    alternate: bool = False  # no two user messages in a row
    nine_ids: bool = False  # call ids of exactly nine letters and digits
    stream: bool = True
    stream_usage: bool = True  # knows stream_options.include_usage
    end_marker: bool = True  # ends its streams with [DONE]
    echo: tuple[str, ...] = ()  # fields of an assistant message that go back unchanged
    echo_call: tuple[str, ...] = ()  # fields of a tool call that go back unchanged
    body: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


ADAPTERS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "openai": {"output_field": "max_completion_tokens"},
        "developer_role": {"system_role": "developer"},
        "deepseek": {"send_thought": True},
        "kimi": {"send_thought": True},
        "mistral": {"bridge_user": True, "nine_ids": True, "stream_usage": False, "empty_content": ""},
        "gemini": {"echo_call": ("extra_content",)},
        "openrouter": {"echo": ("reasoning_details",)},
        "llamacpp": {"empty_content": "", "one_system": True},
        "ollama": {"empty_content": "", "one_system": True},
        "strict_template": {"alternate": True, "one_system": True, "bridge_user": True, "empty_content": ""},
        "no_stream": {"stream": False},
        "no_stream_usage": {"stream_usage": False},
        "no_end_marker": {"end_marker": False},
        "send_thought": {"send_thought": True},
    }
)

_HOSTS = {
    "api.openai.com": "openai",
    "openai.azure.com": "openai",
    "api.deepseek.com": "deepseek",
    "api.moonshot.cn": "kimi",
    "api.moonshot.ai": "kimi",
    "api.mistral.ai": "mistral",
    "generativelanguage.googleapis.com": "gemini",
    "openrouter.ai": "openrouter",
}
_PORTS = {11434: "ollama", 8080: "llamacpp"}
_DEVELOPER_MODELS = ("o1", "o3", "o4", "gpt-5")
_OLDER = ("o1-mini", "o1-preview")


def adapted(*names: str) -> Quirks:
    """Return the quirks of these adapters, later ones over earlier ones; ``ValueError`` for an unknown name."""
    quirks = Quirks()
    for name in names:
        if name not in ADAPTERS:
            raise ValueError(say("en", "model.unknown_quirk", name=name, known=", ".join(sorted(ADAPTERS))))
        quirks = replace(quirks, **ADAPTERS[name])  # type: ignore[arg-type]
    return replace(quirks, names=names)


def quirks_for(model: str, base_url: str = "", chosen: tuple[str, ...] = ()) -> Quirks:
    """Return what the server behind *base_url* ("" = OpenAI's own) wants for *model*; *chosen* adapters come last."""
    address = urlsplit(base_url or "https://api.openai.com/v1")
    host = address.hostname or ""
    names = [name for known, name in _HOSTS.items() if host == known or host.endswith("." + known)]
    if not names and host in {"localhost", "127.0.0.1", "::1"} and address.port in _PORTS:
        names.append(_PORTS[address.port])
    short = model.rpartition("/")[2].lower()
    if names == ["openai"] and short.startswith(_DEVELOPER_MODELS) and not short.startswith(_OLDER):
        names.append("developer_role")
    if not names and "deepseek" in short:
        names.append("deepseek")
    return adapted(*names, *chosen)

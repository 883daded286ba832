"""The system prompt: static first, the same bytes every time, in both languages."""

import re

import pytest

from astroresearch.agent.assembly import system_prompt
from astroresearch.context.tokens import estimate_text
from astroresearch.locales import LOCALES, Locale, say, texts
from astroresearch.tools.registry import Registry

from .harness import TOOLS


@pytest.mark.parametrize("locale", LOCALES)
def test_the_order_and_the_bytes(locale: Locale) -> None:
    prompt = system_prompt(Registry(TOOLS), locale)
    assert prompt == system_prompt(Registry(reversed(TOOLS)), locale)
    parts = [
        say(locale, "agent.identity"),
        say(locale, "agent.principles"),
        "echo: echo\nlengthy: lengthy\nquote: quote",
    ]
    places = [prompt.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize("locale", LOCALES)
def test_there_are_nine_principles(locale: Locale) -> None:
    assert len(re.findall(r"^\d\. ", say(locale, "agent.principles"), re.MULTILINE)) == 9


def test_the_chinese_identity_is_the_documents() -> None:
    assert say("zh", "agent.identity").startswith("你是一位专业的天体物理学研究助手")
    assert say("zh", "agent.tasks", tasks="x").startswith("[当前任务状态]")


def test_the_prompt_without_tools_is_small() -> None:
    assert estimate_text(system_prompt(Registry(), "en")) < 450


@pytest.mark.parametrize("room", ["agent", "cli", "config"])
def test_both_languages_say_the_same_things(room: str) -> None:
    placeholders = {
        locale: {key: sorted(set(re.findall(r"{(\w+)", text))) for key, text in texts(locale, room).items()}
        for locale in LOCALES
    }
    assert placeholders["zh"] == placeholders["en"]

"""Both languages say the same things."""

import importlib
import pkgutil
from string import Formatter

import pytest

from astroresearch import locales
from astroresearch.locales import en, texts, zh

ROOMS = sorted({m.name for package in (en, zh) for m in pkgutil.iter_modules(package.__path__)})


@pytest.mark.parametrize("room", ROOMS)
def test_each_text_exists_in_both_languages_with_the_same_fields(room):
    english, chinese = texts("en", room), texts("zh", room)
    assert english.keys() == chinese.keys()
    for key in english:
        assert fields(english[key]) == fields(chinese[key]), key


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_a_question_is_chinese_if_a_tenth_of_its_letters_are():
    assert locales.language_of("What is H0?") == "en"
    assert locales.language_of("哈勃常数是多少？") == "zh"
    assert locales.language_of("SH0ES 的 H0 结果？") == "zh"
    assert locales.language_of("12 ± 3") == "en"
    assert importlib.import_module("astroresearch.locales.zh.context").TEXTS["identity"] == "[身份确认] {text}"

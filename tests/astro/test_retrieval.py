"""Questions in words over real papers: the right paper first, the answering sentence among its first passages."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from astroresearch.astro.library import Library
from astroresearch.astro.parse import parse_paper

QUESTIONS = json.loads((Path(__file__).parent / "paper_questions.json").read_text(encoding="utf-8"))
UNANSWERABLE = (
    "What is the tax rate in Belgium?",
    "How do I bake sourdough bread?",
    "What is the mass of the top quark in GeV?",
    "Who discovered penicillin?",
    "What is the orbital period of Halley's comet?",
    "法国的首都是哪里？",
    "比特币的价格是多少？",
)


@pytest.fixture(scope="module")
def shelf(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, dict[str, str]]]:
    files = sorted(path for path in (shared / "data/papers").iterdir() if path.suffix in (".tex", ".md"))
    with Library.open(tmp_path_factory.mktemp("shelf") / "papers.db", starter=False) as library:
        yield library, {path.name: library.add(parse_paper(path.read_bytes(), path.name)).key for path in files}


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"])
def test_the_paper_that_answers_comes_first(shelf: tuple[Library, dict[str, str]], asked: dict[str, object]) -> None:
    library, keys = shelf
    hits = library.search(str(asked["question"]), limit=5)
    wanted = keys[str(asked["paper_file"])]
    assert hits[0].paper == wanted
    texts = [hit.text for hit in hits if hit.paper == wanted]
    expected = asked["expect_text"]
    assert isinstance(expected, list)
    assert any(quote in text for text in texts for quote in expected), texts


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_what_no_paper_answers_scores_low(shelf: tuple[Library, dict[str, str]], question: str) -> None:
    assert max((hit.score for hit in shelf[0].search(question)), default=0.0) < 0.5

"""How fast the library is: build time and query time for synthetic papers, up to 100,000 passages.

Run ``python benchmarks/library.py [largest]``; prints a Markdown table. Words follow a Zipf law over the vocabulary of
astronomy's glossary and invented words, so that common and rare words are as common and rare as in real text.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

from astroresearch.astro.library import Library
from astroresearch.astro.library.glossary import chinese
from astroresearch.astro.papers import Block, Paper, Section

SIZES = (1_000, 10_000, 100_000)
A_PAPER = 50  # passages
WORDS = 90  # of a passage
QUERIES = (
    "What is the Hubble constant measured from Cepheid distances?",
    "metallicity dependence of the binary fraction of close solar-type stars",
    "哈勃常数是多少？",
    "NGC 4151 black hole mass",
    "kobaru velsinta",
)


def vocabulary(seed: random.Random) -> tuple[list[str], list[float]]:
    known = [" ".join(form) for forms in chinese().values() for form in forms]
    syllables = ["ko", "ba", "ru", "vel", "sin", "ta", "mor", "el", "qui", "dra"]
    words = known + ["".join(seed.choices(syllables, k=3)) + seed.choice(["", "s", "ed"]) for _ in range(20_000)]
    seed.shuffle(words)
    common = ["the", "of", "and", "a", "is", "in", "we", "to", "with", "for"]
    words = common + words
    return words, [1 / (rank + 2) for rank in range(len(words))]


def papers(count: int, seed: random.Random) -> list[Paper]:
    words, weights = vocabulary(seed)
    made = []
    for number in range(count // A_PAPER):
        drawn = seed.choices(words, weights, k=A_PAPER * WORDS)
        texts = [" ".join(drawn[at : at + WORDS]) + "." for at in range(0, len(drawn), WORDS)]
        blocks = tuple(Block("text", text) for text in texts)
        title = " ".join(seed.choices(words, k=7))
        made.append(Paper(f"p{number}", title, sections=(Section("Results", 1, blocks, "1"),), sha256=f"{number}"))
    return made


def measure(count: int) -> str:
    shelf = papers(count, random.Random(7))
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "papers.db", starter=False) as library:
        begun = time.perf_counter()
        library.add_all(shelf)
        built = time.perf_counter() - begun
        spent = sorted(one_query(library, query) for query in QUERIES * 3)
        megabytes = (Path(folder) / "papers.db").stat().st_size / 1e6
    return (
        f"| {count:,} | {built:.1f} | {megabytes:.0f} | {spent[0] * 1e3:.0f} | {spent[len(spent) // 2] * 1e3:.0f} "
        f"| {spent[-1] * 1e3:.0f} |"
    )


def one_query(library: Library, query: str) -> float:
    begun = time.perf_counter()
    library.search(query, limit=8)
    return time.perf_counter() - begun


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1]
    print("| passages | build (s) | file (MB) | query, fastest (ms) | median (ms) | slowest (ms) |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for count in SIZES:
        if count <= largest:
            print(measure(count), flush=True)


if __name__ == "__main__":
    main()

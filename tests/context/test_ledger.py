"""Evidence as astronomers write it: identifiers, measurements with their errors and units, equations, constraints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.context.ledger import constraints, evidence, quoted

FOUND = [
    ("see 2022ApJ...934L...7R, and 2024A&A...680A...1X.", ["2022ApJ...934L...7R", "2024A&A...680A...1X"]),
    ("(1907AN....174...59.)", ["1907AN....174...59."]),
    ("2021ascl.soft07027B; 2018SPIE10702E..6DS", ["2021ascl.soft07027B", "2018SPIE10702E..6DS"]),
    ("arXiv:2112.04510v2 and astro-ph/9812133", ["2112.04510v2", "astro-ph/9812133"]),
    ("https://arxiv.org/abs/1502.01589.", ["https://arxiv.org/abs/1502.01589"]),
    ("doi:10.3847/2041-8213/ac5c5b", ["10.3847/2041-8213/ac5c5b"]),
    ("NGC 4151, M 31, HD 209458b and 3I/ATLAS", ["NGC 4151", "M 31", "HD 209458b", "3I/ATLAS"]),
    ("C/2025 N1 is PSR B1913+16? No: PSR J0740+6620", ["C/2025 N1", "PSR B1913+16", "PSR J0740+6620"]),
    ("at 10:00:28.6 +02:12:21.0", ["10:00:28.6 +02:12:21.0"]),
    ("at 05h23m34.6s -69d45m22s", ["05h23m34.6s -69d45m22"]),
    ("read /data/sn/table_4.csv and src/fit/run.py:42", ["/data/sn/table_4.csv", "src/fit/run.py"]),
    ("H0 = 73.04 ± 1.04 km/s/Mpc today", ["H0 = 73.04 ± 1.04 km/s/Mpc"]),
    ("67.4 +/- 0.5 km s^-1 Mpc^-1, 5 sigma", ["67.4 +/- 0.5 km s^-1 Mpc^-1"]),
    (r"$H_0 = 67.4 \pm 0.5$ km s$^{-1}$ Mpc$^{-1}$", [r"H_0 = 67.4 \pm 0.5$ km s$^{-1}$ Mpc$^{-1}"]),
    (r"$1.44^{+0.15}_{-0.14}\,M_\odot$", [r"1.44^{+0.15}_{-0.14}\,M_\odot"]),
    (r"$M = 36_{-4}^{+5}\ M_{\odot}$", [r"M = 36_{-4}^{+5}\ M_{\odot}"]),
    ("R = 13.02 +1.24/-1.06 km", ["R = 13.02 +1.24/-1.06 km"]),
    ("a = (1.2 ± 0.1) × 10^5 erg", ["a = (1.2 ± 0.1) × 10^5 erg"]),
    ("红移 z = 0.023 ± 0.001，距离 100 Mpc", ["z = 0.023 ± 0.001", "100 Mpc"]),
    ("the age is 13.787 ± 0.020 Gyr and then 0.5 ± 0.1", ["age is 13.787 ± 0.020 Gyr", "0.5 ± 0.1"]),
    ("a period of 1.2 days and 5.2% loss", ["1.2 days", "5.2%"]),
    ("T = 2.7255 K and 1,700 stars", ["2.7255", "1,700"]),
    (r"we find $\Omega_m = 0.315$ and \[E = m c^2\]", [r"$\Omega_m = 0.315$", r"\[E = m c^2\]"]),
    ("job 29aa21ae-b135-4227-9db6-6dd283715900 failed", ["29aa21ae-b135-4227-9db6-6dd283715900"]),
]


@pytest.mark.parametrize(("text", "pieces"), FOUND)
def test_evidence_is_found_whole(text, pieces):
    found = [piece for piece, _ in evidence(text)]
    assert set(pieces) <= set(found), found


def test_a_value_is_told_once_with_its_name_and_its_error():
    found = [piece for piece, kind in evidence("H0 = 73.04 ± 1.04 km/s/Mpc") if kind == "measurement"]
    assert found == ["H0 = 73.04 ± 1.04 km/s/Mpc"]


@pytest.mark.parametrize("text", ["plain words only, nothing else.", "a 3 of 17 (12) things", "well-known in/out"])
def test_plain_words_are_no_evidence(text):
    assert list(evidence(text)) == []


def test_names_in_quotes_are_found_and_apostrophes_are_not():
    assert list(quoted("it's the \"Bullet cluster\", don't say `the other`")) == [
        ("Bullet cluster", "name"),
        ("the other", "name"),
    ]


def test_constraints_are_whole_sentences_in_both_languages():
    text = "Compare the values. Never use papers before 2015. 只用光谱红移。Thanks!"
    assert constraints(text) == ("Never use papers before 2015.", "只用光谱红移。")


@given(st.text(max_size=300))
def test_no_text_breaks_the_extractors(text):
    for piece, _ in [*evidence(text), *quoted(text)]:
        assert piece


@pytest.mark.parametrize("unit", ["(", "1±", "$", "\\pm", "10.1234/", "a.", "{", "9", "/-", "m:", '"', "+1_{-"])
def test_hostile_repetition_costs_no_more_than_its_length(unit):
    assert isinstance(list(evidence(unit * 50_000)), list)

"""What is shown of a long result."""

from hypothesis import given
from hypothesis import strategies as st

from astroresearch.tools.cut_output import shown

TEXTS = st.text(st.sampled_from("ab \n$字é"), max_size=3000)


@given(
    TEXTS, st.integers(120, 2000), st.sampled_from(["", "m7", "m1234"]), st.sampled_from(["zh", "en"]), st.booleans()
)
def test_never_longer_than_the_limit_and_never_cut_twice(
    text: str, limit: int, ref: str, locale: str, error: bool
) -> None:
    view = shown(text, limit, ref, locale, error=error)  # type: ignore[arg-type]
    assert len(view) <= limit
    assert shown(view, limit, ref, locale, error=error) is view  # type: ignore[arg-type]
    if len(text) <= limit:
        assert view is text
    else:
        assert not ref or f"recall {ref}" in view


def test_lines_stay_whole_and_both_ends_are_there() -> None:
    lines = [f"line number {i}" for i in range(500)]
    view = shown("\n".join(lines), 1000, "m3", "en").split("\n")
    assert view[0] == lines[0]
    assert view[-1] == lines[-1]
    assert sum(line not in lines for line in view) == 1


def test_the_notice_counts_what_is_left_out() -> None:
    text = "x" * 5000
    view = shown(text, 1000, "m3", "en")
    left = view.count("x")
    assert f"{5000 - left:,} of 5,000" in view


def test_an_error_keeps_its_last_lines() -> None:
    text = "\n".join([*(f"at frame {i}" for i in range(500)), "ValueError: the cause"])
    view = shown(text, 600, "m3", "en", error=True)
    assert view.endswith("ValueError: the cause")
    before, after = view.split("[…")
    assert len(before) < len(after)


def test_chinese() -> None:
    assert "查看全文：recall m3" in shown("字" * 5000, 1000, "m3", "zh")

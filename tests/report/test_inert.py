"""Nothing a device says moves a cursor, hides, or turns a line around."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.report.inert import LONGEST, encodable, inert, one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("eth0 400G", "eth0 400G"),
        ("\x1b[31mred", "⟨U+001B⟩[31mred"),
        ("a\tb\nc", "a⟨U+0009⟩b⟨U+000A⟩c"),
        ("\x7f", "⟨U+007F⟩"),
        ("\x9b2J", "⟨U+009B⟩2J"),
        ("good\u202edab", "good⟨U+202E⟩dab"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("lone\ud800", "lone\ufffd"),
        ("Zürich 東京", "Zürich 東京"),
    ],
)
def test_what_is_not_plainly_visible_is_spelled_out(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_line_ends_stay_where_lines_are_shown() -> None:
    assert inert("a\nb\x1b", keep="\n") == "a\nb⟨U+001B⟩"


def test_a_huge_line_is_cut_and_the_cut_is_said() -> None:
    shown = inert("x" * 1_048_576)
    assert len(shown) < LONGEST + 40
    assert shown.endswith("… (1,048,576 characters)")


def test_one_line_is_one_line() -> None:
    assert one_line("  a\n\n b\t\tc ") == "a b c"


@given(st.text())
def test_no_text_is_shown_with_anything_active_in_it(text: str) -> None:
    assert all(unicodedata.category(character)[0] != "C" for character in inert(text))


@given(st.text(st.characters()))
def test_everything_can_be_encoded(text: str) -> None:
    encodable(text).encode("utf-8")

"""YAML as people write it: values with their lines, and every fault of form."""

import pytest

from fabric_audit.documents.nodes import Place
from fabric_audit.documents.read import read_text


def faults(text: str) -> list[str]:
    return [str(fault) for fault in read_text("f", text).faults]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("yes", "yes"),
        ("12:34:56", "12:34:56"),
        ("0777", 777),
        ("0o17", 15),
        ("0x1F", 31),
        ("-3", -3),
        ("1_000", "1_000"),
        ("2026-11-30", "2026-11-30"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".inf", ".inf"),
        ("true", True),
        ("~", None),
        ("", None),
        ("'1'", "1"),
        ('"true"', "true"),
        ("!!int 5", "5"),
        ("|\n  two\n  lines", "two\nlines"),
    ],
)
def test_words_mean_what_yaml_1_2_says(word: str, value: object) -> None:
    plain = read_text("f", f"a: {word}\n").root.plain()
    assert isinstance(plain, dict)
    found = plain["a"]
    assert (found.rstrip("\n") if isinstance(found, str) else found) == value
    assert type(found) is type(value)


def test_values_and_keys_know_their_places() -> None:
    document = read_text("f", "hosts:\n  - name: gpu1\n    nics: [a, b]\n")
    assert document.place(("hosts", 0, "name")) == Place(2, 11)
    assert document.place(("hosts", 0, "name"), key=True) == Place(2, 5)
    assert document.place(("hosts", 0, "nics", 1)) == Place(3, 15)
    assert document.place(("hosts", 0, "missing")) == Place(2, 5)
    assert document.place(("hosts", 7, "name", "deeper")) == Place(2, 3)
    assert str(document.fault(("hosts", 0, "nics"), "odd", "mend it")) == "f:3:11: odd; mend it"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\nb: 2\na: 3\n", "f:3:1: the key 'a' stands here again; it was on line 1; keep one of the two"),
        ("a: !x 1\n", "f:1:4: the tag !x is not used here; leave it out"),
        ("a: *b\n", "f:1:4: nothing above is called &b; write &b before the value meant"),
        ("a: &x [*x]\n", "f:1:8: nothing above is called &x; write &x before the value meant"),
        ("a: 1\n---\nb: 2\n", "f:3:1: a second document begins here; keep one document in a file"),
        ("? [a]\n: 1\n", "f:1:3: a key must be a word; write KEY: VALUE"),
        ("a: \x07\n", "f:1:4: the character U+0007 is not allowed; take it out"),
        ("a: " + "[" * 99, "f:1:43: values are nested more than 40 deep; write it flatter or shorter"),
    ],
)
def test_a_fault_of_form_has_its_place_and_its_remedy(text: str, fault: str) -> None:
    assert faults(text) == [fault]


def test_faults_that_can_be_read_past_hide_nothing_behind_them() -> None:
    document = read_text("f", "a: !x 1\nb: 2\nb: 3\nc: 4\n")
    assert document.root.plain() == {"a": "1", "b": 2, "c": 4}
    assert [fault.line for fault in document.faults] == [1, 3]
    assert not document.broken


@pytest.mark.parametrize(
    ("text", "plain", "lines"),
    [
        ("hosts:\n\t- a\n", {"hosts": ["a"]}, [2]),
        ("hosts:\n  - a: 1\n\tb: 2\n", {"hosts": [{"a": 1, "b": 2}]}, [3]),
        ("hosts:\n  - {a: 1}\n\t- {a: 2}\n", {"hosts": [{"a": 1}, {"a": 2}]}, [3]),
        ("defaults:\n\thosts: 1\nhosts: 2\n", {"defaults": {"hosts": 1}, "hosts": 2}, [2]),
        ("a:\tb\n", {"a": "b"}, [1]),
        ("-\ta\n-\tb\n", ["a", "b"], [1, 2]),
        ("a: b\n\t\nc: d\n", {"a": "b", "c": "d"}, [2]),
        ('a: "x\ty"\n', {"a": "x\ty"}, []),
        ("a: b # \tc\n", {"a": "b"}, []),
    ],
)
def test_a_tab_is_a_fault_and_the_rest_is_read_as_it_was_meant(text: str, plain: object, lines: list[int]) -> None:
    document = read_text("f", text)
    assert document.root.plain() == plain
    assert [fault.line for fault in document.faults] == lines


def test_an_open_quote_is_shown_where_it_opens() -> None:
    document = read_text("f", 'a: 1\nb: "no end\nc: 2\n')
    assert document.broken
    assert (document.faults[0].line, document.faults[0].column) == (2, 4)
    assert document.faults[0].remedy == "close the quote that begins here"

import pytest

from fabric_audit.errors import ParseError
from fabric_audit.platforms.document import document

TEXT = """switch# show x | json
{
  "a": {"n": "1,798", "none": "N/A", "f": 2.5, "yes": true},
  "rows": [{"k": 1}, {"k": 2}],
  "row": {"k": 3}
}
"""


def test_values_by_kind() -> None:
    a = document(TEXT).get("a")
    assert (a.get("n").integer(), a.get("none").integer(), a.get("gone").integer()) == (1798, None, None)
    assert (a.get("f").decimal(), a.get("yes").flag(), a.get("n").text()) == (2.5, True, "1,798")


def test_one_row_stands_for_a_list_of_one() -> None:
    top = document(TEXT)
    assert [[row.need("k").integer() for row in top.get(name).rows()] for name in ("rows", "row", "none")] == [
        [1, 2],
        [3],
        [],
    ]


def test_a_place_knows_its_line() -> None:
    assert document(TEXT).get("a").line == 3


@pytest.mark.parametrize(
    ("path", "method"),
    [("f", "integer"), ("yes", "integer"), ("yes", "text"), ("n", "flag"), ("n", "rows"), ("n", "members")],
)
def test_what_is_of_another_kind_is_refused_with_its_place(path: str, method: str) -> None:
    node = document(TEXT).get("a").get(path)
    with pytest.raises(ParseError) as refused:
        list(getattr(node, method)() or ())
    assert (refused.value.line, refused.value.text.partition(":")[0]) == (3, f".a.{path}")


def test_what_is_needed_and_not_there_is_refused() -> None:
    with pytest.raises(ParseError, match="a member x or y"):
        document(TEXT).need("x", "y")

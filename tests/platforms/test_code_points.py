import pytest

from fabric_audit.errors import ParseError
from fabric_audit.platforms.code_points import DSCP_NAMES, PCPS, code_points


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("26", (26,)),
        ("24-27", (24, 25, 26, 27)),
        ("8 9 10", (8, 9, 10)),
        ("1,3,5-7", (1, 3, 5, 6, 7)),
        ("af31 ef cs6", (26, 46, 48)),
    ],
)
def test_values(text: str, values: tuple[int, ...]) -> None:
    assert code_points(text, 1) == values


@pytest.mark.parametrize("text", ["64", "x", "", "1-", "3.5", "-1"])
def test_what_is_no_dscp_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        code_points(text, 4)


def test_priorities_have_no_names_and_end_at_7() -> None:
    assert code_points("0-7", 1, PCPS) == tuple(range(8))
    with pytest.raises(ParseError):
        code_points("8", 1, PCPS)
    with pytest.raises(ParseError):
        code_points("ef", 1, PCPS)


def test_assured_forwarding_follows_rfc_2597() -> None:
    assert (DSCP_NAMES["af11"], DSCP_NAMES["af33"], DSCP_NAMES["af43"]) == (10, 30, 38)

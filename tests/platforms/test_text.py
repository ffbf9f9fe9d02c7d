import pytest

from fabric_audit.errors import ParseError
from fabric_audit.platforms.text import decimal, integer


@pytest.mark.parametrize(
    ("text", "value"), [("1798", 1798), ("1,798", 1798), ("46,497,254", 46497254), (" 7 ", 7), ("N/A", None)]
)
def test_a_whole_number_may_have_its_thousands_apart(text: str, value: int | None) -> None:
    assert integer(text, 1) == value


@pytest.mark.parametrize("text", ["99,5", "1,2,3", "1,23,456", "1.234", "1.234.567", ",5", "1 234", "9" * 41])
def test_no_other_comma_stands_in_a_whole_number(text: str) -> None:
    with pytest.raises(ParseError):
        integer(text, 1)


@pytest.mark.parametrize(("text", "value"), [("0.5", 0.5), ("1,234.5", 1234.5), ("1.5E-254", 1.5e-254), ("7", 7.0)])
def test_a_decimal_number_has_a_point(text: str, value: float) -> None:
    assert decimal(text, 1) == value


@pytest.mark.parametrize("text", ["41,25", "1,234", "98,123", "2,17e-09", "1.234,5"])
def test_a_comma_alone_may_be_the_point_of_another_locale(text: str) -> None:
    with pytest.raises(ParseError):
        decimal(text, 1)

import pytest

from fabric_audit.errors import ParseError
from fabric_audit.platforms.columns import columns

HEADER = "Port       Status  Note"


def test_cells_may_be_empty_or_hold_blanks() -> None:
    table = columns(HEADER, ("Port", "Status", "Note"))
    assert table is not None
    assert table.cells("Et1        D - -   some words", 1) == {"Port": "Et1", "Status": "D - -", "Note": "some words"}
    assert table.cells("Et2                fine", 1) == {"Port": "Et2", "Status": "", "Note": "fine"}
    assert table.cells("Et3", 1) == {"Port": "Et3", "Status": "", "Note": ""}


def test_a_cell_that_crosses_a_column_is_refused() -> None:
    table = columns(HEADER, ("Port", "Status", "Note"))
    assert table is not None
    with pytest.raises(ParseError):
        table.cells("Ethernet10/1/1 D - -", 7)


def test_another_header_is_none() -> None:
    assert columns("Status Port Note", ("Port", "Status")) is None

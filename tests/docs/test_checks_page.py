"""The page of checks is what the checks say."""

import pytest

from fabric_audit.checks.model import Check, all_checks
from tests.docs.write_checks import PAGE, page


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make docs`"


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.id)
def test_a_manual_says_what_why_and_how_to_mend(check: Check) -> None:
    assert check.title
    for heading in ("\nWhy: ", "\nFix: "):
        assert heading in check.manual

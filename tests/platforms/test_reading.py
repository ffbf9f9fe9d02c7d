"""What becomes of a section's answers, whatever its parser."""

from collections.abc import Iterator

import pytest

from fabric_audit.facts.counters import Counter
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Section, Skipped, Why
from fabric_audit.platforms.reading import Reading, read

ROW = Counter(port="eth2", name="rx_discards_phy", value=7, line=3)


def reading(*answers: Answer) -> Reading:
    def parse(_output: Output) -> Iterator[Answer]:
        yield from answers

    section = Section(
        name="invented", ask=None, parse=parse, yields=(Counter,), proven=Provenance.CONSTRUCTED, kind="hosts"
    )
    return read(section, Output("what it printed\n"))


def test_facts_with_lines_left_out_are_a_partial_answer() -> None:
    told = reading(ROW, Skipped(9, "noise", "a counter"))
    assert (told.state, told.facts) == ("partial", (ROW,))


def test_an_answer_of_skipped_lines_alone_is_not_understood() -> None:
    told = reading(Skipped(9, "noise", "a counter"), Skipped(11, "more", "a counter"))
    assert (told.state, told.reason) == ("parse_error", "line 9: 'noise': expected a counter")


def test_no_answer_at_all_is_never_passed_over_in_silence() -> None:
    told = reading()
    assert (told.state, told.facts) == ("parse_error", ())
    assert "what it printed" in told.reason


@pytest.mark.parametrize(("why", "state"), [(Why.ABSENT, "parsed"), (Why.NOT_SUPPORTED, "not_supported")])
def test_a_table_that_is_missing_is_an_answer(why: Why, state: str) -> None:
    assert reading(Missing("counter", why, "its words")).state == state


def test_a_number_that_no_register_holds_is_left_out() -> None:
    told = reading(ROW, Counter(port="eth2", name="rx_bytes", value=10**30, line=4))
    assert (told.state, told.facts) == ("partial", (ROW,))
    assert told.skipped[0].line == 4

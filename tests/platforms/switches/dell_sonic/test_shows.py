from pathlib import Path

from fabric_audit.facts.tables import row
from fabric_audit.platforms.model import Cli, Output, When
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections, sections_of

HERE = Path(__file__).parent


def test_a_watchdog_whose_counters_nobody_polls_is_blind() -> None:
    text = (HERE / "show-priority-flow-control-watchdog" / "blind.txt").read_text("utf-8")
    (poll,) = read(all_sections()["dell_sonic:show-priority-flow-control-watchdog"], Output(text, rc=None)).facts
    assert row(poll) == {"group": "PFC_WD", "enabled": False, "interval_s": 0.2}


def test_the_shell_is_asked_first_and_the_command_line_only_on_request() -> None:
    asked = {s.name: s for s in sections_of("switches", "dell_sonic") if isinstance(s.ask, Cli)}
    klish = {name for name, s in asked.items() if isinstance(s.ask, Cli) and s.ask.text.startswith("sonic-cli")}
    assert klish
    assert {asked[name].when for name in klish} == {When.REQUEST}
    assert {"config-db", "show-pfc-counters", "show-queue-counters", "show-lldp-table"} <= asked.keys() - klish


def test_what_both_kinds_of_sonic_share_is_read_alike() -> None:
    for section in sections_of("switches", "dell_sonic"):
        other = all_sections().get(f"sonic:{section.name}")
        if other:
            for text in HERE.glob(f"{section.name}/*.txt"):
                output = Output(text.read_text("utf-8"), rc=None)
                assert read(section, output) == read(other, output)
            assert (section.ask, section.when, section.yields) == (other.ask, other.when, other.yields)
            assert section.manual == other.manual


def test_a_refusal_of_the_command_line_is_not_supported() -> None:
    words = '% Error: Invalid input detected at "^" marker.\n'
    found = read(all_sections()["dell_sonic:show-buffer-pool"], Output(words, rc=None))
    assert found.state == "not_supported"

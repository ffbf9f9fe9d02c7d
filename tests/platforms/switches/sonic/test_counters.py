from pathlib import Path

from fabric_audit.facts.tables import row
from fabric_audit.platforms.model import Output, When
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections, sections_of

SINCE_CLEAR = {
    "show-pfc-counters": "Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7",
    "show-queue-counters": "Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes",
    "show-interfaces-counters": "IFACE    STATE    RX_OK    RX_DRP    TX_OK    TX_DRP",
}


def test_a_zero_of_a_user_who_cleared_is_never_called_absolute() -> None:
    values = {"Port Rx": "Ethernet0", "Port": "Ethernet0", "IFACE": "Ethernet0", "TxQ": "UC3", "STATE": "U"}
    for name, titles in SINCE_CLEAR.items():
        columns = titles.replace("Port Rx", "Port_Rx").split()
        cells = [values.get(column.replace("_Rx", " Rx"), "0") for column in columns]
        widths = [max(len(column), len(cell)) + 2 for column, cell in zip(columns, cells, strict=True)]
        lines = [
            "Last cached time was 2026-03-02 08:14:51",
            "  ".join(c.replace("_Rx", " Rx").rjust(w) for c, w in zip(columns, widths, strict=True)),
            "  ".join("-" * width for width in widths),
            "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)),
        ]
        found = read(all_sections()[f"sonic:{name}"], Output("\n".join(lines) + "\n", rc=None))
        assert found.facts, found.reason
        assert {row(fact)["scope"] for fact in found.facts} == {"since_clear"}


def test_counters_say_how_old_they_can_be() -> None:
    refresh = {"show-pfc-counters": 1.0, "show-queue-counters": 10.0, "show-priority-group-drop-counters": 10.0}
    for name, seconds in refresh.items():
        text = (Path(__file__).parent / name / "broken.txt").read_text("utf-8")
        found = read(all_sections()[f"sonic:{name}"], Output(text, rc=None))
        assert {row(fact)["refresh_s"] for fact in found.facts} == {seconds}


def test_nothing_heavy_is_asked_around_rounds() -> None:
    asked = [section for section in sections_of("switches", "sonic") if section.when is When.COUNTERS]
    assert asked
    assert not any(getattr(section.ask, "heavy", False) for section in asked)

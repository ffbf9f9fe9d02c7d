"""Names in a configuration lead somewhere."""

from fabric_audit.checks.qos import references_hold
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.findings import CoverageRow
from tests.checks.judging import findings

READ = tuple(
    CoverageRow(target=name, phase="baseline", section="x", tables=("broken_reference",), state="parsed")
    for name in ("leaf1", "leaf2")
)


def test_a_map_that_nobody_defined() -> None:
    some = [
        BrokenReference(owner=f"Ethernet{n}", field="dscp_to_tc_map", target="DSCP_TO_TC_MAP ROCE") for n in range(5)
    ]
    found = {f.subject: f for f in findings(references_hold, {"leaf1": some}, coverage=READ)}
    assert {subject: f.verdict.name for subject, f in found.items()} == {
        ("leaf1", "dscp_to_tc_map DSCP_TO_TC_MAP ROCE"): "FAIL",
        ("leaf2",): "PASS",
    }
    message = found["leaf1", "dscp_to_tc_map DSCP_TO_TC_MAP ROCE"].message
    assert message.startswith(
        "Ethernet0, Ethernet1, Ethernet2 and others name DSCP_TO_TC_MAP ROCE, which does not exist"
    )


def test_a_switch_that_did_not_answer_passes_nothing() -> None:
    assert findings(references_hold, {}) == []

"""Switches of a role have equally many links to others."""

from fabric_audit.checks.links import uplinks_complete
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import Link, Target
from fabric_audit.facts.ports import Interface
from tests.checks.judging import findings, verdicts


def clos(*missing: tuple[str, str], leaves: int = 3) -> dict[str, list[Fact]]:
    names = [f"leaf{n}" for n in range(1, leaves + 1)]
    found: dict[str, list[Fact]] = {name: [Target(kind="switch", role="leaf")] for name in names}
    found |= {name: [Target(kind="switch", role="spine")] for name in ("spine1", "spine2")}
    for leaf in names:
        for spine in ("spine1", "spine2"):
            if (leaf, spine) not in missing:
                cable = Link(a_target=leaf, a_port=spine, b_target=spine, b_port=leaf, by="lldp", role="fabric")
                found[leaf].append(cable)
    return found


def test_all_alike() -> None:
    assert set(verdicts(uplinks_complete, clos()).values()) == {"PASS"}


def test_one_uplink_missing() -> None:
    found = verdicts(uplinks_complete, clos(("leaf2", "spine1")))
    assert {name for name, verdict in found.items() if verdict == "FAIL"} == {"leaf2", "spine1"}


def test_a_port_that_is_dark_is_named() -> None:
    seen = clos(("leaf2", "spine1"))
    seen["leaf2"].append(Interface(port="spine1", admin_up=True, oper_up=False, kind="physical"))
    (leaf,) = [f for f in findings(uplinks_complete, seen) if f.subject == ("leaf2",)]
    assert "without link: spine1" in leaf.message


def test_no_peer_to_compare_with() -> None:
    assert verdicts(uplinks_complete, {"leaf1": [Target(kind="switch", role="leaf")]}) == {"leaf1": "SKIPPED"}


def test_no_switch_sees_another() -> None:
    alone = {f"leaf{n}": [Target(kind="switch", role="leaf")] for n in (1, 2)}
    assert set(verdicts(uplinks_complete, alone).values()) == {"UNKNOWN"}

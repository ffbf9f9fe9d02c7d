"""NICs are cabled by rail, by rack, to two leaves, or to the leaves of their plane."""

from collections.abc import Iterable

import pytest

from fabric_audit.checks.links import wired_as_declared
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import Fabric, FabricPort, IntendedNic, Link
from tests.checks.judging import verdicts


def pod(wiring: str, cables: Iterable[tuple[str, int, str | None]], **nic: object) -> dict[str, list[Fact]]:
    """``cables``: host, rail, leaf or None for a cable that leads nobody knows where."""
    found: dict[str, list[Fact]] = {"pod": [Fabric(name="pod", wiring=wiring)]}
    for host, rail, leaf in cables:
        port = f"rdma{rail}"
        plane = rail % 2 if nic.get("planes") else None
        bond = "bond0" if nic.get("bond") else None
        facts = found.setdefault(host, [])
        facts.append(FabricPort(port=port, side="nic", rail=rail))
        facts.append(IntendedNic(nic=port, netdev=port, rail=rail, role="compute", plane=plane, bond=bond))
        if leaf:
            facts.append(Link(a_target=host, a_port=port, b_target=leaf, b_port=f"{host}-{rail}", by="lldp"))
    return found


def hosts(number: int) -> list[str]:
    return [f"h{n}" for n in range(1, number + 1)]


def by_rail(number: int) -> list[tuple[str, int, str | None]]:
    return [(host, rail, f"leaf{rail}") for host in hosts(number) for rail in (0, 1)]


def test_rails_on_their_leaves() -> None:
    assert set(verdicts(wired_as_declared, pod("rail", by_rail(4))).values()) == {"PASS"}


def test_two_cables_swapped() -> None:
    cables = [(h, r, f"leaf{1 - r}" if h == "h2" else leaf) for h, r, leaf in by_rail(4)]
    found = verdicts(wired_as_declared, pod("rail", cables))
    assert {name for name, verdict in found.items() if verdict == "FAIL"} == {"h2/rdma0", "h2/rdma1"}


def test_several_units_without_names_are_no_fault() -> None:
    cables = [(h, r, f"leaf{r}-{'a' if h in hosts(4) else 'b'}") for h, r, _ in by_rail(8)]
    assert set(verdicts(wired_as_declared, pod("rail", cables)).values()) == {"PASS"}


def test_a_leaf_that_serves_several_rails_alike() -> None:
    cables = [(h, r, "leaf0") for h, r, _ in by_rail(4)]
    assert set(verdicts(wired_as_declared, pod("rail", cables)).values()) == {"PASS"}


def test_a_leaf_that_nobody_knows() -> None:
    found = verdicts(wired_as_declared, pod("rail", [*by_rail(3), ("h9", 0, None)]))
    assert found["h9/rdma0"] == "UNKNOWN"


def test_a_rack() -> None:
    cables = [("h1", rail, "leaf1") for rail in range(3)]
    assert verdicts(wired_as_declared, pod("rack", [*cables, ("h1", 3, "leaf2")])) == {
        "h1/rdma0": "PASS",
        "h1/rdma1": "PASS",
        "h1/rdma2": "PASS",
        "h1/rdma3": "FAIL",
    }


@pytest.mark.parametrize(("second", "verdict"), [("leaf2", "PASS"), ("leaf1", "FAIL"), (None, "UNKNOWN")])
def test_two_leaves_for_a_bond(second: str | None, verdict: str) -> None:
    seen = pod("dual-tor", [("h1", 0, "leaf1"), ("h1", 1, second)], bond=True)
    assert verdicts(wired_as_declared, seen) == {"h1/rdma0": "PASS", "h1/rdma1": verdict}


def test_planes_keep_to_their_leaves() -> None:
    assert set(verdicts(wired_as_declared, pod("dual-plane", by_rail(4), planes=True)).values()) == {"PASS"}
    crossed = [(h, r, "leaf0" if (h, r) == ("h1", 1) else leaf) for h, r, leaf in by_rail(4)]
    found = verdicts(wired_as_declared, pod("dual-plane", crossed, planes=True))
    assert {name for name, verdict in found.items() if verdict == "FAIL"} == {"h1/rdma1"}


def test_nothing_is_declared() -> None:
    assert set(verdicts(wired_as_declared, pod("free", by_rail(2))).values()) == {"SKIPPED"}

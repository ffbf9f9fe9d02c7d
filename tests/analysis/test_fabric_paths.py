"""Cables behind a leaf in order of distance, each crossed once and away from the NIC."""

from fabric_audit.analysis.fabric_paths import Step, fabric_paths
from fabric_audit.facts.intent import Link


def cable(a: str, a_port: str, b: str, b_port: str, role: str = "fabric") -> Link:
    return Link(a_target=a, a_port=a_port, b_target=b, b_port=b_port, role=role)


LINKS = [
    cable("h1", "rdma0", "leaf1", "d1", "host"),
    cable("leaf1", "u1", "spine1", "d1"),
    cable("leaf1", "u2", "spine2", "d1"),
    cable("leaf2", "u1", "spine1", "d2"),
    cable("leaf2", "u2", "spine2", "d2"),
    cable("leaf1", "peer", "leaf2", "peer"),
]


def test_a_clos() -> None:
    steps = fabric_paths(LINKS[:-1]).beyond("leaf1")
    assert steps == (
        Step(1, ("leaf1", "u1"), ("spine1", "d1")),
        Step(1, ("leaf1", "u2"), ("spine2", "d1")),
        Step(2, ("spine1", "d2"), ("leaf2", "u1")),
        Step(2, ("spine2", "d2"), ("leaf2", "u2")),
    )


def test_a_shortcut_is_the_nearer_way() -> None:
    hops = {step.far[0]: step.hop for step in fabric_paths(LINKS).beyond("leaf1")}
    assert hops == {"spine1": 1, "spine2": 1, "leaf2": 1}


def test_a_leaf_alone() -> None:
    paths = fabric_paths(LINKS[:1])
    assert paths.beyond("leaf1") == ()
    assert paths.opposite["h1", "rdma0"] == ("leaf1", "d1")

"""Symptoms are folded under their cause: at the same port, over the cable, or of the target as a whole."""

from graphlib import TopologicalSorter

import pytest

from fabric_audit.checks.causes import CAUSES, SHARED, explained
from fabric_audit.checks.model import all_checks
from fabric_audit.facts.intent import FabricPort, Link, Target
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.facts.tables import frames
from fabric_audit.findings import Finding, Result, Severity, Verdict
from tests.checks.judging import stamped

TABLES = frames(
    stamped(
        {
            "h1": [
                Target(kind="host"),
                FabricPort(port="rdma0", side="nic", rail=0),
                RdmaPort(device="mlx5_0", port=1, netdev="rdma0"),
                Link(a_target="h1", a_port="rdma0", b_target="leaf1", b_port="down1", role="host"),
            ],
            "h2": [Target(kind="host"), FabricPort(port="rdma0", side="nic", rail=0)],
            "leaf1": [
                Target(kind="switch"),
                FabricPort(port="down1", side="host"),
                FabricPort(port="up1", side="fabric"),
            ],
        }
    )
)


def causes(*ids: str, verdict: Verdict = Verdict.FAIL) -> dict[str, str]:
    """Failing findings by their ids → what each is explained by."""
    results = []
    for one in ids:
        check, _, subject = one.partition(":")
        finding = Finding(check=check, verdict=verdict, subject=tuple(subject.split("/")), message="")
        results.append(
            Result(check=check, title="", manual="", verdict=verdict, severity=Severity.MAJOR, findings=(finding,))
        )
    return {f.id: f.explained_by for result in explained(results, TABLES) for f in result.findings}


@pytest.mark.parametrize(
    ("symptom", "cause"),
    [
        ("ecn.marks-on-lossless-queue:leaf1/down1", "qos.dscp-is-lossless:leaf1/down1"),
        ("ecn.marks-on-lossless-queue:leaf1/down1", "qos.dscp-is-lossless:leaf1"),
        ("ecn.marks-on-lossless-queue:leaf1", "qos.dscp-is-lossless:leaf1"),
        ("counters.lossy-nic:h1/rail 0", "counters.no-wire-errors:leaf1/down1"),
        ("counters.lossy-nic:h1/rail 0", "counters.no-wire-errors:h1/rdma0"),
        ("performance.slow-nic:h1/rail 0", "links.nic-active:h1/mlx5_0"),
        ("performance.line-rate:h2/rail 0/h1/ib_write_bw/host", "performance.slow-nic:h1/rail 0"),
        ("topology.same-shape:h1", "gpu.nvlink-map:h1/GPU0/GPU1"),
        ("gpu.peer-access:h1/GPU0/GPU1", "gpu.nvlink-map:h1/GPU0/GPU1"),
        ("pfc.same-on-both-ends:h1/rdma0/leaf1/down1", "pfc.enabled-on-lossless-priority:leaf1/down1"),
    ],
)
def test_a_symptom_names_its_cause(symptom: str, cause: str) -> None:
    assert causes(symptom, cause) == {symptom: cause, cause: ""}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ecn.marks-on-lossless-queue:leaf1/down1", "qos.dscp-is-lossless:leaf1/up1"),
        ("ecn.marks-on-lossless-queue:leaf1", "qos.dscp-is-lossless:leaf1/up1"),
        ("performance.slow-nic:h2/rail 0", "links.nic-active:h1/mlx5_0"),
        ("gpu.peer-access:h1/GPU0/GPU1", "gpu.nvlink-map:h1/GPU2/GPU3"),
        ("topology.same-shape:h2", "gpu.nvlink-map:h1/GPU0/GPU1"),
        ("pfc.enabled-on-lossless-priority:leaf1/down1", "performance.slow-nic:h1/rail 0"),
    ],
)
def test_what_touches_no_common_place_is_no_cause(one: str, other: str) -> None:
    assert causes(one, other) == {one: "", other: ""}


def test_only_a_failure_is_a_cause() -> None:
    ids = ("ecn.marks-on-lossless-queue:leaf1/down1", "qos.dscp-is-lossless:leaf1/down1")
    assert set(causes(*ids, verdict=Verdict.UNKNOWN).values()) == {""}


def test_one_cable_is_one_finding() -> None:
    first, second = "counters.no-wire-errors:h1/rdma0", "counters.no-wire-errors:leaf1/down1"
    assert causes(first, second) == {first: "", second: first}


def test_one_pair_is_one_finding() -> None:
    tests = [f"performance.slow-nic:h1/rail 0/h2/{tool}/host" for tool in ("ib_send_bw", "ib_write_bw")]
    back = "performance.slow-nic:h2/rail 0/h1/ib_write_bw/host"
    assert causes(*tests, back) == {tests[0]: "", tests[1]: tests[0], back: tests[0]}


def test_a_cause_that_is_not_there_is_forgotten() -> None:
    finding = Finding(
        check="chain.lossless", verdict=Verdict.FAIL, subject=("h1",), message="", explained_by="links.mtu:h1/rdma0"
    )
    result = Result(
        check="chain.lossless", title="", manual="", verdict=Verdict.FAIL, severity=Severity.MAJOR, findings=(finding,)
    )
    ((found,),) = [one.findings for one in explained([result], TABLES)]
    assert found.explained_by == ""


def test_the_table_names_checks_that_exist() -> None:
    named = {*CAUSES, *SHARED, *(cause for some in CAUSES.values() for cause in some)}
    assert named <= {check.id for check in all_checks()}


def test_nothing_causes_itself_in_a_circle() -> None:
    graph = {symptom: [cause for cause in some if cause != symptom] for symptom, some in CAUSES.items()}
    assert list(TopologicalSorter(graph).static_order())

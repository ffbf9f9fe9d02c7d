"""Before and after: for each of ten changes the diff says exactly that one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fabric_audit.diff import compare
from fabric_audit.findings import Audit, Comparison, Turn, Verdict
from fabric_audit.policy.load import load_policy
from fabric_audit.simulator.fabric import Fabric
from tests.diff.pods import BRIEF, judged

Changed = set[tuple[tuple[str, ...], str, str, str]]


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """A healthy pod without traffic."""
    return judged(tmp_path_factory.mktemp("quiet"))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """A healthy pod under load."""
    return judged(tmp_path_factory.mktemp("loaded"), traffic=BRIEF)


def changed(comparison: Comparison) -> Changed:
    return {(c.subject, c.field or c.table, c.before, c.after) for c in comparison.changes}


def failing(turns: tuple[Turn, ...]) -> set[tuple[str, str]]:
    """Check and component of what fails for its own sake."""
    return {(t.finding.check, "/".join(t.finding.subject)) for t in turns if not t.finding.explained_by}


def parts(comparison: Comparison) -> set[str]:
    """Which parts of a comparison say anything."""
    names = ("differences", "new", "fixed", "still", "unsettled", "renamed", "changes", "paces", "shifts")
    return {name for name in (*names, "lost", "gained") if getattr(comparison, name)}


def test_nothing_changed(quiet: Audit, tmp_path: Path) -> None:
    again = compare(quiet, judged(tmp_path))
    assert again.nothing
    assert parts(again) == set()


def test_a_switch_was_upgraded(quiet: Audit, tmp_path: Path) -> None:
    found = compare(quiet, judged(tmp_path, edits=[("spine01", "4.31.2F", "4.32.0F")]))
    assert changed(found) == {(("spine01",), "os_version", "4.31.2F", "4.32.0F")}
    assert parts(found) == {"changes"}


def test_leaves_were_upgraded_and_call_their_ports_by_other_names(quiet: Audit, tmp_path: Path) -> None:
    found = compare(quiet, judged(tmp_path, edits=[("*", r"Ethernet(\d+)(?![\d/])", r"Ethernet100\1")]))
    renamed = {change.subject: change.before for change in found.renamed}
    assert renamed == {
        (leaf, f"Ethernet100{n}"): f"Ethernet{n}" for leaf in ("leaf01", "leaf02") for n in range(0, 80, 8)
    }
    assert {change.field for change in found.changes} == {"description"}  # the pod writes port names into them
    assert parts(found) == {"renamed", "changes"}


def test_a_pfc_profile_was_edited(quiet: Audit, tmp_path: Path) -> None:
    edited = judged(tmp_path, "wrong-priority@leaf01/Ethernet8")
    found = compare(quiet, edited)
    assert failing(found.new) == {("pfc.enabled-on-lossless-priority", "leaf01/Ethernet8")}
    assert (("leaf01", "Ethernet8"), "admin_priorities", "3", "4") in changed(found)
    assert {change.subject[:2] for change in found.changes} == {("leaf01", "Ethernet8")}
    assert parts(found) == {"new", "changes"}
    back = compare(edited, quiet)
    assert failing(back.fixed) == failing(found.new)
    assert parts(back) == {"fixed", "changes"}


def swapped(fabric: Fabric) -> None:
    one, other = (fabric.leaf_port(fabric.hosts[name].nics[0]) for name in ("gpu001", "gpu002"))
    one.peer, other.peer = other.peer, one.peer


def test_cables_were_moved(quiet: Audit, tmp_path: Path) -> None:
    found = compare(quiet, judged(tmp_path, change=swapped))
    assert {one for one in changed(found) if one[1] == "peer"} == {
        (("gpu001", "rail0"), "peer", "leaf01 Ethernet0", "leaf01 Ethernet8"),
        (("gpu002", "rail0"), "peer", "leaf01 Ethernet8", "leaf01 Ethernet0"),
    }
    described = {one[0] for one in changed(found) if one[1] != "peer"}
    assert described == {("leaf01", "Ethernet0"), ("leaf01", "Ethernet8")}
    assert parts(found) == {"changes"}


def replaced(fabric: Fabric) -> None:
    fabric.hosts["gpu002"].nics[0].mac = "02:00:5e:aa:00:02"


def test_a_nic_was_replaced(quiet: Audit, tmp_path: Path) -> None:
    found = compare(quiet, judged(tmp_path, change=replaced))
    assert (("gpu002", "rail0"), "mac", "02:00:5e:00:00:02", "02:00:5e:aa:00:02") in changed(found)
    assert {change.subject[:2] for change in found.changes} == {("gpu002", "rail0"), ("gpu002", "mlx5_0")}
    assert {change.table for change in found.changes} == {"interface", "rdma_device", "gid"}
    assert parts(found) == {"changes"}


def test_a_host_was_added(quiet: Audit, tmp_path: Path) -> None:
    without = judged(tmp_path, limit="gpu001,leaf[01-02],spine[01-02]")
    found = compare(without, quiet)
    assert [(d.what, d.before, d.after) for d in found.differences] == [
        ("host gpu002 added", "not there", "in the inventory")
    ]
    assert parts(found) == {"differences"}
    gone = compare(quiet, without)
    assert [d.what for d in gone.differences] == ["host gpu002 removed"]
    assert parts(gone) == {"differences"}


def test_a_gpudirect_module_was_lost(loaded: Audit, tmp_path: Path) -> None:
    found = compare(loaded, judged(tmp_path, "gdr-module-missing@gpu002", traffic=BRIEF))
    assert failing(found.new) == {("gdr.possible", "gpu002")}
    assert (("gpu002", "peermem"), "available", "yes", "no") in changed(found)
    assert {change.subject[0] for change in found.changes} == {"gpu002"}
    assert {told.subject[:2] for told in found.lost} == {("gpu001", "gpu002"), ("gpu002", "gpu001")}
    assert all("gpu memory" in told.what for told in found.lost)
    assert parts(found) == {"new", "changes", "lost"}


def test_a_threshold_was_changed_on_a_switch(quiet: Audit, tmp_path: Path) -> None:
    found = compare(quiet, judged(tmp_path, edits=[("spine01", "150 kbytes", "300 kbytes")]))
    assert {(one[1], one[2], one[3]) for one in changed(found)} >= {("ecn_min_bytes", "150,000 bytes", "300,000 bytes")}
    assert {one[1] for one in changed(found)} <= {"ecn_min_bytes", "ecn_raw"}
    assert {change.subject[0] for change in found.changes} == {"spine01"}
    assert parts(found) == {"changes"}


def test_a_threshold_was_changed_in_the_policy(quiet: Audit) -> None:
    policy = load_policy("roce-lossless")
    lower = replace(policy, design=replace(policy.design, bandwidth_floor=0.9))
    found = compare(quiet, quiet, (policy, lower))
    assert [(d.what, d.before, d.after) for d in found.differences] == [
        ("policy: design.bandwidth_floor", "0.95", "0.9")
    ]
    assert parts(found) == {"differences"}


def slowed(share: float, *hosts: str) -> Callable[[Fabric], None]:
    def change(fabric: Fabric) -> None:
        for host in hosts:
            for nic in fabric.hosts[host].nics:
                nic.factor = share

    return change


def test_noise_is_no_change_and_more_than_noise_is_one(loaded: Audit, tmp_path: Path) -> None:
    noisy = compare(loaded, judged(tmp_path / "noisy", change=slowed(0.98, "gpu001", "gpu002"), traffic=BRIEF))
    assert noisy.nothing
    slower = compare(loaded, judged(tmp_path / "slower", change=slowed(0.8, "gpu002"), traffic=BRIEF))
    assert {shift.name for shift in slower.shifts} == {"bandwidth_bps"}
    assert all("gpu002" in shift.subject and shift.share == pytest.approx(-0.2, abs=0.01) for shift in slower.shifts)
    assert parts(slower) == {"new", "shifts", "paces"}
    assert all("priority 3" in pace.subject or "prio3_pause" in pace.name for pace in slower.paces), (
        "it asks for pauses"
    )


def test_evidence_was_lost(quiet: Audit, tmp_path: Path) -> None:
    dark = judged(tmp_path, "down@gpu002")
    found = compare(quiet, dark)
    assert {told.subject[0] for told in found.lost} == {"gpu002", quiet.fabric}
    assert {told.why for told in found.lost if told.subject == ("gpu002",)} == {
        "gpu002: connection refused; check that sshd runs there"
    }
    assert parts(found) == {"lost"}
    back = compare(dark, quiet)
    assert {told.subject for told in back.gained} == {("gpu002",)}
    assert parts(back) == {"gained"}


def test_what_failed_on_a_host_that_says_nothing_now_is_not_fixed(tmp_path: Path) -> None:
    before = judged(tmp_path / "before", "nic-pfc-off@gpu002/rail1")
    found = compare(before, judged(tmp_path / "after", "down@gpu002"))
    assert failing(found.unsettled) == {("pfc.enabled-on-lossless-priority", "gpu002/rail1")}
    assert {turn.why for turn in found.unsettled if not turn.finding.explained_by} == {"its PFC is not known"}
    assert found.fixed == ()
    removed = judged(tmp_path / "removed", limit="gpu001,leaf[01-02],spine[01-02]")
    without = compare(before, removed)
    assert {turn.why for turn in without.unsettled} >= {"gpu002 is not in the inventory any more"}
    assert without.fixed == ()


def test_what_fails_in_both_is_neither_new_nor_fixed(tmp_path: Path) -> None:
    wrong = judged(tmp_path, "ecn-off@leaf02")
    found = compare(wrong, wrong)
    assert failing(found.still) == {("ecn.marks-on-lossless-queue", "leaf02")}
    assert all(turn.was is Verdict.FAIL for turn in found.still)
    assert found.nothing

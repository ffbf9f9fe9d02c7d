"""What a pod has becomes a policy: what most agree on with its count, odd ones named, nothing learned of a tie."""

from pathlib import Path

import pytest

from fabric_audit.api.judging import audit_capture
from fabric_audit.audit.learned import Learned, as_policy, learned
from fabric_audit.cli import ExitCode, run
from fabric_audit.findings import Audit
from fabric_audit.policy.load import load_policy
from tests.simulated import NO_TRAFFIC, collected


@pytest.fixture(scope="module")
def pod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    faults = ("wrong-priority@leaf01/Ethernet0", "trust-pcp@gpu002/rail0")
    return collected(tmp_path_factory.mktemp("pod"), "clos-2x2", *faults, traffic=NO_TRAFFIC).folder


def audited(pod: Path) -> Audit:
    return audit_capture(pod, select=("evidence.delivered",))


def found(pod: Path) -> dict[str, Learned]:
    return {one.name: one for one in learned(audited(pod).tables, load_policy("roce-lossless"))}


def test_what_most_ports_have_is_learned_and_the_odd_one_is_named(pod: Path) -> None:
    values = found(pod)
    assert values["lossless_priorities"].value == (3,)
    assert values["lossless_priorities"].odd == {("leaf01", "Ethernet0"): (4,)}
    assert values["trust_mode"].odd == {("gpu002", "rail0"): "pcp"}
    assert values["ecn_min_bytes"].value == 150_000
    assert values["max_read_request_bytes"].value == 4096


def test_it_loads_as_a_policy_that_says_where_each_value_is_from(
    pod: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["policy", "learn", str(pod)]) == ExitCode.CLEAN
    text = capsys.readouterr().out
    assert "  # leaf01 Ethernet0 has [4]\n" in text
    written = tmp_path / "pod.yaml"
    written.write_text(text, "utf-8")
    policy = load_policy(str(written))
    assert policy.design.lossless_priorities == (3,)
    origin = policy.origins["design.lossless_priorities"]
    assert origin.source.startswith("learned from 2026")
    assert origin.source.endswith(": 39 of 40 agree")
    assert policy.design.cnp_strict == load_policy("roce-lossless").design.cnp_strict


def test_a_tie_is_not_learned(pod: Path) -> None:
    tie = Learned("host_mtu_bytes", None, {("h1", "eth0"): 9000, ("h2", "eth0"): 1500})
    text = as_policy(audited(pod), [tie], "run")
    assert "# host_mtu_bytes is not learned: 1 have 9000, 1 have 1500" in text
    assert "\n  host_mtu_bytes" not in text

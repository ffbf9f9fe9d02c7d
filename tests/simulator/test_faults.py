"""Every named fault shows in what its target prints, and in what nobody else prints."""

from collections.abc import Mapping
from functools import cache

import pytest

from fabric_audit.errors import DeadlineError, HostKeyError, LoginError, UnreachableError
from fabric_audit.simulator.cabling import UnknownPodError
from fabric_audit.simulator.faults import FAULTS, HARMLESS, UnknownFaultError, places
from fabric_audit.simulator.pod import SimulatedPod
from tests.simulator.answers import everything

POD = "clos-2x2"
SHOWN = {
    "nic-pfc-off@gpu002/rail1": {"mlnx_qos", "ethtool-S"},
    "switch-pfc-off@leaf01/Ethernet8": {"sonic:config-db", "sonic:show-pfc-priority"},
    "switch-pfc-off@spine01/Ethernet1/1": {"arista_eos:running-config", "arista_eos:show-priority-flow-control"},
    "wrong-priority@leaf01/Ethernet8": {"sonic:config-db", "sonic:show-pfc-priority"},
    "wrong-priority@spine01/Ethernet1/1": {"arista_eos:running-config", "arista_eos:show-priority-flow-control"},
    "ecn-off@leaf02": {"sonic:config-db"},
    "ecn-off@leaf02/Ethernet0": {"sonic:config-db"},
    "ecn-off@spine01": {"arista_eos:running-config"},
    "dscp-unmapped@leaf01": {"sonic:config-db"},
    "dscp-unmapped@spine02": {"arista_eos:running-config"},
    "watchdog-off@leaf01/Ethernet8": {"sonic:config-db", "sonic:show-pfcwd-config", "sonic:show-pfcwd-stats"},
    "watchdog-off@spine01/Ethernet1/1": {"arista_eos:running-config", "arista_eos:show-priority-flow-control"},
    "uplink-without-session@spine01/Ethernet1/1": {
        "arista_eos:show-ip-bgp-summary-json",
        "arista_eos:show-ip-route-json",
    },
    "trust-pcp@gpu002/rail0": {"mlnx_qos", "qos-sysfs"},
    "dcqcn-off@gpu002/rail0": {"ecn-sysfs"},
    "traffic-class-override@gpu002/rail0": {"sysfs-rdma"},
    "mtu-mismatch@leaf01/Ethernet8": {"sonic:config-db", "sonic:show-interfaces-status"},
    "mtu-mismatch@spine01/Ethernet1/1": {"arista_eos:running-config", "arista_eos:show-interfaces-json"},
    "gdr-module-missing@gpu002": {"gpudirect", "modules"},
    "nvlink-degraded@gpu002": {"nvidia-smi-topo"},
    "foreign-qp@gpu002": {"rdma-qp", "rdma-resource"},
    "perftest-missing@gpu002": {"tools", "ib_write_bw-help", "perftest-version"},
}
"""Fault → sections of its target that show it."""
OTHER_END = {"uplink-without-session@spine01/Ethernet1/1": "leaf01"}
"""Fault → the target at the other end of the cable, which sees it too."""
BY_TRAFFIC = {
    *("slow-nic", "slow-sender", "slow-receiver", "receiver-unready", "lossy-link", "lossy-towards", "lossy-from"),
    *("link-flapping", "watchdog-fires", "lossless-drops"),
    *("cleared-counters", "moderate-pause", "reordered", "background-job"),
}
BY_CLOCK = {"clock-off"}
REFUSALS = {
    "down": UnreachableError,
    "silent": DeadlineError,
    "refuses-login": LoginError,
    "changed-host-key": HostKeyError,
}


@cache
def printed(*faults: str) -> Mapping[tuple[str, str], str]:
    """What a pod prints, but for its clocks."""
    said = everything(SimulatedPod(POD, faults=faults, scale=0.0))
    return {key: text for key, text in said.items() if key[1] != "clock"}


@pytest.mark.parametrize("fault", SHOWN)
def test_a_fault_shows_on_its_target_alone(fault: str) -> None:
    healthy, faulty = printed(), printed(fault)
    differing = {key for key in healthy if healthy[key] != faulty[key]}
    target = fault.partition("@")[2].partition("/")[0]
    assert {name for name, _ in differing} - {OTHER_END.get(fault)} == {target}
    assert {section for _, section in differing} >= SHOWN[fault]


def targets_of(fault: str) -> set[str]:
    """The target that has a fault, and those at the other ends of its cables."""
    fabric = SimulatedPod(POD, scale=0.0).fabric
    target, _, name = fault.partition("@")[2].partition("/")
    if target in fabric.hosts:
        return {target, *(fabric.leaf_port(nic).switch for nic in fabric.hosts[target].nics)}
    return {target, fabric.switches[target].ports[name].peer[0]} if name else {target}


def somewhere(name: str) -> str:
    """The fault at the last place that can have it."""
    kind = {**FAULTS, **HARMLESS}[name]
    return f"{name}@{places(SimulatedPod(POD, scale=0.0).fabric, kind)[-1]}"


@pytest.mark.parametrize("name", sorted({*FAULTS, *HARMLESS} - {f.partition("@")[0] for f in SHOWN} - set(REFUSALS)))
def test_every_fault_shows_where_it_is_or_only_under_load(name: str) -> None:
    healthy, faulty = printed(), printed(somewhere(name))
    differing = {key for key in healthy.keys() | faulty.keys() if healthy.get(key) != faulty.get(key)}
    assert bool(differing) is (name not in BY_TRAFFIC | BY_CLOCK)
    if name == "cable-on-wrong-leaf":
        differing = {key for key in differing if not key[0].startswith("leaf")}
    assert {target for target, _ in differing} <= targets_of(somewhere(name))


def test_a_wrong_clock_shows_in_the_time_that_a_host_tells() -> None:
    pod = SimulatedPod(POD, faults=("clock-off:3600.0@gpu002",), scale=0.0)
    told = {name: everything(pod)[name, "clock"] for name in ("gpu001", "gpu002")}
    assert ("T12:00:00Z" in told["gpu001"], "T13:00:00Z" in told["gpu002"]) == (True, True)


@pytest.mark.parametrize("name", REFUSALS)
def test_a_target_that_cannot_be_reached(name: str) -> None:
    pod = SimulatedPod(POD, faults=(f"{name}@gpu002", f"{name}@leaf02"))
    for target in ("gpu002", "leaf02"):
        assert type(pod.refuses(target)) is REFUSALS[name]
    assert (pod.refuses("gpu001"), pod.refuses("leaf01")) == (None, None)


def test_several_faults_do_not_hide_each_other() -> None:
    both = printed("ecn-off@leaf02", "nvlink-degraded@gpu002")
    assert both["leaf02", "sonic:config-db"] == printed("ecn-off@leaf02")["leaf02", "sonic:config-db"]
    alone = printed("nvlink-degraded@gpu002")
    assert both["gpu002", "nvidia-smi-topo"] == alone["gpu002", "nvidia-smi-topo"]


def test_what_a_fault_leaves_open_comes_from_the_seed() -> None:
    factors = [SimulatedPod(POD, seed=n, faults=("slow-nic@gpu001/rail0",)).fabric.hosts["gpu001"] for n in range(8)]
    assert len({host.nic(0).factor for host in factors}) > 2
    assert all(0.4 < host.nic(0).factor < 0.9 for host in factors)
    again = SimulatedPod(POD, seed=3, faults=("slow-nic@gpu001/rail0",)).fabric.hosts["gpu001"]
    assert again.nic(0).factor == factors[3].nic(0).factor


def test_a_size_can_be_asked_for() -> None:
    pod = SimulatedPod(POD, faults=("slow-nic:0.85@gpu001/rail0", "lossy-link:0.001@leaf01/Ethernet0"))
    assert pod.fabric.hosts["gpu001"].nic(0).factor == 0.85
    assert pod.fabric.hosts["gpu001"].nic(0).loss == pod.fabric.switches["leaf01"].ports["Ethernet0"].loss == 0.001


@pytest.mark.parametrize("platforms", [{"leaf": "arista_eos", "spine": "sonic"}, {"leaf": "cisco_nxos"}], ids=str)
def test_every_fault_can_be_planted_at_every_place_that_it_can_have(platforms: dict[str, str]) -> None:
    for name, fault in {**FAULTS, **HARMLESS}.items():
        there = places(SimulatedPod(POD, scale=0.0, platforms=platforms).fabric, fault)
        everywhere = tuple(f"{name}@{target}" for target in there)
        assert SimulatedPod(POD, scale=0.0, platforms=platforms, faults=everywhere).fabric.pod == POD


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("pfc-off@gpu001", "no fault is called 'pfc-off'; there are nic-pfc-off,"),
        ("nic-pfc-off@gpu009/rail0", "no host is called 'gpu009'"),
        ("nic-pfc-off@gpu001", "write a host and a rail, such as gpu001/rail0"),
        ("nic-pfc-off", "no host is called ''"),
        ("switch-pfc-off@leaf09/Ethernet0", "no switch is called 'leaf09'; switches are leaf01"),
        ("switch-pfc-off@leaf01/Ethernet1", "leaf01 has no port 'Ethernet1'; its ports are Ethernet0"),
        ("down@gpu009", "no host or switch is called 'gpu009'"),
        ("nvlink-degraded@leaf01", "no host is called 'leaf01'"),
        ("slow-nic:0.1@gpu001/rail0", "slow-nic has no size '0.1'; it has 0.85, 0.7, 0.6, 0.5"),
        ("headroom-small@spine01", "spine01 cannot have headroom-small: arista_eos has no such setting"),
        ("session-down@leaf01/Ethernet0", "leaf01/Ethernet0 leads to no other switch"),
    ],
)
def test_a_fault_that_does_not_exist_is_named_with_what_does(fault: str, words: str) -> None:
    with pytest.raises(UnknownFaultError) as caught:
        SimulatedPod(POD, faults=(fault,))
    assert words in str(caught.value)


def test_nvlink_of_a_host_with_one_gpu_cannot_be_degraded() -> None:
    with pytest.raises(UnknownFaultError, match="gpu001 cannot have nvlink-degraded: it has fewer than 2 GPUs"):
        SimulatedPod("clos-2x1", faults=("nvlink-degraded@gpu001",))


@pytest.mark.parametrize("name", ["", "clos", "clos-0x2", "clos-8x0", "clos-8x17", "clos-5000x2", "ring-8x2", "clos-8"])
def test_a_pod_that_does_not_exist_is_named(name: str) -> None:
    with pytest.raises(UnknownPodError, match=f"no pod is called '{name}'; clos-8x2 is"):
        SimulatedPod(name)

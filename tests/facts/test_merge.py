"""Rows of several sections joined, and where they disagree."""

from fabric_audit.facts.counters import Counter
from fabric_audit.facts.merge import Disagreement, joined, merged
from fabric_audit.facts.performance import PerftestRow
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import Queue
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.facts.system import System
from fabric_audit.facts.tables import Stamped


def test_parts_of_a_row_become_one() -> None:
    found = list(
        merged(
            [
                Stamped("gpu1", "baseline", "a.out", Interface(port="eth1", mtu_bytes=9000), 3),
                Stamped("gpu1", "baseline", "b.out", Interface(port="eth1", trust_mode="dscp", mtu_bytes=9000), 4),
                Stamped("gpu2", "baseline", "c.out", Interface(port="eth1", mtu_bytes=1500), 5),
            ],
            "baseline",
        )
    )
    assert [one.fact for one in found] == [
        Interface(port="eth1", mtu_bytes=9000, trust_mode="dscp"),
        Interface(port="eth1", mtu_bytes=1500),
    ]
    assert (found[0].path, found[0].line) == ("a.out", 3)


def test_what_several_tools_know_of_a_device_is_one_row_for_who_asks_at_once() -> None:
    parts = [
        RdmaPort(device="mlx5_0", port=1, state="ACTIVE"),
        RdmaPort(device="mlx5_0", port=1, state="DOWN", netdev="eth1"),
        RdmaPort(device="mlx5_1", port=1, state="ACTIVE"),
    ]
    assert joined(parts) == (
        RdmaPort(device="mlx5_0", port=1, state="ACTIVE", netdev="eth1"),
        RdmaPort(device="mlx5_1", port=1, state="ACTIVE"),
    )


def test_a_later_word_that_differs_is_kept_as_a_disagreement() -> None:
    found = list(
        merged(
            [
                Stamped("leaf1", "baseline", "a.out", Interface(port="Ethernet0", mtu_bytes=9100), 3),
                Stamped("leaf1", "baseline", "b.out", Interface(port="Ethernet0", mtu_bytes=9216), 7),
            ],
            "baseline",
        )
    )
    said = [one.fact for one in found if isinstance(one.fact, Disagreement)]
    assert said == [
        Disagreement(
            of_table="interface",
            of_key="Ethernet0",
            of_field="mtu_bytes",
            first="9100 (a.out:3)",
            second="9216 (b.out:7)",
        )
    ]
    assert Interface(port="Ethernet0", mtu_bytes=9100) in [one.fact for one in found]


def test_state_is_the_baselines_and_counters_are_every_phases() -> None:
    found = list(
        merged(
            [
                Stamped("gpu1", "baseline", "a", Counter(port="p", name="n", value=1)),
                Stamped("gpu1", "round-0001", "b", Counter(port="p", name="n", value=2)),
                Stamped("gpu1", "round-0001", "b", Interface(port="eth1", mtu_bytes=1)),
            ],
            "baseline",
        )
    )
    assert [(one.phase, one.fact) for one in found] == [
        ("baseline", Counter(port="p", name="n", value=1)),
        ("round-0001", Counter(port="p", name="n", value=2)),
    ]


def test_results_of_tests_are_never_joined() -> None:
    row = PerftestRow(tool="ib_write_bw", size_bytes=8, bandwidth_bps=1.0)
    both = [Stamped("gpu1", "round-0001", "a", row), Stamped("gpu1", "round-0001", "b", row)]
    assert list(merged(both, "baseline")) == both


def test_what_hardware_rounds_and_how_it_is_printed_is_no_disagreement() -> None:
    set_ = Queue(port="swp1", queue=3, ecn_min_bytes=150_000, ecn_max_bytes=1_500_000, ecn_raw="150000 1500000")
    in_force = Queue(port="swp1", queue=3, ecn_min_bytes=156_672, ecn_max_bytes=1_500_000, ecn_raw="153.00 KB, 1.43 MB")
    said = [Stamped("leaf1", "baseline", "a.out", set_, 3), Stamped("leaf1", "baseline", "b.out", in_force, 7)]
    assert [one.fact for one in merged(said, "baseline")] == [set_]


def test_a_threshold_that_is_another_one_is_a_disagreement() -> None:
    set_ = Queue(port="swp1", queue=3, ecn_min_bytes=150_000)
    in_force = Queue(port="swp1", queue=3, ecn_min_bytes=160_000)
    said = [Stamped("leaf1", "baseline", "a.out", set_, 3), Stamped("leaf1", "baseline", "b.out", in_force, 7)]
    fields = [one.fact.of_field for one in merged(said, "baseline") if isinstance(one.fact, Disagreement)]
    assert fields == ["ecn_min_bytes"]


def test_what_is_said_without_a_name_joins_the_named_system() -> None:
    version = System(name="", os="arista_eos", os_version="4.31.2F", serial="X1")
    named = System(name="leaf1", os="arista_eos")
    for order in ((version, named), (named, version)):
        found = merged([Stamped("leaf1", "baseline", f"{n}.out", fact, 1) for n, fact in enumerate(order)], "baseline")
        assert [one.fact for one in found] == [System(name="leaf1", os="arista_eos", os_version="4.31.2F", serial="X1")]
    alone = [Stamped("leaf2", "baseline", "a.out", version, 1)]
    assert [one.fact for one in merged(alone, "baseline")] == [version]


def test_a_model_told_with_and_without_its_airflow_is_one_model() -> None:
    def disagreeing(first: str, second: str) -> list[Disagreement]:
        models = (System(name="leaf1", model=model) for model in (first, second))
        said = [Stamped("leaf1", "baseline", f"{n}.out", fact, 1) for n, fact in enumerate(models)]
        return [one.fact for one in merged(said, "baseline") if isinstance(one.fact, Disagreement)]

    assert (
        disagreeing("DCS-7060DX5-64S", "DCS-7060DX5-64S-F") == disagreeing("DCS-7060DX5-64S-F", "DCS-7060DX5-64S") == []
    )
    assert disagreeing("DCS-7060DX5-64", "DCS-7060DX5-64S")
    assert disagreeing("DCS-7060DX5-64S", "DCS-7050TX-64-F")

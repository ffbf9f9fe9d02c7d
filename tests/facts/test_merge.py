"""Rows of several sections joined, and where they disagree."""

from fabric_audit.facts.counters import Counter
from fabric_audit.facts.merge import Disagreement, merged
from fabric_audit.facts.performance import PerftestRow
from fabric_audit.facts.ports import Interface
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

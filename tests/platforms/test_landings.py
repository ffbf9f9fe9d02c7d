"""Where marks land by default, and the rows of one port."""

from fabric_audit.facts.qos import DscpMap, PcpMap, TrafficClassMap
from fabric_audit.platforms.landings import Landing, by_eights, identical, rows


def test_the_upper_three_bits_of_a_dscp_are_its_class() -> None:
    landed = by_eights()
    assert len(landed) == 64
    assert [landed[dscp].target for dscp in (0, 7, 8, 26, 46, 48, 63)] == [0, 0, 1, 3, 5, 6, 7]


def test_each_priority_is_its_own_class() -> None:
    assert {value: at.target for value, at in identical().items()} == {value: value for value in range(8)}
    assert identical([3]) == {3: Landing(3)}


def test_a_row_names_the_line_that_says_so_else_that_of_the_port() -> None:
    made = list(
        rows("swp1", 7, dscp={26: Landing(3, 12)}, pcp={5: Landing(None)}, queues={3: Landing(4, 9), 2: Landing(2)})
    )
    assert made == [
        DscpMap(port="swp1", dscp=26, traffic_class=3, line=12),
        PcpMap(port="swp1", pcp=5, traffic_class=None, line=7),
        TrafficClassMap(port="swp1", traffic_class=3, queue=4, line=9),
        TrafficClassMap(port="swp1", traffic_class=2, queue=2, line=7),
    ]
    assert [row.line for row in made] == [12, 7, 9, 7]

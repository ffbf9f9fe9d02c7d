"""Views of the fabric: settings folded, host shapes, directions, the time line, the drawing, and what faults cost."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import GpuNicPath
from fabric_audit.facts.intent import FabricPort, Link, Target
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.tables import Stamped, frame
from fabric_audit.report import compliance, directions, drawing, host_shapes, moved, timeline
from fabric_audit.report.impact import impact
from fabric_audit.report.pairs import matrix
from tests.report.audits import faulty, healthy
from tests.report.frames import Pod, pair_result


def table_of(*facts: tuple[str, Fact]) -> pd.DataFrame:
    name = facts[0][1].TABLE
    return frame(name, [Stamped(target, "baseline", "a.out", fact, 1) for target, fact in facts])


def test_ports_set_alike_are_one_row_and_the_odd_one_is_marked() -> None:
    ports = [("leaf01", f"Ethernet{n}") for n in (0, 8, 16)]
    given = {
        "fabric_port": table_of(*((t, FabricPort(port=p, side="host")) for t, p in ports)),
        "interface": table_of(*((t, Interface(port=p, mtu_bytes=9100)) for t, p in ports)),
        "pfc_port": table_of(
            *((t, PfcPort(port=p, oper_priorities="" if p == "Ethernet8" else "3")) for t, p in ports)
        ),
    }
    tables: Callable[[str], pd.DataFrame] = lambda name: given.get(name, frame(name))  # noqa: E731 - a table by name
    usual, odd = compliance.matrix(tables)
    assert (str(usual.ports), usual.count) == ("leaf01 Ethernet0, Ethernet16", 2)
    assert not any(cell.rare for cell in usual.cells)
    assert str(odd.ports) == "leaf01 Ethernet8"
    marked = {name: cell.value for name, cell in zip(compliance.SETTINGS, odd.cells, strict=True) if cell.rare}
    assert marked == {"PFC": "off"}


def test_hosts_with_the_same_matrix_are_one_shape() -> None:
    paths = [(host, GpuNicPath(gpu=0, nic="mlx5_0", path="PIX")) for host in ("gpu001", "gpu002")]
    odd = ("gpu003", GpuNicPath(gpu=0, nic="mlx5_0", path="SYS"))
    usual, other = host_shapes.shapes(table_of(*paths, odd))
    assert (usual.hosts, usual.count, usual.paths) == ("gpu[001-002]", 2, (("PIX",),))
    assert (other.hosts, other.paths) == ("gpu003", (("SYS",),))


def test_a_pair_that_is_slow_one_way_is_told_and_one_slow_both_ways_is_not() -> None:
    one_way = {("gpu001", "gpu002", 0): 0.5}
    both_ways = {("gpu003", "gpu004", 0): 0.5, ("gpu004", "gpu003", 0): 0.5}
    found = directions.asymmetries(pair_result(Pod(), one_way | both_ways, ("ib_write_bw",)))
    assert [(one.sender, one.receiver, one.rail) for one in found] == [("gpu001", "gpu002", 0)]
    assert round(found[0].share, 2) == -0.49


def test_gpu_memory_is_held_against_host_memory_on_the_same_path() -> None:
    host = pair_result(Pod(hosts=2, rails=1), {}, ("ib_write_bw",)).assign(client_device="mlx5_0")
    gpu = host.assign(memory="gpu", bandwidth_bps=host["bandwidth_bps"] / 2)
    paths = table_of(("gpu001", GpuNicPath(gpu=0, nic="mlx5_0", path="SYS")))
    rows = {(one.path, one.memory): one.gap for one in directions.by_memory(pd.concat([host, gpu]), paths)}
    assert rows == {
        ("SYS", "host"): None,
        ("SYS", "gpu"): -0.5,
        ("path not told", "host"): None,
        ("path not told", "gpu"): -0.5,
    }


def test_latency_has_its_distribution_and_its_worst_pair() -> None:
    rows = pair_result(Pod(hosts=3, rails=1), {}, ("ib_write_lat",))
    rows["latency_typical_us"] = [2.0, 2.0, 2.0, 2.0, 2.0, 12.0]
    (found,) = directions.latencies(rows)
    assert (found.median_us, found.worst_us, found.worst_pair) == (2.0, 12.0, "gpu003 → gpu002, rail 0")
    assert found.bars[0] == 1.0
    assert found.bars[-1] == 0.2


def grown() -> tuple[moved.Moved, ...]:
    told = faulty().tables
    return moved.moved(told["counter"], told["pfc_counter"])


def test_the_time_line_shows_the_phase_in_which_it_was_lost() -> None:
    line = timeline.timeline(grown())
    assert line.phases == ("round-0001", "final")
    lost = next(one for one in line.lines if one.name == "rx_discards")
    assert (lost.target, lost.growth, lost.shares) == ("gpu001", (37, 0), (1.0, 0.0))


LINKS = (
    ("topology", Link(a_target="gpu001", a_port="rail0", b_target="leaf01", b_port="Ethernet12", role="host")),
    ("topology", Link(a_target="leaf01", a_port="Ethernet96", b_target="spine01", b_port="Et1", role="fabric")),
)


def test_the_cable_at_a_blamed_port_is_marked_and_others_are_not() -> None:
    targets = table_of(
        ("gpu001", Target(kind="host")),
        ("leaf01", Target(kind="switch", role="leaf")),
        ("spine01", Target(kind="switch", role="spine")),
    )
    drawn = drawing.drawing(faulty(), targets, table_of(*LINKS))
    assert [node.name for node in sorted(drawn.nodes, key=lambda node: node.y)] == ["spine01", "leaf01", "gpu001"]
    assert [cable.bad for cable in drawn.cables] == [("leaf01 Ethernet12",), ()]
    assert [node.name for node in drawn.nodes if node.bad] == ["leaf01"]
    assert not any(cable.bad for cable in drawing.drawing(healthy(), targets, table_of(*LINKS)).cables)


def test_of_many_hosts_only_those_with_a_fault_are_drawn() -> None:
    told = faulty()
    many = table_of(*((name, Target(kind="host")) for name in Pod(hosts=100).host_names))
    drawn = drawing.drawing(told, many, frame("link"))
    assert [node.name for node in drawn.nodes] == ["gpu005"]
    assert drawn.left_out == "gpu[001-004,006-100]"


def test_pause_is_followed_to_where_it_begins() -> None:
    first = next(one for one in grown() if one.target == "leaf01")
    host = replace(first, target="gpu001", port="rail0")
    leaf = replace(first, port="Ethernet96")
    found = drawing.pauses([leaf, host], table_of(*LINKS))
    assert [(one.target, one.peer, one.begins) for one in found] == [
        ("gpu001", "leaf01 Ethernet12", True),
        ("leaf01", "spine01 Et1", False),
    ]


def test_what_it_costs_is_told_by_the_slowest_direction_and_by_family() -> None:
    told = impact(faulty(), matrix(faulty().tables["pair_result"]))
    assert "gpu003 → gpu001 on rail 1, reaches 46 % of the median" in told[0]
    assert "2.2 times as long" in told[0]
    assert any(line.startswith("leaf01 Ethernet12: under congestion") for line in told)
    assert impact(healthy(), matrix(healthy().tables["pair_result"])) == ()

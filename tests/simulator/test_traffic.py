"""Flows share the fabric fairly, and every port counts what crossed it."""

import asyncio
from collections import Counter

import pytest

from fabric_audit.simulator.cabling import build
from fabric_audit.simulator.clock import Clock
from fabric_audit.simulator.fabric import GBPS, LOSSLESS, Fabric
from fabric_audit.simulator.faults import plant
from fabric_audit.simulator.flow import HEADERS, Flow
from fabric_audit.simulator.traffic import Traffic

PAYLOAD = 4096
EFFICIENCY = PAYLOAD / (PAYLOAD + HEADERS)
ROCE_CLASS = 106


def traffic(pod: str = "clos-4x2", *faults: str) -> tuple[Traffic, Fabric]:
    fabric = build(pod)
    plant(fabric, faults, 1)
    return Traffic(fabric, Clock(0.0)), fabric


def flow(moves: Traffic, client: str, server: str, rail: int = 0, port: int = 18515) -> Flow:
    hosts = moves.fabric.hosts
    return moves.flow(hosts[client].nic(rail), hosts[server].nic(rail), ROCE_CLASS, port)


def results(moves: Traffic, *flows: Flow) -> list[tuple[float, int]]:
    async def all_at_once() -> list[tuple[float, int]]:
        return await asyncio.gather(*(moves.run(one, 10.0) for one in flows))

    return asyncio.run(all_at_once())


def test_a_flow_alone_gets_the_line_less_its_headers() -> None:
    moves, _ = traffic()
    ((rate, lost),) = results(moves, flow(moves, "gpu001", "gpu002"))
    assert rate == pytest.approx(400 * GBPS * EFFICIENCY)
    assert lost == 0


def test_two_senders_share_a_receiver() -> None:
    moves, _ = traffic()
    both = results(moves, flow(moves, "gpu001", "gpu003"), flow(moves, "gpu002", "gpu003"))
    assert [rate for rate, _ in both] == [pytest.approx(200 * GBPS * EFFICIENCY)] * 2


def test_both_directions_of_a_link_are_apart() -> None:
    moves, _ = traffic()
    both = results(moves, flow(moves, "gpu001", "gpu002"), flow(moves, "gpu002", "gpu001"))
    assert [rate for rate, _ in both] == [pytest.approx(400 * GBPS * EFFICIENCY)] * 2


def test_shares_are_max_min_fair() -> None:
    """A slow receiver takes 180; the other flow of the same sender gets what is left of 400."""
    moves, fabric = traffic()
    fabric.hosts["gpu002"].nic(0).factor = 0.25
    both = results(moves, flow(moves, "gpu001", "gpu002"), flow(moves, "gpu001", "gpu003"))
    assert [rate / GBPS / EFFICIENCY for rate, _ in both] == [pytest.approx(100), pytest.approx(300)]


def test_a_slow_nic_slows_what_it_sends_and_receives() -> None:
    moves, fabric = traffic("clos-4x2", "slow-nic@gpu002/rail0")
    factor = fabric.hosts["gpu002"].nic(0).factor
    for pair in (("gpu001", "gpu002"), ("gpu002", "gpu001")):
        ((rate, _),) = results(moves, flow(moves, *pair))
        assert rate == pytest.approx(400 * GBPS * EFFICIENCY * factor)


def test_a_lossy_cable_costs_packets_and_goodput_and_both_ends_count() -> None:
    moves, fabric = traffic("clos-4x2", "lossy-link@gpu002/rail0")
    ((rate, lost),) = results(moves, flow(moves, "gpu001", "gpu002"))
    assert lost > 0
    assert rate < 400 * GBPS * EFFICIENCY * 0.95
    sender, receiver = fabric.hosts["gpu001"].nic(0).counters, fabric.hosts["gpu002"].nic(0).counters
    assert sender["packet_seq_err"] == receiver["out_of_sequence"] == receiver["rx_crc_errors_phy"] == lost


def test_what_a_lossy_nic_sends_is_counted_at_its_switch_port() -> None:
    moves, fabric = traffic("clos-4x2", "lossy-link@gpu002/rail0")
    ((_, lost),) = results(moves, flow(moves, "gpu002", "gpu001"))
    port = fabric.leaf_port(fabric.hosts["gpu002"].nic(0))
    assert port.counters["rx_errors"] == lost > 0
    assert fabric.hosts["gpu001"].nic(0).counters["rx_crc_errors_phy"] == 0


def test_every_hop_counts_the_same_bytes_in_the_right_queue() -> None:
    moves, fabric = traffic()
    one = flow(moves, "gpu001", "gpu002")
    results(moves, one)
    client, server = fabric.hosts["gpu001"].nic(0), fabric.hosts["gpu002"].nic(0)
    sent = client.counters["tx_prio3_bytes"]
    assert sent == server.counters["rx_prio3_bytes"] > 0
    up, down = fabric.leaf_port(client), fabric.leaf_port(server)
    assert (up.counters["rx_bytes"], down.counters["tx_bytes"]) == (sent, sent)
    assert down.counters[f"queue{LOSSLESS}_bytes"] == sent
    assert sum(value for name, value in down.counters.items() if name.startswith("queue0")) == 0
    assert [hop.out for hop in one.hops] == [False, True], "one leaf a rail"


def test_a_class_that_the_nic_overrides_lands_in_queue_0() -> None:
    moves, fabric = traffic("clos-4x2", "traffic-class-override@gpu001/rail0")
    results(moves, flow(moves, "gpu001", "gpu002"))
    down = fabric.leaf_port(fabric.hosts["gpu002"].nic(0))
    assert down.counters["queue0_bytes"] > 0
    assert down.counters[f"queue{LOSSLESS}_bytes"] == 0


def test_paths_between_racks_hang_on_the_five_tuple() -> None:
    moves, _ = traffic("clos-8x2-rack")
    paths = Counter(flow(moves, "gpu001", "gpu008", port=port).hops[1].port.name for port in range(18515, 18615))
    assert len(paths) == 8, "four uplinks to each of two spines"
    assert max(paths.values()) < 30
    assert flow(moves, "gpu001", "gpu008").hops == flow(moves, "gpu001", "gpu008").hops
    assert len(flow(moves, "gpu001", "gpu008").hops) == 6
    assert len(flow(moves, "gpu001", "gpu002").hops) == 2


def test_a_small_mtu_at_an_end_makes_small_packets_and_one_on_the_way_drops_them() -> None:
    moves, fabric = traffic("clos-4x2")
    fabric.hosts["gpu002"].nic(0).mtu = 1500
    assert flow(moves, "gpu001", "gpu002").payload == 1024
    fabric.leaf_port(fabric.hosts["gpu003"].nic(0)).mtu = 1500
    assert flow(moves, "gpu001", "gpu003").payload == 4096
    assert flow(moves, "gpu001", "gpu003").broken == "leaf01 Ethernet16 drops packets of 4156 bytes"
    assert not flow(moves, "gpu001", "gpu004").broken


def test_a_receiver_that_is_too_slow_pauses_its_way_back_to_the_sender() -> None:
    moves, fabric = traffic("clos-4x2", "slow-receiver:0.3@gpu002/rail0")
    results(moves, flow(moves, "gpu001", "gpu002"))
    sender, receiver = fabric.hosts["gpu001"].nic(0), fabric.hosts["gpu002"].nic(0)
    assert receiver.counters["tx_prio3_pause_duration"] == 3_000_000
    assert 0 < sender.counters["rx_prio3_pause_duration"] < 3_000_000
    up, down = fabric.leaf_port(sender), fabric.leaf_port(receiver)
    assert (down.counters["pfc3_rx"] > up.counters["pfc3_tx"] > 0, up.counters["pfc3_rx"]) == (True, 0)


def test_each_queue_pair_finds_its_own_way_between_racks() -> None:
    moves, fabric = traffic("clos-8x2-rack")
    ends = fabric.hosts["gpu001"].nic(0), fabric.hosts["gpu008"].nic(0)
    ways = {one.hops[1].port.name for one in moves.flows(*ends, ROCE_CLASS, 18515, queue_pairs=16)}
    assert len(ways) > 4
    assert len(moves.flows(ends[0], fabric.hosts["gpu002"].nic(0), ROCE_CLASS, 18515, queue_pairs=16)) == 1


def test_a_test_that_is_ended_leaves_no_flow_behind() -> None:
    moves, _ = traffic()

    async def ended() -> None:
        moves.clock.scale = 1.0
        running = asyncio.create_task(moves.run(flow(moves, "gpu001", "gpu003"), 600.0))
        await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        moves.clock.scale = 0.0

    asyncio.run(ended())
    ((rate, _),) = results(moves, flow(moves, "gpu002", "gpu003"))
    assert rate == pytest.approx(400 * GBPS * EFFICIENCY)


def test_switch_counters_are_as_old_as_their_last_poll() -> None:
    moves, fabric = traffic()
    port = fabric.leaf_port(fabric.hosts["gpu002"].nic(0))
    assert moves.seen(port)["tx_bytes"] == 0
    port.counters["tx_bytes"] += 5
    assert moves.seen(port)["tx_bytes"] == 0
    asyncio.run(moves.clock.sleep(1.0))
    assert moves.seen(port)["tx_bytes"] == 5


def test_a_scaled_clock_runs_faster_than_ours() -> None:
    clock = Clock(0.001)
    asyncio.run(clock.sleep(20.0))
    assert 20.0 <= clock.now() < 20_000.0

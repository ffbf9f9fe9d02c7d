"""What every port counts of a flow that crosses it."""

from fabric_audit.simulator.fabric import LOSSLESS, Fabric, Nic
from fabric_audit.simulator.flow import HEADERS, Flow, Hop

PAUSE_S = 80e-6
"""About what one PFC frame asks for at 400 Gb/s: 65535 quanta of 512 bit times are 84 us (IEEE 802.3 annex 31B)."""
CONTROLLED = 0.004
"""Share of the time in which a receiver that is too slow still pauses its sender, once DCQCN has slowed it down."""
UNCONTROLLED = 0.3
"""The same where nothing slows the sender down."""
SPREADS = 0.8
"""How much of a pause each switch passes on to where the traffic comes from."""


def count(fabric: Fabric, flow: Flow, packets: int, seconds: float) -> int:
    """Count a flow everywhere it was; returns packets lost.

    Args:
        fabric: where it ran.
        flow: what ran.
        packets: how many arrived.
        seconds: how long it ran, by the clock of whoever reads the counters.
    """
    lost = sum(round(packets * share) for share in flow.losses)
    client, server = flow.client, flow.server
    wire = packets * (flow.payload + HEADERS - 24)
    _count_nic(client, "tx", _priority(client, flow.dscp), packets + lost, wire)
    _count_nic(server, "rx", _priority(server, flow.dscp), packets, wire)
    for hop in flow.hops:
        _count_hop(fabric, flow, hop, packets, wire)
    if any(fabric.switches[hop.port.switch].sprays for hop in flow.hops[1:-1] if hop.out):
        _count_gaps(flow, packets // 1000)
    if lost:
        _count_gaps(flow, lost)
        server.counters["rx_crc_errors_phy"] += round(packets * server.loss)
    _count_pause(flow, seconds)
    return lost


def count_test(fabric: Fabric, client: Nic, server: Nic) -> None:
    """Count what comes once a test, however many queue pairs it has."""
    client.counters["rnr_nak_retry_err"] += server.unready
    server.counters["out_of_buffer"] += server.unready
    server.counters["out_of_sequence"] += server.reordered
    for nic in (client, server):
        _count_others(nic, busy=fabric.hosts[nic.host].busy)


def _priority(nic: Nic, dscp: int) -> int:
    return nic.dscp_to_priority[dscp] if nic.trust == "dscp" else 0


def _count_nic(nic: Nic, side: str, priority: int, packets: int, wire: int) -> None:
    nic.counters[f"{side}_packets"] += packets
    nic.counters[f"{side}_bytes"] += wire
    nic.counters[f"{side}_prio{priority}_packets"] += packets
    nic.counters[f"{side}_prio{priority}_bytes"] += wire


def _count_hop(fabric: Fabric, flow: Flow, hop: Hop, packets: int, wire: int) -> None:
    port, switch, side = hop.port, fabric.switches[hop.port.switch], "tx" if hop.out else "rx"
    port.counters[f"{side}_packets"] += packets
    port.counters[f"{side}_bytes"] += wire
    if hop.out:
        queue = switch.tc_to_queue[switch.dscp_to_tc[flow.dscp]]
        port.counters[f"queue{queue}_packets"] += packets
        port.counters[f"queue{queue}_bytes"] += wire
        port.counters[f"queue{queue}_drop_packets"] += round(packets * port.drops)
        port.counters["storms"] += port.storms
    else:
        port.counters["rx_errors"] += round(packets * port.loss)


def _count_gaps(flow: Flow, packets: int) -> None:
    """Packets of the sender that the receiver misses, and says so: they are sent again."""
    flow.client.counters["packet_seq_err"] += packets
    flow.client.counters["local_ack_timeout_err"] += packets // 20
    flow.server.counters["out_of_sequence"] += packets


def _count_others(nic: Nic, *, busy: bool) -> None:
    """What happens during a test beside it: flaps, somebody else's job, somebody who clears counters."""
    nic.tests += 1
    nic.flaps += nic.flapping
    if busy:
        nic.counters["np_ecn_marked_roce_packets"] += 4000
        nic.counters["np_cnp_sent" if nic.np else "ecn_unanswered"] += 900
        nic.counters["rp_cnp_handled" if nic.rp else "rp_cnp_ignored"] += 800
        nic.counters["local_ack_timeout_err"] += 2
    if nic.cleared and nic.tests % nic.cleared == 0:
        nic.counters.clear()


def _count_pause(flow: Flow, seconds: float) -> None:
    """A receiver that cannot keep up pauses its switch, and each switch the one before it, back to the sender."""
    server, client = flow.server, flow.client
    own = server.most_bps("rx") if flow.server_gpu_bps is None else min(server.most_bps("rx"), flow.server_gpu_bps)
    held_up = flow.limit in {("rx", server.name), ("to gpu", server.name)} and own < server.speed_bps
    settled = CONTROLLED if client.rp and server.np else UNCONTROLLED
    share = max(server.pauses, settled if held_up else 0.0)
    if not share or LOSSLESS not in server.pfc or _priority(server, flow.dscp) != LOSSLESS:
        return
    share *= flow.part
    _count_paused(server, "tx", share * seconds)
    for hop in reversed(flow.hops):
        if LOSSLESS not in hop.port.pfc:
            return
        share *= 1.0 if hop.out else SPREADS
        hop.port.counters[f"pfc{LOSSLESS}_{'rx' if hop.out else 'tx'}"] += max(1, round(share * seconds / PAUSE_S))
    if LOSSLESS in client.pfc:
        _count_paused(client, "rx", share * seconds)


def _count_paused(nic: Nic, side: str, paused_s: float) -> None:
    nic.counters[f"{side}_prio{LOSSLESS}_pause"] += max(1, round(paused_s / PAUSE_S))
    nic.counters[f"{side}_prio{LOSSLESS}_pause_duration"] += round(paused_s * 1e6)

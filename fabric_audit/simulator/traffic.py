"""Flows through the fabric: paths by hash, max-min fair shares, and what every port counts."""

import asyncio
import time
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from fabric_audit.simulator.fabric import Fabric, Nic, Port

HEADERS = 98
"""Bytes of one RoCE v2 write on the wire besides its payload, preamble and gap included."""
SWITCH_REFRESH_S = 1.0
"""How old a switch's counters can be: SONiC polls port counters once a second."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One switch port that a flow crosses."""

    port: Port
    out: bool
    """Leaves the switch by this port; else enters it."""


@dataclass(slots=True)
class Flow:
    """One test's traffic, client to server."""

    client: Nic
    server: Nic
    dscp: int
    hops: tuple[Hop, ...]
    payload: int
    """Payload bytes of one packet."""
    rate_bps: float = 0.0

    @property
    def efficiency(self) -> float:
        """Share of the wire that is payload."""
        return self.payload / (self.payload + HEADERS)


@dataclass(slots=True)
class Listening:
    """One perftest server that waits for its client."""

    nic: Nic
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    client: str = ""


@dataclass(slots=True)
class Clock:
    """Time in the pod: ``scale`` real seconds pass for each simulated one; 0 is no time at all."""

    scale: float = 1.0
    _began: float = field(default_factory=time.monotonic)
    _skipped: float = 0.0

    def now(self) -> float:
        """Simulated seconds since the pod began."""
        return self._skipped + ((time.monotonic() - self._began) / self.scale if self.scale else 0.0)

    async def sleep(self, seconds: float) -> None:
        """Let simulated time pass."""
        if self.scale:
            await asyncio.sleep(seconds * self.scale)
        else:
            await asyncio.sleep(0)
            self._skipped += seconds


class Traffic:
    """All flows of a pod."""

    def __init__(self, fabric: Fabric, clock: Clock) -> None:
        self.fabric = fabric
        self.clock = clock
        self.listening: dict[tuple[str, int], Listening] = {}
        self.shells: set[int] = set()
        """Scripts that run."""
        self.jobs: set[tuple[str, str, int]] = set()
        """(host, job, script that began it) of every test that has not ended."""
        self._flows: list[Flow] = []
        self._published: dict[tuple[str, str], tuple[float, Counter[str]]] = {}

    def seen(self, port: Port) -> Counter[str]:
        """A switch port's counters as the switch shows them: as old as its last poll."""
        now, key = self.clock.now(), (port.switch, port.name)
        at, values = self._published.get(key, (-SWITCH_REFRESH_S, Counter()))
        if now - at >= SWITCH_REFRESH_S:
            values = Counter(port.counters)
            self._published[key] = (now, values)
        return values

    async def run(self, flow: Flow, duration_s: float) -> tuple[float, int]:
        """Send for so long; returns payload bits per second and packets lost."""
        self._flows.append(flow)
        try:
            await self.clock.sleep(duration_s / 2)
            self._share()
            await self.clock.sleep(duration_s / 2)
        finally:
            self._flows.remove(flow)
        lossy = max((hop.port.loss for hop in flow.hops), default=0.0)
        goodput = flow.rate_bps * flow.efficiency * _goodput_share(lossy)
        packets = int(goodput * duration_s / 8 / flow.payload)
        lost = sum(round(packets * hop.port.loss) for hop in flow.hops)
        self._count(flow, packets, lost)
        return goodput, lost

    def flow(self, client: Nic, server: Nic, traffic_class: int, source_port: int) -> Flow:
        """A flow with its path: source port and addresses decide the uplink, as an ECMP hash does."""
        dscp = (client.traffic_class if client.traffic_class is not None else traffic_class) >> 2
        up, down = self.fabric.leaf_port(client), self.fabric.leaf_port(server)
        hops = [Hop(up, out=False)]
        if up.switch != down.switch:
            hops += self._across(up, down, f"{client.ip} {server.ip} {source_port}")
        hops.append(Hop(down, out=True))
        mtu = min(self._rdma_mtu(client, up), self._rdma_mtu(server, down))
        return Flow(client, server, dscp, tuple(hops), mtu)

    def _across(self, up: Port, down: Port, five_tuple: str) -> list[Hop]:
        ports = self.fabric.switches[up.switch].ports.values()
        uplinks = [p for p in ports if p.peer[0] in self.fabric.switches and p.up]
        uplink = uplinks[zlib.crc32(five_tuple.encode()) % len(uplinks)]
        spine = self.fabric.switches[uplink.peer[0]]
        downlinks = [p for p in spine.ports.values() if p.peer[0] == down.switch and p.up]
        downlink = downlinks[zlib.crc32(f"{five_tuple} {spine.name}".encode()) % len(downlinks)]
        into = spine.ports[uplink.peer[1]]
        arrives = self.fabric.switches[down.switch].ports[downlink.peer[1]]
        return [Hop(uplink, out=True), Hop(into, out=False), Hop(downlink, out=True), Hop(arrives, out=False)]

    @staticmethod
    def _rdma_mtu(nic: Nic, port: Port) -> int:
        fits = min(nic.mtu, port.mtu)
        return next((mtu for mtu in (4096, 2048, 1024, 512) if mtu + 60 <= fits), 256)

    def _share(self) -> None:
        """Max-min fair shares of all flows that run (progressive filling)."""
        room: dict[object, float] = {}
        crossing: dict[object, list[Flow]] = {}
        for flow in self._flows:
            for link, capacity in _links(flow):
                room[link] = capacity
                crossing.setdefault(link, []).append(flow)
        open_flows = list(self._flows)
        while open_flows:
            tight = {
                link: room[link] / sum(f in open_flows for f in flows)
                for link, flows in crossing.items()
                if any(f in open_flows for f in flows)
            }
            link, share = min(tight.items(), key=lambda item: item[1])
            for flow in [f for f in crossing[link] if f in open_flows]:
                flow.rate_bps = share
                open_flows.remove(flow)
                for other, _ in _links(flow):
                    room[other] -= share

    def _count(self, flow: Flow, packets: int, lost: int) -> None:
        payload, client, server = packets * flow.payload, flow.client, flow.server
        wire = packets * (flow.payload + HEADERS - 24)
        _count_nic(client, "tx", _priority(client, flow.dscp), packets + lost, payload, wire)
        _count_nic(server, "rx", _priority(server, flow.dscp), packets, payload, wire)
        for hop in flow.hops:
            side = "tx" if hop.out else "rx"
            traffic_class = self.fabric.switches[hop.port.switch].dscp_to_tc[flow.dscp]
            hop.port.counters[f"{side}_packets"] += packets
            hop.port.counters[f"{side}_bytes"] += wire
            if hop.out:
                hop.port.counters[f"queue{traffic_class}_packets"] += packets
                hop.port.counters[f"queue{traffic_class}_bytes"] += wire
            elif hop.port.loss:
                hop.port.counters["rx_errors"] += round(packets * hop.port.loss)
        if lost:
            _count_loss(flow, lost)


def _links(flow: Flow) -> list[tuple[object, float]]:
    """(link in one direction, capacity in bits per second) of everything a flow crosses."""
    links: list[tuple[object, float]] = [
        (("tx", flow.client.name), flow.client.speed_bps * flow.client.factor),
        (("rx", flow.server.name), flow.server.speed_bps * flow.server.factor),
    ]
    links += [((hop.port.switch, hop.port.name, hop.out), float(hop.port.speed_bps)) for hop in flow.hops]
    return links


def _goodput_share(loss: float) -> float:
    """What go-back-N leaves of a link: each loss costs about a window of 100 packets."""
    return 1.0 / (1.0 + 100.0 * loss)


def _priority(nic: Nic, dscp: int) -> int:
    return nic.dscp_to_priority[dscp] if nic.trust == "dscp" else 0


def _count_nic(nic: Nic, side: str, priority: int, packets: int, payload: int, wire: int) -> None:
    nic.counters[f"{side}_packets"] += packets
    nic.counters[f"{side}_bytes"] += wire
    nic.counters[f"{side}_payload"] += payload
    nic.counters[f"{side}_prio{priority}_packets"] += packets
    nic.counters[f"{side}_prio{priority}_bytes"] += wire


def _count_loss(flow: Flow, lost: int) -> None:
    """The sender's packets are missed by the receiver, which says so; the cable's far end counts bad frames."""
    flow.client.counters["packet_seq_err"] += lost
    flow.client.counters["local_ack_timeout_err"] += lost // 20
    flow.server.counters["out_of_sequence"] += lost
    if flow.hops[-1].port.loss:
        flow.server.counters["rx_crc_errors_phy"] += lost


def nic_by_ip(nics: Iterable[Nic], address: str) -> Nic | None:
    """The NIC that has an address."""
    return next((nic for nic in nics if nic.ip == address), None)

"""Flows through the fabric: their paths, and the max-min fair shares they get."""

import asyncio
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fabric_audit.simulator.clock import Clock
from fabric_audit.simulator.counting import count, count_test
from fabric_audit.simulator.fabric import Fabric, Nic, Port
from fabric_audit.simulator.flow import Flow, Hop

SWITCH_REFRESH_S = 1.0
"""How old a switch's counters can be: SONiC polls port counters once a second."""


@dataclass(slots=True)
class Listening:
    """One perftest server that waits for its client."""

    nic: Nic
    gpu: int | None = None
    """The GPU whose memory it writes to; None for the host's."""
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    client: str = ""


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
        self._flows: dict[int, Flow] = {}
        self._published: dict[tuple[str, str], tuple[float, Counter[str]]] = {}

    def seen(self, port: Port) -> Counter[str]:
        """A switch port's counters as the switch shows them: as old as its last poll."""
        now, key = self.clock.now(), (port.switch, port.name)
        at, values = self._published.get(key, (-SWITCH_REFRESH_S, Counter()))
        if now - at >= SWITCH_REFRESH_S:
            values = Counter(port.counters)
            self._published[key] = (now, values)
        return values

    async def test(self, flows: Sequence[Flow], duration_s: float) -> float:
        """One test with a flow for each queue pair; returns payload bits per second of all."""
        results = await asyncio.gather(*(self.run(flow, duration_s) for flow in flows))
        count_test(self.fabric, flows[0].client, flows[0].server)
        return sum(rate for rate, _ in results)

    async def run(self, flow: Flow, duration_s: float) -> tuple[float, int]:
        """Send for so long; returns payload bits per second and packets lost."""
        self._flows[id(flow)] = flow
        try:
            await self.clock.sleep(duration_s / 2)
            self._share()
            await self.clock.sleep(duration_s / 2)
        finally:
            del self._flows[id(flow)]
        goodput = flow.rate_bps * flow.efficiency * flow.goodput
        packets = int(goodput * duration_s / 8 / flow.payload)
        lost = count(self.fabric, flow, packets, self.clock.counted_s(duration_s))
        return goodput, lost

    def flows(self, client: Nic, server: Nic, traffic_class: int, source_port: int, queue_pairs: int) -> list[Flow]:
        """The flows of a test: each queue pair has a source port of its own, new in every test."""
        first = self.flow(client, server, traffic_class, source_port)
        if len(first.hops) == 2:  # noqa: PLR2004 - below one leaf all take the same way
            return [first]
        now = round(self.clock.now())
        ports = (zlib.crc32(f"{source_port} {pair} {now}".encode()) for pair in range(queue_pairs))
        found = [self.flow(client, server, traffic_class, port) for port in ports]
        for flow in found:
            flow.part = 1 / queue_pairs
        return found

    def flow(self, client: Nic, server: Nic, traffic_class: int, source_port: int) -> Flow:
        """A flow with its path: source port and addresses decide the uplink, as an ECMP hash does."""
        dscp = (client.traffic_class if client.traffic_class is not None else traffic_class) >> 2
        up, down = self.fabric.leaf_port(client), self.fabric.leaf_port(server)
        hops = [Hop(up, out=False)]
        if up.switch != down.switch:
            hops += self._across(up, down, f"{client.ip} {server.ip} {source_port}")
        hops.append(Hop(down, out=True))
        return Flow(client, server, dscp, tuple(hops), min(_rdma_mtu(client), _rdma_mtu(server)))

    def _across(self, up: Port, down: Port, five_tuple: str) -> list[Hop]:
        """Over the links that are up and routed at both ends; no hops where none is left."""
        uplinks = [p for p in self._uplinks(up.switch) if any(self._downlinks(p.peer[0], down.switch))]
        if not uplinks:
            return []
        uplink = uplinks[zlib.crc32(five_tuple.encode()) % len(uplinks)]
        spine = uplink.peer[0]
        downlinks = list(self._downlinks(spine, down.switch))
        downlink = downlinks[zlib.crc32(f"{five_tuple} {spine}".encode()) % len(downlinks)]
        into = self.fabric.switches[spine].ports[uplink.peer[1]]
        arrives = self.fabric.switches[down.switch].ports[downlink.peer[1]]
        return [Hop(uplink, out=True), Hop(into, out=False), Hop(downlink, out=True), Hop(arrives, out=False)]

    def _uplinks(self, switch: str) -> list[Port]:
        ports = self.fabric.switches[switch].ports.values()
        return [p for p in ports if p.peer[0] in self.fabric.switches and p.up and p.session and p.routed]

    def _downlinks(self, switch: str, below: str) -> Iterator[Port]:
        return (port for port in self._uplinks(switch) if port.peer[0] == below)

    def _share(self) -> None:
        """Max-min fair shares of all flows that run (progressive filling)."""
        room: dict[object, float] = {}
        crossing: dict[object, set[int]] = {}
        links = {number: tuple(_links(flow)) for number, flow in self._flows.items()}
        for number, crossed in links.items():
            for link, capacity in crossed:
                room[link] = capacity
                crossing.setdefault(link, set()).add(number)
        while crossing:
            link = min(crossing, key=lambda one: room[one] / len(crossing[one]))
            share = room[link] / len(crossing[link])
            for number in tuple(crossing[link]):
                self._flows[number].rate_bps, self._flows[number].limit = share, link
                for other, _ in links[number]:
                    room[other] -= share
                    crossing[other].discard(number)
            crossing = {one: flows for one, flows in crossing.items() if flows}


def _rdma_mtu(nic: Nic) -> int:
    """The largest RoCE MTU that the interface's own MTU lets a driver choose; what lies behind it no NIC knows."""
    return next((mtu for mtu in (4096, 2048, 1024, 512) if mtu + 60 <= nic.mtu), 256)


def _links(flow: Flow) -> Iterator[tuple[object, float]]:
    """(link in one direction, capacity in bits per second) of everything a flow crosses."""
    yield ("tx", flow.client.name), flow.client.most_bps("tx")
    yield ("rx", flow.server.name), flow.server.most_bps("rx")
    for end, nic, most in (("from", flow.client, flow.client_gpu_bps), ("to", flow.server, flow.server_gpu_bps)):
        if most is not None:
            yield (f"{end} gpu", nic.name), most
    for hop in flow.hops:
        yield (hop.port.switch, hop.port.name, hop.out), float(hop.port.speed_bps)


def nic_by_ip(nics: Iterable[Nic], address: str) -> Nic | None:
    """The NIC that has an address."""
    return next((nic for nic in nics if nic.ip == address and nic.ipv4), None)

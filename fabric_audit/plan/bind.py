"""Binds traffic slots to what the baseline found: device, port, GID, address, line rate."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu, GpuDirect, GpuNicPath
from fabric_audit.facts.pairs import Slot
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.rdma import Gid, RdmaDevice, RdmaPort
from fabric_audit.facts.system import Tool
from fabric_audit.inventory.model import Host, Nic
from fabric_audit.platforms.workloads.perftest.command import Request, Unavailable, command

FactT = TypeVar("FactT", bound=Fact)

NEAR = ("PIX", "PXB", "PHB", "NODE", "SYS")
"""GPU to NIC paths, nearest first (nvidia-smi topo legend)."""


KINDS = (Gid, Gpu, GpuDirect, GpuNicPath, Interface, RdmaDevice, RdmaPort, Tool)
"""Tables that a slot is bound by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """What the baseline found on one host, as far as traffic needs it."""

    host: Host
    facts: tuple[Fact, ...] = ()
    lost: str = ""
    """Why it can take part in no more traffic; empty while it can."""
    in_use: str = ""
    """Why it takes part in no traffic now: others use it."""

    def all(self, kind: type[FactT]) -> tuple[FactT, ...]:
        """Facts of one table."""
        return tuple(fact for fact in self.facts if isinstance(fact, kind))


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a slot, bound."""

    device: str
    ib_port: int
    netdev: str | None
    gid_index: int | None
    address: str
    rate_bps: int | None
    cpus: str | None
    gpu: int | None = None
    mechanism: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A slot with the command lines of both ends, or the reason why there are none."""

    slot: Slot
    client: tuple[str, ...] = ()
    server: tuple[str, ...] = ()
    reason: str = ""
    """In words, the host it lies with first."""


def bind(slot: Slot, hosts: Mapping[str, HostFacts], tcp_port: int, programs: Mapping[str, str]) -> Bound:
    """Fill a slot with what both hosts have on its rail.

    Args:
        slot: as planned.
        hosts: what the baseline found, by host.
        tcp_port: port on which the ends exchange their parameters.
        programs: paths of perftest binaries, by name, where the inventory gives them.
    """
    ends: list[End] = []
    for name, with_gpu in ((slot.client, ("gpu", "gpu_host")), (slot.server, ("gpu", "host_gpu"))):
        if name not in hosts:
            return Bound(slot=slot, reason=f"{name}: gave no baseline")
        if why := hosts[name].lost or hosts[name].in_use:
            return Bound(slot=slot, reason=f"{name}: {why}")
        end = bind_end(hosts[name], slot.rail, gpu=slot.memory in with_gpu)
        if isinstance(end, str):
            return Bound(slot=slot, reason=f"{name}: {end}")
        ends.append(end)
    filled = _filled(slot, *ends, tcp_port=tcp_port)
    lines = []
    for role, name, end in (("client", slot.client, ends[0]), ("server", slot.server, ends[1])):
        line = command(_request(filled, role, end, hosts[name], programs))
        if isinstance(line, Unavailable):
            return Bound(slot=filled, reason=f"{name}: {line.reason}")
        lines.append(line)
    return Bound(slot=filled, client=lines[0], server=lines[1])


def _filled(slot: Slot, client: End, server: End, *, tcp_port: int) -> Slot:
    rates = [end.rate_bps for end in (client, server) if end.rate_bps]
    return replace(
        slot,
        client_device=client.device,
        server_device=server.device,
        client_netdev=client.netdev,
        server_netdev=server.netdev,
        client_address=client.address,
        server_address=server.address,
        client_ib_port=client.ib_port,
        server_ib_port=server.ib_port,
        client_gid_index=client.gid_index,
        server_gid_index=server.gid_index,
        mechanism=client.mechanism or server.mechanism,
        tcp_port=tcp_port,
        line_rate_bps=min(rates) if len(rates) == 2 else None,  # noqa: PLR2004 - both ends
    )


def _request(slot: Slot, role: str, end: End, host: HostFacts, programs: Mapping[str, str]) -> Request:
    known = next((tool.options for tool in host.all(Tool) if tool.name == slot.tool and tool.options), None)
    return Request(
        tool=slot.tool,
        role=role,
        address=slot.server_address or "",
        device=end.device,
        tcp_port=slot.tcp_port or 0,
        size_bytes=slot.size_bytes,
        qps=slot.qps,
        duration_s=slot.duration_s,
        traffic_class=slot.traffic_class,
        gid_index=end.gid_index,
        ib_port=end.ib_port,
        bidirectional=slot.bidirectional,
        memory="gpu" if end.gpu is not None else "host",
        cuda_index=end.gpu,
        mechanism=end.mechanism,
        cpus=end.cpus,
        options=frozenset(known.split()) if known else None,
        program=programs.get(slot.tool, ""),
    )


def bind_end(host: HostFacts, rail: int, *, gpu: bool) -> End | str:
    """One host's end on a rail, or why it has none."""
    nic = next((nic for nic in host.host.compute_nics if nic.rail == rail), None)
    if nic is None:
        return f"the inventory gives it no compute NIC on rail {rail}"
    port = _port(nic, host)
    if port is None:
        return f"no RDMA device {nic.name} there"
    if port.state is not None and port.state != "ACTIVE":
        return f"{port.device} port {port.port} is {port.state}"
    gid = _gid(port, host.all(Gid))
    if gid is None and port.link_layer != "InfiniBand":
        return f"{port.device} has no RoCE v2 GID"
    device = next((d for d in host.all(RdmaDevice) if d.device == port.device), None)
    chosen = _gpu_for(port.device, host) if gpu else (None, None)
    if isinstance(chosen, str):
        return chosen
    return End(
        device=port.device,
        ib_port=port.port,
        netdev=port.netdev,
        gid_index=gid.index if gid else None,
        address=_address(gid, host.host),
        rate_bps=_rate(nic, port, host.all(Interface)),
        cpus=device.numa_cpus if device else None,
        gpu=chosen[0],
        mechanism=chosen[1],
    )


def _port(nic: Nic, host: HostFacts) -> RdmaPort | None:
    ports = host.all(RdmaPort)
    by_pci = {device.pci: device.device for device in host.all(RdmaDevice)}
    wanted = nic.device or (by_pci.get(nic.pci) if nic.pci else None)
    return next((p for p in ports if p.device == wanted or (wanted is None and p.netdev == nic.netdev)), None)


def _gid(port: RdmaPort, gids: Iterable[Gid]) -> Gid | None:
    """RoCE v2, routable before link-local, IPv4 before IPv6, lowest index: as NCCL chooses since 2.21."""

    def preference(gid: Gid) -> tuple[bool, bool, int]:
        return (gid.gid or "").startswith("fe80"), gid.ipv4 is None, gid.index

    mine = [g for g in gids if (g.device, g.port, g.type) == (port.device, port.port, "RoCE v2")]
    return min(mine, key=preference, default=None)


def _address(gid: Gid | None, host: Host) -> str:
    """Where perftest's ends exchange parameters: the rail's own address where it has one, else where SSH goes."""
    if gid and gid.ipv4:
        return gid.ipv4
    if gid and gid.gid and not gid.gid.startswith("fe80"):
        return gid.gid
    return host.login.address


def _rate(nic: Nic, port: RdmaPort, interfaces: Iterable[Interface]) -> int | None:
    """What the port negotiated, and no more than the inventory promises: a shaped or shared port has less."""
    spoken = port.rate_bps or next((i.speed_bps for i in interfaces if i.port == port.netdev), None)
    known = [rate for rate in (spoken, nic.speed_bps) if rate]
    return min(known, default=None)


def _gpu_for(device: str, host: HostFacts) -> tuple[int, str] | str:
    if not host.all(Gpu):
        return "no GPU was found there"
    mechanisms = [g.mechanism for g in host.all(GpuDirect) if g.available]
    if not mechanisms:
        return "GPUDirect RDMA is not possible there: neither nvidia_peermem nor DMA-BUF"
    paths = [path for path in host.all(GpuNicPath) if path.nic == device and path.path in NEAR]
    if not paths:
        return f"no GPU path to {device} is known"
    nearest = min(paths, key=lambda path: (NEAR.index(path.path or ""), path.gpu))
    return nearest.gpu, "dmabuf" if "dmabuf" in mechanisms else "peermem"

"""Which ports belong to the RDMA fabric."""

from collections.abc import Collection, Iterable, Iterator

from fabric_audit.facts.intent import FabricPort, IntendedNic, Link
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.facts.tables import Stamped

End = tuple[str, str]


def fabric_ports(stamped: Iterable[Stamped]) -> Iterator[Stamped]:
    """Every compute NIC, and every switch port at the end of a resolved cable of the fabric.

    A switch port that leads to a management or storage NIC is left out.
    """
    facts = list(stamped)
    netdevs = {(s.target, s.fact.device): s.fact.netdev for s in facts if isinstance(s.fact, RdmaPort)}
    hosts: set[str] = set()
    nics: dict[End, tuple[Stamped, IntendedNic]] = {}
    for one in facts:
        if isinstance(one.fact, IntendedNic):
            hosts.add(one.target)
            netdev = one.fact.netdev or netdevs.get((one.target, one.fact.device or ""))
            if netdev:
                nics[one.target, netdev] = (one, one.fact)
    for (target, port), (one, nic) in nics.items():
        if nic.role == "compute":
            yield Stamped(target, "topology", one.path, FabricPort(port=port, side="nic", rail=nic.rail), one.line)
    for one in facts:
        if isinstance(one.fact, Link):
            yield from _switch_ends(one, one.fact, hosts, nics)


def _switch_ends(
    one: Stamped, link: Link, hosts: set[str], nics: dict[End, tuple[Stamped, IntendedNic]]
) -> Iterator[Stamped]:
    ends = ((link.a_target, link.a_port), (link.b_target, link.b_port))
    at_hosts = [end for end in ends if end[0] in hosts]
    if any(end not in nics or nics[end][1].role != "compute" for end in at_hosts):
        return
    rail = nics[at_hosts[0]][1].rail if at_hosts else None
    for target, port in ends:
        if target not in hosts:
            side = "host" if at_hosts else "fabric"
            yield Stamped(target, "topology", one.path, FabricPort(port=port, side=side, rail=rail), one.line)


def configured_ports(stamped: Iterable[Stamped], named: Collection[str] = ()) -> Iterator[Stamped]:
    """Every physical switch port that is not shut down: where no neighbour is known, each is taken for one.

    Of a part of a configuration that shows no interfaces, the ports that it binds PFC to. ``named``, where it is not
    empty, are the only ones.
    """
    facts = list(stamped)
    interfaces = {(one.target, one.fact.port) for one in facts if isinstance(one.fact, Interface)}
    for one in facts:
        fact = one.fact
        used = isinstance(fact, Interface) and fact.kind == "physical" and fact.admin_up is not False
        if used or (isinstance(fact, PfcPort) and (one.target, fact.port) not in interfaces):
            port = FabricPort(port=fact.port, side="fabric")  # type: ignore[attr-defined]  # both kinds have one
            if not named or port.port in named:
                yield Stamped(one.target, "topology", one.path, port, one.line)

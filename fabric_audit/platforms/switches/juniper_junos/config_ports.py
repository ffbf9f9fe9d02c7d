"""Interfaces, aggregates and overlays in a Junos configuration."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.switches.juniper_junos.config_classes import trust
from fabric_audit.platforms.switches.juniper_junos.names import kind
from fabric_audit.platforms.switches.juniper_junos.running_config import Config
from fabric_audit.platforms.switches.juniper_junos.statements import Statement

DEFAULT_MTU = 1514
_FEC = {"fec91": "rs", "fec119": "rs", "fec74": "fc", "none": "none"}
_DLB = {"flowlet": "flowlet", "per-packet": "per_packet", "assigned-flow": "adaptive"}


def facts(config: Config) -> Iterator[Answer]:
    """Every interface, its addresses, and what it is a member or an end of."""
    for name, told in config.interfaces.items():
        if kind(name) is None:
            continue
        yield _interface(config, name, told)
        for unit, at in told.get("unit").children.items():
            for family in ("inet", "inet6"):
                for address, where in at.get("family", family, "address").children.items():
                    yield Address(port=f"{name}.{unit}", address=address, line=where.line)
        aggregate = told.value("802.3ad")
        if aggregate:
            yield LagMember(lag=aggregate[0], port=name, line=aggregate[1])
        if kind(name) == "bond":
            yield _aggregate(name, told)
    yield from _load_balancing(config.root)
    yield from _vxlan(config.root)


def _interface(config: Config, name: str, told: Statement) -> Interface:
    holder = config.interfaces.get(config.aggregate(name) or "", Statement())
    limit = told.value("mtu") if told.has("mtu") else holder.value("mtu") if holder.has("mtu") else None
    described, speed, fec = (told.value(word) for word in ("description", "speed", "fec"))
    fast = re.fullmatch(r"(\d+)g", speed[0]) if speed else None
    sized = kind(name) in ("physical", "bond")
    size = int(limit[0]) if limit and limit[0].isdigit() else DEFAULT_MTU if sized and not limit else None
    pause = _link_pause(told) if kind(name) == "physical" else None
    return Interface(
        port=name,
        admin_up=not told.has("disable"),
        mtu_bytes=size,
        mtu_kind="l2" if sized else None,
        fec_mode=_FEC.get(fec[0]) if fec else None,
        link_pause_rx=pause,
        link_pause_tx=pause,
        trust_mode=trust(config, name) if kind(name) == "physical" else None,
        description=described[0] if described else None,
        kind=kind(name),
        master=config.aggregate(name),
        admin_speed_bps=int(fast[1]) * 10**9 if fast else None,
        line=told.line,
    )


def _link_pause(told: Statement) -> bool:
    """802.3x is off on a QFX until ``flow-control``."""
    return any(word == "flow-control" for word, _ in told.words())


def _aggregate(name: str, told: Statement) -> Lag:
    least = told.value("minimum-links")
    identifier = told.get("esi").word()
    pair = told.get("aggregated-ether-options", "mc-ae").value("mc-ae-id")
    peer = f"esi {identifier}" if identifier else f"mc-ae {pair[0]}" if pair else None
    return Lag(
        lag=name,
        protocol="lacp" if told.has("aggregated-ether-options", "lacp") else "static",
        min_links=int(least[0]) if least and least[0].isdigit() else None,
        peer=peer,
        line=told.line,
    )


def _load_balancing(root: Statement) -> Iterator[LoadBalancing]:
    hashing = root.get("forwarding-options", "enhanced-hash-key")
    adaptive = hashing.get("ecmp-dlb")
    for word, mode in _DLB.items():
        if adaptive.has(word):
            gap = adaptive.get(word).value("inactivity-interval")
            yield LoadBalancing(
                scope="ecmp",
                mode=mode,
                flowlet_gap_us=float(gap[0]) if gap and gap[0].isdigit() else None,
                raw=f"ecmp-dlb {word}",
                line=adaptive.get(word).line,
            )


def _vxlan(root: Statement) -> Iterator[Vxlan]:
    source = root.get("switch-options").value("vtep-source-interface")
    if source:
        networks = sum(1 for word, _ in root.get("vlans").words() if word == "vni")
        yield Vxlan(
            port="vtep",
            present=True,
            source=source[0],
            udp_port=4789,
            vnis=networks,
            dscp_mode="unknown",
            line=source[1],
        )

"""Interfaces, aggregates and overlays in a running configuration of EOS."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.arista_eos.names import kind
from fabric_audit.platforms.switches.arista_eos.running_config import Config, Port

DEFAULT_L2_MTU = 9214
DEFAULT_IP_MTU = 1500
_FEC = {"reed-solomon": "rs", "fire-code": "fc"}
_TRUST = {"dscp": "dscp", "cos": "pcp"}


def facts(config: Config) -> Iterator[Answer]:
    """Every interface, its addresses, and what it is a member or an end of."""
    for port in config.ports:
        yield _interface(config, port)
        yield from _unread(port)
        yield from _addresses(port)
        yield from _membership(port)
        yield from _aggregate(port)
        yield from _vxlan(port)
        yield from _broken(config, port)
    yield from _load_balancing(config)


def _interface(config: Config, port: Port) -> Interface:
    routed = _routed(config, config.port(port.aggregate or "") or port)
    shut = last(port.own, r"(no )?shutdown")
    described = last(port.own, r"description (.+)")
    link_pause = {way: last(port.own, rf"flowcontrol {way} (on|off|desired)") for way in ("receive", "send")}
    return Interface(
        port=port.name,
        admin_up=not shut or bool(shut[1][1]),
        mtu_bytes=_mtu(config, port, routed=routed),
        mtu_kind=None if routed is None else "ip" if routed else "l2",
        fec_mode=_fec(port),
        link_pause_rx=_on(link_pause["receive"]) if port.physical else None,
        link_pause_tx=_on(link_pause["send"]) if port.physical else None,
        trust_mode=_trust(port, routed=routed) if port.physical else None,
        description=described[1][1] if described else None,
        kind=kind(port.name),
        master=port.aggregate,
        admin_speed_bps=_speed(port),
        line=port.line,
    )


def _speed(port: Port) -> int | None:
    """``speed 400g-8`` or ``speed forced 100gfull``; the lanes do not matter."""
    said = last(port.own, r"speed (?:forced )?(\d+)g\S*")
    return int(said[1][1]) * 10**9 if said else None


def _routed(config: Config, port: Port) -> bool | None:
    """Whether a port is routed; an address tells, where the switchport line is among those that were left out."""
    if kind(port.name) not in ("physical", "bond"):
        return True
    said = last(port.own, r"(no )?switchport")
    if said:
        return bool(said[1][1])
    if last(port.own, r"ip(?:v6)? address .+"):
        return True
    return last(config.top, r"switchport default mode routed") is not None


def _mtu(config: Config, port: Port, *, routed: bool | None) -> int | None:
    """Bytes of the largest packet; None where a line about it was not understood."""
    holder = config.port(port.aggregate or "") or port
    if kind(port.name) in (None, "virtual", "management") or any(_unread(port)):
        return None
    layer2 = last(port.own, r"l2 mtu (\d+)")
    layer3 = last(holder.own, r"mtu (\d+)")
    if routed is False:
        return int(layer2[1][1]) if layer2 else DEFAULT_L2_MTU
    if layer3:
        return int(layer3[1][1])
    common = [found[1] for top, _ in find(config.top, r"interface defaults") for _, found in top.find(r"mtu (\d+)")]
    return int(common[-1]) if common else DEFAULT_IP_MTU


def _fec(port: Port) -> str | None:
    said = [found for _, found in find(port.own, r"(no )?error-correction encoding(?: (reed-solomon|fire-code))?")]
    if not said:
        return None
    asked = [_FEC[found[2]] for found in said if not found[1] and found[2]]
    return asked[-1] if asked else "none"


def _on(found: tuple[Block, re.Match[str]] | None) -> bool | None:
    """Off unless it is said; ``desired`` leaves it to the neighbour."""
    return {"on": True, "off": False}.get(found[1][1]) if found else False


def _trust(port: Port, *, routed: bool | None) -> str | None:
    said = last(port.governing, r"(no )?qos trust(?: (.+))?")
    if said:
        return "port" if said[1][1] else _TRUST.get(said[1][2])
    return None if routed is None else "dscp" if routed else "pcp"


def _unread(port: Port) -> Iterator[Skipped]:
    wanted = r"mtu \d{2,5}|l2 mtu \d{2,5}|qos trust (cos|dscp)|channel-group \d+ mode (active|passive|on)"
    for block in port.own:
        kinds = r"(l2 )?mtu\b|qos trust\b|channel-group \d+ mode\b"
        if re.match(kinds, block.text) and not re.fullmatch(wanted, block.text):
            yield Skipped(block.line, block.text, wanted.replace(r"\d{2,5}", "BYTES").replace(r"\d+", "N"))


def _addresses(port: Port) -> Iterator[Address]:
    for block, found in find(port.own, r"ip(?:v6)? address (\S+/\d+)(?: secondary)?"):
        yield Address(port=port.name, address=found[1], line=block.line)


def _membership(port: Port) -> Iterator[LagMember]:
    for block, found in find(port.own, r"channel-group (\d+) mode (active|passive|on)"):
        yield LagMember(lag=f"Port-Channel{found[1]}", port=port.name, mode=found[2], line=block.line)


def _aggregate(port: Port) -> Iterator[Lag]:
    if kind(port.name) == "bond":
        least = last(port.own, r"port-channel min-links (\d+)")
        mlag = last(port.own, r"mlag (\d+)")
        segment = [
            found[1] for seg, _ in find(port.own, "evpn ethernet-segment") for _, found in seg.find(r"identifier (\S+)")
        ]
        peer = f"mlag {mlag[1][1]}" if mlag else f"esi {segment[-1]}" if segment else None
        yield Lag(lag=port.name, min_links=int(least[1][1]) if least else None, peer=peer, line=port.line)


def _vxlan(port: Port) -> Iterator[Vxlan]:
    if not port.name.startswith("Vxlan"):
        return
    source = last(port.own, r"vxlan source-interface (\S+)")
    number = last(port.own, r"vxlan udp-port (\d+)")
    copied = last(port.own, r"vxlan qos dscp propagation encapsulation")
    yield Vxlan(
        port=port.name,
        present=last(port.own, "shutdown") is None,
        source=source[1][1] if source else None,
        udp_port=int(number[1][1]) if number else 4789,
        vnis=len({found[0] for _, found in find(port.own, r"vxlan (vlan|vrf) \S+ vni \S+")}),
        dscp_mode="copy" if copied else "unknown",
        ecn_copy=True if last(port.own, r"vxlan qos ecn propagation") else None,
        line=port.line,
    )


def _broken(config: Config, port: Port) -> Iterator[BrokenReference]:
    kinds = {r"service-profile": "qos profile", r"service-policy type qos input": r"policy-map type \S+"}
    for words, kind_of_block in kinds.items():
        for block, found in find(port.own, rf"{words} (\S+)"):
            if not config.has(kind_of_block, found[1]):
                target = f"{kind_of_block.partition(' type')[0]} {found[1]}"
                yield BrokenReference(owner=port.name, field=words, target=target, line=block.line)


def _load_balancing(config: Config) -> Iterator[LoadBalancing]:
    for block, _ in find(config.top, r"ip hardware fib load-balance distribution dynamic.*"):
        yield LoadBalancing(scope="ecmp", mode="adaptive", raw=block.text, line=block.line)
    for block, _ in find(config.top, r"load-balance cluster.*"):
        yield LoadBalancing(scope="all", mode="adaptive", raw=block.text, line=block.line)
    for block, _ in find(config.top, r"ip load-sharing \S+ fields .*"):
        yield LoadBalancing(scope="ecmp", mode="hash", raw=block.text, line=block.line)
    for block, _ in find(config.top, r"port-channel load-balance \S+ fields .*"):
        yield LoadBalancing(scope="lag", mode="hash", raw=block.text, line=block.line)

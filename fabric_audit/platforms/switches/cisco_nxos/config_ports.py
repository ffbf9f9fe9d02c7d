"""Interfaces, aggregates and overlays in a running configuration of NX-OS."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.platforms.indented import find, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.cisco_nxos.config_classes import classes_of
from fabric_audit.platforms.switches.cisco_nxos.names import kind
from fabric_audit.platforms.switches.cisco_nxos.running_config import Config, Port

DEFAULT_MTU = 1500
_FEC = {"rs-fec": "rs", "fc-fec": "fc", "rs-cons16": "rs", "rs-ieee": "rs", "off": "none", "auto": "auto"}
_DLB_MODES = {"flowlet": "flowlet", "per-packet": "per_packet"}


def facts(config: Config) -> Iterator[Answer]:
    """Every interface, its addresses, and what it is a member or an end of."""
    for port in config.ports:
        yield _interface(config, port)
        yield from _unread(port)
        for block, found in find(port.own, r"ip(?:v6)? address (\S+/\d+)(?: .*)?"):
            yield Address(port=port.name, address=found[1], line=block.line)
        for block, found in find(port.own, r"channel-group (\d+)(?: force)?(?: mode (active|passive|on))?"):
            lag = f"port-channel{found[1]}"
            yield LagMember(lag=lag, port=port.name, mode=found[2] or "on", line=block.line)
        yield from _aggregate(port)
        yield from _vxlan(port)
    yield from _load_balancing(config)


def _interface(config: Config, port: Port) -> Interface:
    holder = config.port(port.aggregate or "") or port
    routed = _routed(config, holder)
    limit = last(holder.own, r"mtu (\d{3,5})") or last(port.own, r"mtu (\d{3,5})")
    described = last(port.own, r"description (.+)")
    encoding = last(port.own, r"fec (\S+)")
    speed = last(port.own, r"speed (\d+)")
    sized = kind(port.name) in ("physical", "bond", "vlan") and not any(_unread(port))
    return Interface(
        port=port.name,
        admin_up=_admin_up(config, port, routed=routed),
        mtu_bytes=(int(limit[1][1]) if limit else DEFAULT_MTU) if sized else None,
        mtu_kind="ip" if routed else "l2",
        fec_mode=_FEC.get(encoding[1][1]) if encoding else None,
        link_pause_rx=_link_pause(port, "receive"),
        link_pause_tx=_link_pause(port, "send"),
        trust_mode=classes_of(config, port).trust if port.physical else None,
        description=described[1][1] if described else None,
        kind=kind(port.name),
        master=port.aggregate,
        admin_speed_bps=int(speed[1][1]) * 10**6 if speed else None,
        line=port.line,
    )


def _routed(config: Config, port: Port) -> bool:
    if kind(port.name) not in ("physical", "bond"):
        return True
    said = last(port.own, r"(no )?switchport")
    if said:
        return bool(said[1][1])
    if last(port.own, r"switchport .+"):
        return False
    return last(port.own, r"ip(?:v6)? address .+") is not None or bool(last(config.top, "no system default switchport"))


def _admin_up(config: Config, port: Port, *, routed: bool) -> bool | None:
    """A routed port is shut down until ``no shutdown``, a switched one is not unless the system says so."""
    said = last(port.own, r"(no )?shutdown")
    if said:
        return bool(said[1][1])
    if kind(port.name) != "physical":
        return True
    return not (routed or last(config.top, "system default switchport shutdown"))


def _link_pause(port: Port, way: str) -> bool | None:
    said = last(port.governing, rf"(no )?flowcontrol {way}(?: (on|off))?")
    if not port.physical:
        return None
    return said is not None and not said[1][1] and said[1][2] == "on"


def _unread(port: Port) -> Iterator[Skipped]:
    for block in port.own:
        if re.match(r"mtu\b", block.text) and not re.fullmatch(r"mtu \d{3,5}", block.text):
            yield Skipped(block.line, block.text, "mtu BYTES")


def _aggregate(port: Port) -> Iterator[Lag]:
    if kind(port.name) == "bond":
        least = last(port.own, r"lacp min-links (\d+)")
        pair = last(port.own, r"vpc (\d+|peer-link)")
        segment = last(port.own, r"ethernet-segment (?:vpc|multihoming|\d+)")
        peer = f"vpc {pair[1][1]}" if pair else "ethernet-segment" if segment else None
        yield Lag(lag=port.name, min_links=int(least[1][1]) if least else None, peer=peer, line=port.line)


def _vxlan(port: Port) -> Iterator[Vxlan]:
    if not port.name.startswith("nve"):
        return
    source = last(port.own, r"source-interface (\S+)")
    mode = last(port.own, r"qos-mode (pipe|uniform)")
    shut = last(port.own, r"(no )?shutdown")
    yield Vxlan(
        port=port.name,
        present=shut is not None and bool(shut[1][1]),
        source=source[1][1] if source else None,
        udp_port=4789,
        vnis=len({found[1] for _, found in find(port.own, r"member vni (\d+).*")}),
        dscp_mode={"pipe": "fixed", "uniform": "copy"}[mode[1][1]] if mode else "unknown",
        line=port.line,
    )


def _load_balancing(config: Config) -> Iterator[LoadBalancing]:
    for block, _ in find(config.top, r"ip load-sharing .*"):
        mode = "per_packet" if "per-packet" in block.text else "hash"
        yield LoadBalancing(scope="ecmp", mode=mode, raw=block.text, line=block.line)
    for block, _ in find(config.top, r"port-channel load-balance .*"):
        yield LoadBalancing(scope="lag", mode="hash", raw=block.text, line=block.line)
    for block, _ in find(config.top, r"hardware profile dlb"):
        said = last(block.children, r"mode (\S+)")
        mode = _DLB_MODES.get(said[1][1], "adaptive") if said else "flowlet"
        yield LoadBalancing(scope="ecmp", mode=mode, raw=block.text, line=block.line)

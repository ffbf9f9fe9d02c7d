"""Interfaces, bonds, overlays and hashing in a configuration of NVUE."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.switches.nvidia_cumulus.names import expanded, kind, physical
from fabric_audit.platforms.switches.nvidia_cumulus.qos_model import Used, Watch
from fabric_audit.platforms.switches.nvidia_cumulus.settings import Setting
from fabric_audit.platforms.switches.nvidia_cumulus.shown import flag
from fabric_audit.platforms.text import integer, speed_bps

_PROFILES = {
    "mapping": "mapping",
    "pfc": "pfc",
    "congestion-control": "marking",
    "egress-scheduler": "scheduler",
    "link-pause": "pause",
    "remark": "remark",
}
_KINDS = {"bond": "bond", "peerlink": "bond", "svi": "vlan", "sub": "vlan", "loopback": "virtual", "eth": "management"}
_FEC = {"rs": "rs", "baser": "fc", "off": "none", "auto": "auto"}
_HASHED = {
    "source-ip": "src_ip",
    "destination-ip": "dst_ip",
    "source-port": "src_port",
    "destination-port": "dst_port",
    "ip-protocol": "protocol",
}
_DSCP_MODES = {"copy": "copy", "set": "fixed"}


def ports(root: Setting) -> dict[str, list[Setting]]:
    """Every interface with the settings that name it, alone or in a list; parts in place of a broken out port."""
    found: dict[str, list[Setting]] = {}
    for names, setting in (root.at("interface") or Setting()).below.items():
        for name in expanded(names, setting.line):
            found.setdefault(name, []).append(setting)
    for name in _named_elsewhere(root):
        found.setdefault(name, [])
    for name in [cage for cage in found if re.fullmatch(r"swp\d+", cage)]:
        parts = _breakout(found[name])
        if parts:
            settings = found.pop(name)
            for part in range(parts):
                found.setdefault(f"{name}s{part}", []).extend(settings)
    return found


def _breakout(settings: list[Setting]) -> int:
    said = [mode for setting in settings for mode in (setting.at("link", "breakout") or Setting()).below]
    parts = re.match(r"(\d)x", said[-1]) if said else None
    return int(parts[1]) if parts and int(parts[1]) > 1 else 0


def _named_elsewhere(root: Setting) -> Iterator[str]:
    """Members of bonds, and ports with a BGP session of their own."""
    for setting in (root.at("interface") or Setting()).below.values():
        for names, told in (setting.at("bond", "member") or Setting()).below.items():
            yield from expanded(names, told.line)
    for vrf in (root.at("vrf") or Setting()).below.values():
        neighbors = vrf.at("router", "bgp", "neighbor") or Setting()
        yield from (name for name in neighbors.below if physical(name))


def _last(settings: list[Setting], *path: str) -> tuple[str | None, int | None]:
    for setting in reversed(settings):
        said = setting.value(*path)
        if said is not None:
            return said, setting.line_of(*path)
    return None, None


def used(root: Setting) -> Iterator[Used]:
    """Each front panel port with the QoS profiles that it uses."""
    for name, settings in ports(root).items():
        if not physical(name):
            continue
        chosen = {sort: _profile(settings, word) for word, sort in _PROFILES.items()}
        watched = [setting.at("qos", "pfc-watchdog") for setting in settings]
        state, line = _last(settings, "qos", "pfc-watchdog", "state")
        on = any(watched) and flag(state or "on") is not False
        line = line or next((watch.line for watch in watched if watch), None)
        yield Used(
            port=name,
            line=settings[0].line if settings else None,
            profile={sort: profile for sort, profile in chosen.items() if profile},
            watch=Watch(on=on, line=line),
        )


def _profile(settings: list[Setting], word: str) -> str | None:
    named, _ = _last(settings, "qos", word, "profile")
    direct, _ = _last(settings, "qos", word)
    return named or (direct if direct != "profile" else None)


def facts(root: Setting, trusting: Mapping[str, Interface]) -> Iterator[Answer]:
    """Every interface, its addresses, bonds, the VXLAN tunnel and how load is balanced.

    ``trusting`` has what front panel ports classify by, and their pause.
    """
    for name, settings in ports(root).items():
        yield _interface(name, settings, trusting.get(name, Interface(port=name)))
        for family in ("ip", "ipv4", "ipv6"):
            for setting in settings:
                for address, told in (setting.at(family, "address") or Setting()).below.items():
                    if "/" in address:
                        yield Address(port=name, address=address, line=told.line)
        yield from _bond(name, settings)
    yield from _vxlan(root)
    yield from _balancing(root)


def _interface(name: str, settings: list[Setting], classified: Interface) -> Interface:
    state, _ = _last(settings, "link", "state")
    mtu, mtu_line = _last(settings, "link", "mtu")
    speed, speed_line = _last(settings, "link", "speed")
    fec, _ = _last(settings, "link", "fec")
    sort, _ = _last(settings, "type")
    described, _ = _last(settings, "description")
    more, _ = _last(settings, "link", "description")
    front = physical(name)
    bytes_ = integer(mtu, mtu_line or 0, "an MTU in bytes") if mtu else 9216 if front else None
    return replace(
        classified,
        admin_up=state != "down",
        mtu_bytes=bytes_,
        mtu_kind="ip" if bytes_ is not None else None,
        fec_mode=_FEC.get(fec or "auto") if front else None,
        description=described or more,
        kind=kind(name) or _KINDS.get(sort or ""),
        admin_speed_bps=speed_bps(speed, speed_line or 0) if speed and speed != "auto" else None,
        line=mtu_line or (settings[0].line if settings else classified.line),
    )


def _bond(name: str, settings: list[Setting]) -> Iterator[Answer]:
    members = [
        (port, told.line)
        for setting in settings
        for names, told in (setting.at("bond", "member") or Setting()).below.items()
        for port in expanded(names, told.line)
    ]
    if not members:
        return
    mode, _ = _last(settings, "bond", "mode")
    number, _ = _last(settings, "bond", "mlag", "id")
    segment, _ = _last(settings, "evpn", "multihoming", "segment", "local-id")
    peer = f"mlag {number}" if number else f"esi {segment}" if segment else None
    protocol = "static" if mode == "static" else "lacp"
    yield Lag(lag=name, protocol=protocol, peer=peer, line=settings[0].line)
    for port, line in members:
        yield LagMember(lag=name, port=port, mode="on" if protocol == "static" else "active", line=line)


def _vxlan(root: Setting) -> Iterator[Answer]:
    vxlan = root.at("nve", "vxlan")
    if vxlan is None:
        return
    switched = vxlan.value("enable") or vxlan.value("state")
    action = vxlan.value("encapsulation", "dscp", "action")
    port = vxlan.value("port")
    domains = (root.at("bridge", "domain") or Setting()).below.values()
    vnis = sum(
        len((vlan.at("vni") or Setting()).below)
        for domain in domains
        for vlan in (domain.at("vlan") or Setting()).below.values()
    )
    yield Vxlan(
        port="nve",
        present=flag(switched or "on"),
        source=vxlan.value("source", "address"),
        udp_port=int(port) if port and port.isdigit() else 4789,
        vnis=vnis,
        dscp_mode=_DSCP_MODES.get(action or "", "unknown"),
        line=vxlan.line_of("encapsulation", "dscp", "action") or vxlan.line,
    )


def _balancing(root: Setting) -> Iterator[Answer]:
    adaptive = root.at("router", "adaptive-routing")
    if adaptive:
        switched = root.value("router", "adaptive-routing", "enable") or root.value(
            "router", "adaptive-routing", "state"
        )
        on = flag(switched or "on")
        yield LoadBalancing(
            scope="ecmp", mode="adaptive" if on else "hash", raw="router adaptive-routing", line=adaptive.line
        )
    seed = root.value("system", "forwarding", "hash-seed")
    for word, scope in (("ecmp-hash", "ecmp"), ("lag-hash", "lag")):
        hashed = root.at("system", "forwarding", word)
        if hashed and not (adaptive and scope == "ecmp"):
            fields = dict.fromkeys(_HASHED, True)
            fields |= {name: flag(next(iter(told.below), "on")) is not False for name, told in hashed.below.items()}
            listed = ",".join(_HASHED.get(name, name) for name, on in fields.items() if on)
            yield LoadBalancing(scope=scope, mode="hash", fields=listed, seed=seed, line=hashed.line)

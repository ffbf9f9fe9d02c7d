"""The section that reads a configuration of VRP."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Network

from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Address, Interface, LldpPort
from fabric_audit.facts.profiles import BrokenReference, EcnProfile, QosMapEntry, SchedulerPolicy
from fabric_audit.facts.qos import DscpMap, PcpMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember, Vxlan
from fabric_audit.facts.system import System
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.landings import Landing, identical, rows
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.huawei_vrp.config_qos import (
    Common,
    buffers,
    common,
    pfc,
    queues,
    trust_is_clear,
    unread,
    watchdogs,
)
from fabric_audit.platforms.switches.huawei_vrp.names import kind
from fabric_audit.platforms.switches.huawei_vrp.running_config import Config, read_config, said, sized

DEFAULT_FRAME = 9216
_MBIT = 10**6
_TRUSTS = {"dscp": "dscp", "8021p": "pcp", "none": "port", "upstream none": "none"}
_FECS = {"rs": "rs", "base-r": "fc", "base": "fc", "none": "none", "disable": "none"}
_TABLES = (
    System,
    Interface,
    Address,
    LldpPort,
    PfcPort,
    PfcWatchdog,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    QosMapEntry,
    Queue,
    EcnProfile,
    SchedulerPolicy,
    PriorityGroup,
    BufferPool,
    BrokenReference,
    Lag,
    LagMember,
    Vxlan,
)


@section(
    "current-configuration",
    Cli("display current-configuration"),
    yields=_TABLES,
    proven=Provenance.DOCUMENT,
    timeout_s=60.0,
)
def parse_current_configuration(output: Output) -> Iterator[Answer]:
    """``display current-configuration``, or a saved configuration, resolved to each physical port.

    PFC is on where a port has ``dcb pfc enable``, forced or with ``mode auto`` by DCBX; the profile it names, or the
    one called default, has the priorities, 3 without a line of its own. ``dcb pfc global disable`` switches all off.

    A queue marks only with ``qos queue N ecn`` and a drop profile (its line ``ecn``, else that of green packets), or
    where AI ECN computes thresholds. Some models ask for ``qos ecn enable`` besides; ``display qos ecn threshold``
    tells what is in force. Without a line: trust 802.1p, strict priority, no WRED, DSCP by its upper three bits.

    The MTU of a port is that of IP packets which the CPU forwards; the size of frames is ``jumboframe enable``.
    Deadlock detection is on or off by default depending on the model: without a line it cannot be told.

    Sources: Huawei CE6800 V300R023C00 command reference and configuration guide, DCB, QoS, AI ECN.
    """
    config = read_config(output.stdout)
    yield from config.skipped
    yield from _system(config)
    yield from _profiles(config)
    yield from _pools(config)
    shared = common(config)
    if (
        not shared.off
        and not shared.watched
        and any(said(block, r"dcb pfc enable.*") for block in config.ports.values())
    ):
        words = "no line of deadlock detection: whether it is on by default depends on the model"
        yield Missing(PfcWatchdog.TABLE, Why.NOT_SUPPORTED, words, "enabled")
    for port, block in config.ports.items():
        yield from _port(port, block, config, shared)


def _system(config: Config) -> Iterator[Answer]:
    for block, found in find(config.top, r"sysname (\S+)"):
        yield System(name=found[1], os="huawei_vrp", os_version=config.version, line=block.line)


def _profiles(config: Config) -> Iterator[Answer]:
    for name, drop in config.drops.items():
        if not drop.line or not drop.readable:
            continue
        marks = drop.ecn or drop.green
        absolute = marks.unit == "bytes"
        yield EcnProfile(
            profile=name,
            ecn=None if drop.ecn is None else not drop.ecn.never,
            ecn_min_bytes=marks.low if absolute else None,
            ecn_max_bytes=marks.high if absolute else None,
            ecn_mark_pct=float(marks.share),
            wred_drops=not drop.green.never,
            ecn_raw=None if absolute else marks.raw,
            line=drop.line,
        )
    for name, shares in config.ets.items():
        for queue, share in sorted(shares.items()) if any(share.line for share in shares.values()) else ():
            yield SchedulerPolicy(
                policy=name, queue=queue, scheduler=share.scheduler, weight=share.weight, line=share.line
            )
    for block, named in find(config.top, r"dcb pfc uplink group (\S+)"):
        for line, found in block.find(r"adjust original-dscp (\d{1,2}) to priority ([0-7]) dscp \d{1,2}"):
            yield QosMapEntry(
                map_kind="dscp_tc",
                map_name=f"uplink-group {named[1]}",
                source_value=int(found[1]),
                target_value=int(found[2]),
                line=line.line,
            )


def _pools(config: Config) -> Iterator[Answer]:
    pattern = r"qos buffer headroom-pool size (\d+) (bytes|kbytes|mbytes)(?: (slot \d+(?: chip \d+)?))?"
    for block, found in find(config.top, pattern):
        size = sized(found[1], found[2], "kbytes")
        name = f"headroom {found[3]}" if found[3] else "headroom"
        yield BufferPool(pool=name, direction="ingress", size_bytes=size, shared_headroom_bytes=size, line=block.line)


def _port(port: str, block: Block, config: Config, shared: Common) -> Iterator[Answer]:
    sort = kind(port)
    trunk = said(block, r"eth-trunk (\d+)(?: .*)?")
    outer = config.ports.get(f"Eth-Trunk{trunk[1][1]}") if trunk else None
    trusted = _trust(block) or (_trust(outer) if outer else None)
    yield _interface(port, block, trusted)
    yield from _addresses(port, block)
    yield from _bundle(port, block)
    yield from _tunnel(port, block)
    if sort != "physical":
        return
    yield _lldp(port, block, config)
    yield from unread(block)
    yield from pfc(port, block, config, shared)
    yield from watchdogs(port, block, config, shared)
    yield from buffers(port, block, config, shared)
    yield from queues(port, block, config, shared)
    yield from _maps(port, block, outer, config)


def _trust(block: Block) -> str | None:
    found = said(block, r"trust (dscp|8021p|none|upstream none)(?: (?:inner|outer|override))*")
    return found[1][1] if found else None


def _interface(port: str, block: Block, trusted: str | None) -> Interface:
    front = kind(port) == "physical"
    frame = said(block, r"jumboframe enable (\d{3,5})(?: \d+)?")
    packet = said(block, r"mtu (\d{2,5})(?: .*)?")
    speed = said(block, r"speed (\d{2,6})(?: .*)?")
    described = said(block, r"description (.+)")
    fec = said(block, r"fec mode (\S+)")
    routed = kind(port) == "vlan" and packet is not None
    size = int(packet[1][1]) if routed and packet else DEFAULT_FRAME if front else None
    size = int(frame[1][1]) if frame else size
    pause = said(block, r"flow-control")
    ways = {way: said(block, rf"flow-control {way}") or pause for way in ("receive", "send")}
    return Interface(
        port=port,
        admin_up=last(block.children, r"shutdown") is None,
        mtu_bytes=size,
        mtu_kind="l2" if front else "ip" if routed else None,
        trust_mode=_TRUSTS[trusted or "8021p"] if front and trust_is_clear(block) else None,
        link_pause_rx=ways["receive"] is not None if front else None,
        link_pause_tx=ways["send"] is not None if front else None,
        description=described[1][1] if described else None,
        kind=kind(port),
        admin_speed_bps=int(speed[1][1]) * _MBIT if speed else None,
        fec_mode=_FECS.get(fec[1][1]) if fec else None,
        line=block.line,
    )


def _addresses(port: str, block: Block) -> Iterator[Answer]:
    pattern = r"ip address (\d{1,3}(?:\.\d{1,3}){3}) (\d{1,2}|\d{1,3}(?:\.\d{1,3}){3})(?: sub)?"
    for line, found in block.find(pattern):
        try:
            length = IPv4Network(f"0.0.0.0/{found[2]}").prefixlen
        except ValueError:
            continue
        yield Address(port=port, address=f"{found[1]}/{length}", line=line.line)


def _bundle(port: str, block: Block) -> Iterator[Answer]:
    member = said(block, r"eth-trunk (\d+)(?: mode (active|passive))?")
    if member and kind(port) == "physical":
        yield LagMember(lag=f"Eth-Trunk{member[1][1]}", port=port, mode=member[1][2], line=member[0].line)
    if kind(port) != "bond":
        return
    mode = said(block, r"mode (lacp-static|lacp-dynamic|lacp|manual load-balance|manual backup)")
    least = said(block, r"least active-linknumber (\d+)|lacp? least active-linknumber (\d+)")
    pair = said(block, r"dfs-group (\d+ m-lag \d+)(?: .*)?")
    yield Lag(
        lag=port,
        protocol="lacp" if mode and mode[1][1].startswith("lacp") else "static",
        min_links=int(least[1][1] or least[1][2]) if least else None,
        peer=f"dfs-group {pair[1][1]}" if pair else None,
        line=block.line,
    )


def _tunnel(port: str, block: Block) -> Iterator[Answer]:
    if not re.fullmatch(r"Nve\d+", port):
        return
    source = said(block, r"source (\S+)")
    vnis = {found[1] for _, found in block.find(r"vni (\d+) .*")}
    yield Vxlan(
        port=port,
        present=last(block.children, r"shutdown") is None and source is not None,
        source=source[1][1] if source else None,
        vnis=len(vnis),
        line=block.line,
    )


def _lldp(port: str, block: Block, config: Config) -> LldpPort:
    everywhere = last(config.top, r"lldp enable") is not None
    undone = last(block.children, r"undo lldp enable|lldp admin-status disable") is not None
    on = False if undone else True if everywhere else None
    way = said(block, r"lldp admin-status (tx|rx|txrx)|lldp admin-status (tx|rx) .*")
    only = (way[1][1] or way[1][2]) if way else "txrx"
    return LldpPort(
        port=port,
        transmit=on and "tx" in only if on is not None else None,
        receive=on and "rx" in only if on is not None else None,
        dcbx=last(block.children, r"lldp tlv-enable dcbx") is not None,
        line=block.line,
    )


def _maps(port: str, block: Block, outer: Block | None, config: Config) -> Iterator[Answer]:
    found = said(block, r"trust upstream (\S+)") or (said(outer, r"trust upstream (\S+)") if outer else None)
    name = found[1][1] if found else "default"
    domain = config.domains.get(name)
    if domain is None and name != "none":
        yield BrokenReference(
            owner=port, field="trust upstream", target=f"diffserv domain {name}", line=found[0].line if found else None
        )
    unknown: dict[int, Landing] = {}
    yield from rows(
        port,
        block.line,
        dscp=domain.dscp if domain else unknown,
        pcp=domain.pcp if domain else unknown,
        queues=identical(),
    )

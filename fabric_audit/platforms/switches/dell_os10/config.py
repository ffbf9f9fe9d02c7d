"""The section that reads a configuration of OS10."""

import re
from collections.abc import Iterator

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Address, Interface, LldpPort
from fabric_audit.facts.profiles import BrokenReference, EcnProfile
from fabric_audit.facts.qos import DscpMap, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember
from fabric_audit.facts.system import System
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.dell_os10.config_qos import BYTES_PER_KB, maps, pfc, queues, skipped, trust
from fabric_audit.platforms.switches.dell_os10.names import kind
from fabric_audit.platforms.switches.dell_os10.running_config import Config, Port, read_config

DEFAULT_MTU = 1532
_TABLES = (
    System,
    Interface,
    Address,
    LldpPort,
    PfcPort,
    PfcPriorityMap,
    PriorityGroup,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    Queue,
    EcnProfile,
    BrokenReference,
    Lag,
    LagMember,
)


@section(
    "running-config",
    Cli("show running-configuration"),
    yields=_TABLES,
    proven=Provenance.FIELD,
    timeout_s=60.0,
)
def parse_running_config(output: Output) -> Iterator[Answer]:
    """``show running-configuration``, or a saved configuration.

    PFC needs ``priority-flow-control mode on`` on the port and a network-qos policy whose class has ``pause`` and
    ``pfc-cos``, on the port or under ``system qos``; ``pause`` alone sets buffers of 802.3x. Sizes are in KB, taken as
    1024 bytes: ``pause-threshold`` is the fill at which pause is sent. ECN needs a WRED profile with ``random-detect
    ecn``, bound to the queue by the class of a queuing policy. Without a line: no PFC, nothing trusted, everything in
    qos-group 0, a qos-group in the queue of its number, MTU 1532.

    The MTU of OS10 is that of the frame: 1532 carries IP packets of 1500 bytes. ``interface range`` is written out as
    its ports. A configuration of FTOS 9, with ``dcb-map``, is refused.

    Sources: Dell SmartFabric OS10 User Guide 10.5; configurations for Azure Local.
    """
    config = read_config(output.stdout)
    yield from config.skipped
    named = last(config.top, r"hostname (\S+)")
    if named:
        yield System(name=named[1][1], os="dell_os10", line=named[0].line)
    for name, profile in config.wred.items():
        if profile is None:
            continue
        yield EcnProfile(
            profile=name,
            ecn=profile.ecn,
            ecn_min_bytes=profile.low * BYTES_PER_KB if profile.low is not None else None,
            ecn_max_bytes=profile.high * BYTES_PER_KB if profile.high is not None else None,
            ecn_mark_pct=float(profile.share) if profile.share is not None else None,
            wred_drops=not profile.ecn,
            ecn_raw=f"{profile.low} to {profile.high} KB" if profile.low is not None else None,
            line=profile.line,
        )
    for name, port in config.ports.items():
        yield from _port(name, port, config)


def _port(name: str, port: Port, config: Config) -> Iterator[Answer]:
    yield _interface(name, port, config)
    for line, found in find(port.lines, r"ip address (\d{1,3}(?:\.\d{1,3}){3}/\d{1,2})(?: secondary)?"):
        yield Address(port=name, address=found[1], line=line.line)
    yield from _bundle(name, port, config)
    if kind(name) != "physical":
        return
    yield _lldp(name, port, config)
    yield from skipped(port)
    yield from pfc(name, port, config)
    yield from maps(name, port, config)
    yield from queues(name, port, config)


def _interface(name: str, port: Port, config: Config) -> Interface:
    front = kind(name) == "physical"
    size = last(port.lines, r"mtu (\d{4,5})")
    speed = last(port.lines, r"speed (\d{2,6})")
    described = last(port.lines, r"description \"?(.+?)\"?")
    ways = {way: last(port.lines, rf"flowcontrol {way} (on|off)") for way in ("receive", "transmit")}
    switched = last(port.lines, r"(no )?shutdown")
    return Interface(
        port=name,
        admin_up=switched[1][1] is not None if switched else None,
        mtu_bytes=int(size[1][1]) if size else DEFAULT_MTU if front else None,
        mtu_kind="l2" if size or front else None,
        trust_mode=trust(port, config) if front else None,
        link_pause_rx=_on(ways["receive"]) if front else None,
        link_pause_tx=_on(ways["transmit"]) if front else None,
        description=described[1][1] if described else None,
        kind=kind(name),
        admin_speed_bps=int(speed[1][1]) * 10**6 if speed else None,
        line=size[0].line if size else port.line,
    )


def _on(found: tuple[Block, re.Match[str]] | None) -> bool:
    return found is not None and found[1][1] == "on"


def _bundle(name: str, port: Port, config: Config) -> Iterator[Answer]:
    member = last(port.lines, r"channel-group (\d+)(?: mode (active|passive|on))?")
    if member and kind(name) == "physical":
        yield LagMember(lag=f"port-channel{member[1][1]}", port=name, mode=member[1][2] or "on", line=member[0].line)
    if kind(name) != "bond":
        return
    modes = {
        found[1][2] or "on"
        for other in config.ports.values()
        if (found := last(other.lines, r"channel-group (\d+)(?: mode (active|passive|on))?"))
        and f"port-channel{found[1][1]}" == name
    }
    least = last(port.lines, r"minimum-links (\d+)")
    pair = last(port.lines, r"vlt-port-channel (\d+)")
    protocol = None if not modes else "static" if modes == {"on"} else "lacp"
    yield Lag(
        lag=name,
        protocol=protocol,
        min_links=int(least[1][1]) if least else None,
        peer=f"vlt-port-channel {pair[1][1]}" if pair else None,
        line=port.line,
    )


def _lldp(name: str, port: Port, config: Config) -> LldpPort:
    """LLDP is on unless a line says no; DCBX is off unless a line switches it on for the switch."""
    on = last(config.top, r"no lldp enable") is None
    dcbx = last(config.top, r"dcbx enable") is not None and last(port.lines, r"no dcbx(?: .*)?") is None
    ways = {way: on and last(port.lines, rf"no lldp {way}") is None for way in ("transmit", "receive")}
    return LldpPort(
        port=name, transmit=ways["transmit"], receive=ways["receive"], dcbx=dcbx and ways["transmit"], line=port.line
    )

"""The section that reads a running configuration of NX-OS."""

import re
from collections.abc import Iterator

from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.facts.system import System
from fabric_audit.platforms.indented import last
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.cisco_nxos import config_classes, config_pfc, config_ports, config_queues
from fabric_audit.platforms.switches.cisco_nxos.config_lossless import lossless
from fabric_audit.platforms.switches.cisco_nxos.running_config import Config, read_config

_TABLES = (
    System,
    Interface,
    Address,
    PfcPort,
    PfcWatchdog,
    PfcPriorityMap,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    DscpRewrite,
    Queue,
    Lag,
    LagMember,
    LoadBalancing,
    Vxlan,
    BrokenReference,
)


@section("running-config", Cli("show running-config"), yields=_TABLES, proven=Provenance.DOCUMENT, timeout_s=60.0)
def parse_running_config(output: Output) -> Iterator[Answer]:
    """``show running-config``, whole or ``ipqos`` or ``interface`` alone, and configurations saved or pasted.

    PFC needs three things that stand in three places: the port's ``priority-flow-control mode`` (auto where it is
    silent, so only if a DCBX neighbour agrees), a class with ``pause`` in a policy of type network-qos, and that
    policy under ``system qos``. ``pause`` without ``pfc-cos`` (Nexus 3000 and 5000) stops the CoS that a policy of
    type qos leads into the class. The classification that puts RoCE into the class is a third policy, of the port,
    its port-channel or ``system qos``; without one everything is in group 0. A qos-group is both traffic class and
    queue. Default policies are not printed, so a silent configuration has group 7 strict and no ECN.

    A DSCP lands where an untagged packet with it lands: classes that match CoS alone do not take it. What a class
    takes by access list cannot be told, for it and for all classes behind it.

    Classes of network-qos limit the MTU on some platforms: ``queue.mtu_bytes``. A line of PFC, queuing or classes
    in an unknown form is left out and listed, and what it might have decided is None. Text that lost its
    indentation is understood. There is no last line that tells a whole configuration from one that was cut. A text
    without interfaces tells what ``system qos`` does to all of them, as rows of a port of that name.

    Sources: Cisco Nexus 9000 Series NX-OS Quality of Service Configuration Guide, 9.3 and 10.x.
    """
    config = read_config(output.stdout)
    no_drop = lossless(config)
    yield from config.skipped
    yield from _system(config)
    if not config.physical:
        yield Missing(PfcPort.TABLE, Why.ABSENT, "the text names no Ethernet interface")
    yield from config_ports.facts(config)
    yield from config_pfc.facts(config, no_drop)
    yield from config_classes.facts(config)
    yield from config_queues.facts(config, no_drop)


def _system(config: Config) -> Iterator[Answer]:
    named = last(config.top, r"(?:hostname|switchname) (\S+)")
    release = re.search(r"^version (\S+)(?: Bios:version.*)?$", config.text, re.MULTILINE)
    if named:
        yield System(name=named[1][1], os="cisco_nxos", os_version=release[1] if release else None, line=named[0].line)

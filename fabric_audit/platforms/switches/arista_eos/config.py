"""The section that reads a running configuration of EOS."""

import re
from collections.abc import Iterator

from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.facts.system import System
from fabric_audit.platforms.indented import last
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.arista_eos import config_maps, config_pfc, config_ports, config_queues
from fabric_audit.platforms.switches.arista_eos.running_config import Config, read_config

_TABLES = (
    System,
    Interface,
    Address,
    PfcPort,
    PfcWatchdog,
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
    """``show running-config``, whole or any ``section`` of it, and configurations saved or pasted from a guide.

    Every front panel port that the text names becomes rows, also where it says nothing of PFC or QoS: EOS leaves
    defaults out, and an absent line is the documented default (``absent_means`` of the platform). Inheritance is
    resolved: ``service-profile`` brings the lines of its ``qos profile``, lines of the port itself override it,
    and a member of a port-channel follows the port-channel. ``priority-flow-control all off`` stops PFC on every
    port whatever the ports say.

    A line of PFC, maps or random detection in an unknown form is left out and listed, and what it might have
    decided is None, never the default. Old spellings that are understood: ``priority-flow-control mode on``
    (4.13), ``int eth 14/1,15/1``, and text that lost its indentation. A whole configuration ends with ``end``; one
    that does not was cut and is refused.

    ECN thresholds in segments (cells of the chip) or milliseconds have no bytes; they are kept as written. kbytes
    are 1,000 bytes.

    Sources: Arista EOS user manual, chapters Quality of Service, and DCBX and Flow Control; the input schema of
    Arista's AVD collection for the spelling of each line.
    """
    config = read_config(output.stdout)
    yield from config.skipped
    yield from _system(config)
    yield from config_ports.facts(config)
    yield from config_pfc.facts(config)
    yield from config_maps.facts(config)
    yield from config_queues.facts(config)


def _system(config: Config) -> Iterator[Answer]:
    device = re.search(r"^! device: (\S+) \(([^,()]+), (?:EOS-)?([^()]+)\)", config.text, re.MULTILINE)
    named = last(config.top, r"hostname (\S+)")
    image = re.search(r"^! boot system \S+?EOS(?:64)?-([0-9][^/\s]*?)\.swi\b", config.text, re.MULTILINE)
    if device or named:
        yield System(
            name=named[1][1] if named else device[1] if device else "",
            os="arista_eos",
            os_version=device[3].strip() if device else image[1] if image else None,
            model=device[2].strip() if device else None,
            line=named[0].line if named else None,
        )

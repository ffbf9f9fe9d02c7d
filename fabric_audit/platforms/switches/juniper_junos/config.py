"""The sections that read a configuration of Junos."""

from collections.abc import Iterator

from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Address, Interface
from fabric_audit.facts.profiles import BrokenReference, PfcProfile
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.facts.system import System
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.juniper_junos import config_classes, config_pfc, config_ports, config_queues
from fabric_audit.platforms.switches.juniper_junos.running_config import read_config

_COS = (
    PfcPort,
    PfcWatchdog,
    PfcPriorityMap,
    PfcProfile,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    DscpRewrite,
    Queue,
    BufferPool,
    BrokenReference,
)
_TABLES = (System, Interface, Address, Lag, LagMember, LoadBalancing, Vxlan, *_COS)


@section(
    "running-config",
    Cli("show configuration | display inheritance no-comments | no-more"),
    yields=_TABLES,
    proven=Provenance.DOCUMENT,
    timeout_s=60.0,
)
@section("show-configuration-class-of-service", yields=_COS, proven=Provenance.DOCUMENT)
def parse_configuration(output: Output) -> Iterator[Answer]:
    """``show configuration``, whole or ``class-of-service`` alone, with braces or ``| display set``.

    Class of service is resolved to each physical port that the text names: its own lines, then those of its
    aggregate, of wildcards (``et-*``), of ``all``. ``apply-groups`` and ``interface-range`` are resolved too, so a
    saved configuration need not be asked for with ``display inheritance``. Where only wildcards are named they stand
    for their ports. Deactivated statements count as not there.

    Code points are binary: ``011010`` is DSCP 26, ``011`` priority 3. A *congestion notification profile* makes PFC:
    its input stanza says for which packets pause is sent, by priority or by DSCP; the priority of a DSCP is the
    ``pfc-priority`` of the class that the port's classifier puts it in. Its output stanza says which priorities stop
    which queues; without one 3 and 4 do. ``pfc-watchdog`` of the profile polls every 100 ms, detects after two polls,
    recovers after 200 ms and drops, unless it says otherwise.

    ECN thresholds are fill levels in percent, of a drop profile in a scheduler with
    ``explicit-congestion-notification``: there are no bytes. Buffers are shares in percent. The queue's number is the
    traffic class. DSCP values that the classifier leaves out go to best-effort. ``mtu`` counts the Ethernet header.

    Braces that do not close are refused: the text was cut.

    Source: Junos OS Class of Service User Guide for QFX, AI data centre design guides of Juniper.
    """
    config = read_config(output.stdout)
    yield from config.skipped
    named = config.root.get("system", "host-name")
    if named.word():
        yield System(
            name=named.word() or "", os="juniper_junos", os_version=config.root.get("version").word(), line=named.line
        )
    if not config.ports:
        yield Missing(PfcPort.TABLE, Why.ABSENT, "the text names no Ethernet interface")
    yield from config_ports.facts(config)
    yield from config_pfc.facts(config)
    yield from config_classes.facts(config)
    yield from config_queues.facts(config)

"""The sections that read a whole configuration of Cumulus Linux."""

import re
from collections.abc import Iterator

from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.ports import Address
from fabric_audit.facts.profiles import RoceMode
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.facts.system import System
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.nvidia_cumulus import config_ports, config_qos
from fabric_audit.platforms.switches.nvidia_cumulus.qos_facts import NAMED_TABLES, PORT_TABLES, named, of_port, trusting
from fabric_audit.platforms.switches.nvidia_cumulus.roce import MODES
from fabric_audit.platforms.switches.nvidia_cumulus.settings import Setting, Settings, from_commands, from_yaml
from fabric_audit.platforms.text import decimal

_TABLES = (System, RoceMode, Address, Lag, LagMember, LoadBalancing, Vxlan, BufferPool, *PORT_TABLES, *NAMED_TABLES)


@section(
    "nv-config-show-commands",
    Cli("nv config show -o commands"),
    yields=_TABLES,
    proven=Provenance.FIELD,
    timeout_s=60.0,
)
def parse_commands(output: Output) -> Iterator[Answer]:
    """``nv config show -o commands``, or such lines in a file.

    Every front panel port that the text names becomes rows, also where it says nothing of QoS: the macro ``qos roce``
    and the profile ``default-global`` hold for all ports, and an absent line is the documented default. A profile of
    the port overrides them. The macro's mode sets PFC, maps, shares and ECN; a later ``qos`` line changes one of them.
    ``enable on``, ``state enabled`` and ``state enable`` mean the same in different releases.

    A broken out port is its parts: ``link breakout 4x`` of swp1 makes swp1s0 to swp1s3. Mode lossy-multi-tc lands DSCP
    41 to 50 differently by release; those are None. The watchdog is off without a line, looks every 100 ms and acts
    after 3 looks. Names of switch priorities and of egress queues are kept apart: ``traffic_class`` is the switch
    priority, and NVUE's traffic class the queue.

    Source: Cumulus Linux 5.10 to 5.14 user guides, Quality of Service, and RDMA over Converged Ethernet - RoCE.
    """
    yield from _facts(from_commands(output.stdout))


@section("nv-config-show", yields=_TABLES, proven=Provenance.DOCUMENT)
def parse_yaml(output: Output) -> Iterator[Answer]:
    """``nv config show`` as YAML, which is also the form of ``/etc/nvue.d/startup.yaml``; else as the commands.

    Source: Cumulus Linux 5.12 user guide, NVUE CLI and NVUE Snippets.
    """
    yield from _facts(from_yaml(output.stdout))


def _facts(settings: Settings) -> Iterator[Answer]:
    root = settings.root
    yield from settings.skipped
    yield from config_qos.unread(root)
    mode = config_qos.roce_mode(root)
    line = root.line_of("qos", "roce", "mode") or root.line_of("qos", "roce")
    yield RoceMode(scope="switch", mode=MODES[mode] if mode else "none", mode_raw=mode or None, line=line)
    name = root.value("system", "hostname")
    if name:
        yield System(
            name=name,
            os="nvidia_cumulus",
            roce_mode=MODES[mode] if mode else "none",
            line=root.line_of("system", "hostname"),
        )
    profiles = config_qos.profiles(root)
    yield from named(profiles)
    yield from _pools(root)
    ports = {port.port: port for port in config_ports.used(root)}
    for port in ports.values():
        yield from of_port(port, profiles)
    yield from config_ports.facts(root, {name: trusting(port, profiles) for name, port in ports.items()})


def _pools(root: Setting) -> Iterator[Answer]:
    pools = root.at("qos", "traffic-pool")
    for name, told in pools.below.items() if pools else ():
        share = told.value("memory-percent")
        listed = told.at("switch-priority")
        members = (
            "".join(sorted({digit for words in listed.below for digit in re.findall(r"\d", words)})) if listed else None
        )
        yield BufferPool(
            pool=name,
            size_pct=decimal(share, told.line) if share else None,
            members=members,
            line=told.line_of("memory-percent") or told.line,
        )

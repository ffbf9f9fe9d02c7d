"""The running configuration of the CLI, resolved to every port that it shows."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import BrokenReference, EcnProfile, QosMapEntry
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.system import System
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.partial import ended, settled
from fabric_audit.platforms.switches.dell_sonic.klish import database, read_configuration
from fabric_audit.platforms.switches.dell_sonic.tables import MAPS, Configuration
from fabric_audit.platforms.switches.sonic import buffers, ecn, pfc, ports, qos, queues, watchdog
from fabric_audit.platforms.switches.sonic.database import Database, Entry, each

_YIELDS = (
    System,
    Interface,
    PfcPort,
    PfcWatchdog,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    PfcPriorityMap,
    DscpRewrite,
    Queue,
    EcnProfile,
    BufferPool,
    BrokenReference,
    QosMapEntry,
)


@section(
    "running-config",
    Cli('sonic-cli -c "show running-configuration | no-more"', heavy=True),
    yields=_YIELDS,
    proven=Provenance.FIELD,
    when=When.REQUEST,
    timeout_s=120.0,
)
def running_config(output: Output) -> Iterator[Answer]:
    """``show running-configuration`` of the CLI, whole or a part of it; ``check-config`` reads saved ones.

    Each interface that is shown is resolved with the maps and policies it binds; what a whole interface block does
    not say means SONiC's default. Maps and policies that a part does not show are unknown, not broken. Headroom is
    not in this configuration: CONFIG_DB has it. See :mod:`.klish` for the lines that are read.
    """
    text, cut = ended(output.stdout)
    found = read_configuration(text)
    if not found.tables and not found.policies:
        first = next(iter(output.stdout.strip().split("\n")))
        raise ParseError(1, first, "an interface, or a map, policy or buffer of the CLI's configuration")
    answers = (answer for answer in _answers(found) if not _is_in_doubt(answer, found))
    yield from settled(chain(answers, cut), (), "")


def _is_in_doubt(answer: Answer, found: Configuration) -> bool:
    return (getattr(answer, "port", ""), getattr(answer, "TABLE", "")) in found.doubts


def _answers(found: Configuration) -> Iterator[Answer]:
    yield from found.skipped
    tables = database(found)
    yield from _system(tables)
    for answer in ports.configured(tables):
        if isinstance(answer, Interface) and answer.port in found.silent:
            yield replace(answer, admin_up=None)  # releases differ in which of the two they leave out
        else:
            yield answer
    for topic in (pfc, qos, queues, ecn, watchdog):
        yield from topic.configured(tables)
    yield from each(tables.table("BUFFER_POOL").values(), buffers.pool_fact)
    for kind, (table, _) in MAPS.items():
        for entry in tables.table(table).values():
            yield from _rows(kind.replace("-", "_"), entry)


def _system(tables: Database) -> Iterator[System]:
    local = tables.table("DEVICE_METADATA").get("localhost")
    name = local.text("hostname") if local else None
    if local and name:
        lossless = "lossless" if local.text("roce") or local.text("buffers") else None
        yield System(name=name, os="dell_sonic", roce_mode=lossless, line=local.line)


def _rows(kind: str, entry: Entry) -> Iterator[QosMapEntry]:
    for source in entry.fields:
        yield QosMapEntry(
            map_kind=kind,
            map_name=entry.key,
            source_value=int(source),
            target_value=entry.number(source),
            line=entry.at(source),
        )

"""The running configuration: CONFIG_DB resolved to every physical port."""

from collections.abc import Iterator

from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.facts.counters import CounterPoll
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Address, Interface, PortAlias
from fabric_audit.facts.profiles import BrokenReference, BufferProfile, EcnProfile
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, PfcPriorityMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember, LoadBalancing, Vxlan
from fabric_audit.facts.system import System
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.partial import settled
from fabric_audit.platforms.switches.sonic import (
    addresses,
    buffers,
    ecn,
    lags,
    overlay,
    pfc,
    polling,
    ports,
    qos,
    queues,
    watchdog,
)
from fabric_audit.platforms.switches.sonic.database import Database, read_databases

_YIELDS = (
    System,
    Interface,
    PortAlias,
    Address,
    PfcPort,
    PfcWatchdog,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    PfcPriorityMap,
    DscpRewrite,
    Queue,
    EcnProfile,
    PriorityGroup,
    BufferPool,
    BufferProfile,
    CounterPoll,
    Lag,
    LagMember,
    LoadBalancing,
    Vxlan,
    BrokenReference,
)
_TOPICS = (ports, addresses, pfc, qos, queues, ecn, buffers, watchdog, polling, lags, overlay)


@section("config-db-dump", yields=_YIELDS, proven=Provenance.DOCUMENT)
@section(
    "config-db",
    Cli("sudo -n show runningconfiguration all", heavy=True),
    yields=_YIELDS,
    proven=Provenance.DOCUMENT,
    timeout_s=120.0,
)
def config_db(output: Output) -> Iterator[Answer]:
    """CONFIG_DB as JSON: ``show runningconfiguration all``, ``config_db.json``, or a ``sonic-db-dump``.

    Nested, flat and per-ASIC spellings, references with and without brackets, ranges and lists in keys, the global
    DSCP map: see :mod:`.database`. Each topic resolves them to every physical port, and an entry that is absent
    from a whole configuration means SONiC's default; :data:`.PLATFORM` lists those with their sources. A text
    without a PORT table is an excerpt: there, absence means nothing. ``line`` is the line of the key or field.
    """
    yield from settled(_of_databases(read_databases(output.stdout)), (), "")


def _of_databases(databases: tuple[Database, ...]) -> Iterator[Answer]:
    told: set[str] = set()
    for answer in (answer for database in databases for answer in _answers(database)):
        told.add(answer.TABLE if isinstance(answer, Fact) else getattr(answer, "table", ""))
        yield answer
    if not any(database.complete for database in databases):
        for fact in _YIELDS:
            if fact.TABLE not in told:
                yield Missing(fact.TABLE, Why.NOT_COLLECTED, "the text has no PORT table: it is an excerpt")


def _answers(database: Database) -> Iterator[Answer]:
    yield from _system(database)
    for topic in _TOPICS:
        yield from topic.configured(database)


def _system(database: Database) -> Iterator[Answer]:
    local = database.table("DEVICE_METADATA").get("localhost")
    if database.namespace not in ("", "localhost"):
        return
    name = local.text("hostname") if local else None
    if local is None or name is None:
        yield Missing("system", Why.ABSENT, "DEVICE_METADATA has no hostname")
        return
    yield System(name=name, os="sonic", model=local.text("hwsku"), line=local.line)

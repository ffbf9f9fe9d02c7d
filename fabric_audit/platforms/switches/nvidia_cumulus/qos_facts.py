"""QoS profiles of Cumulus Linux as facts: by their names, and resolved to each port."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import (
    BrokenReference,
    BufferProfile,
    EcnProfile,
    PfcProfile,
    QosMapEntry,
    SchedulerPolicy,
    TrustProfile,
)
from fabric_audit.facts.qos import DscpMap, DscpRewrite, PcpMap, Queue, TrafficClassMap
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.switches.nvidia_cumulus.names import kind
from fabric_audit.platforms.switches.nvidia_cumulus.qos_model import (
    DEFAULT,
    NUMBERS,
    Mapped,
    Marking,
    Pfc,
    Profiles,
    Said,
    Share,
    Used,
)

PORT_TABLES = (
    PfcPort,
    PfcWatchdog,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    DscpRewrite,
    Queue,
    PriorityGroup,
    Interface,
    BrokenReference,
)
NAMED_TABLES = (TrustProfile, QosMapEntry, PfcProfile, BufferProfile, EcnProfile, SchedulerPolicy)
AnyT = TypeVar("AnyT")


def named(profiles: Profiles) -> Iterator[Answer]:
    """Every profile by its name."""
    for name, mapped in profiles.mapping.items():
        yield from _map(name, mapped)
    for priority, said in profiles.queue_of.items():
        yield _entry("tc_queue", DEFAULT, priority, said)
    for name, pfc in profiles.pfc.items():
        yield from _pfc_profile(name, pfc)
    for name, queues in profiles.marking.items():
        yield from (_ecn_profile(f"{name} traffic-class {queue}", queues[queue]) for queue in sorted(queues))
    for name, shares in profiles.scheduler.items():
        yield from (_share(name, queue, shares[queue]) for queue in sorted(shares))


def _map(name: str, mapped: Mapped) -> Iterator[Answer]:
    yield TrustProfile(profile=name, trust_mode=mapped.trust, default_class=mapped.default, line=mapped.line)
    for sort, landings in (("dscp_tc", mapped.dscp), ("dot1p_tc", mapped.pcp)):
        yield from (_entry(sort, name, value, said) for value, said in landings.items())


def _entry(sort: str, name: str, value: int, said: Said) -> QosMapEntry:
    return QosMapEntry(map_kind=sort, map_name=name, source_value=value, target_value=said.value, line=said.line)


def _share(name: str, queue: int, share: Share) -> SchedulerPolicy:
    return SchedulerPolicy(policy=name, queue=queue, scheduler=_sort(share), weight=share.weight, line=share.line)


def _pfc_profile(name: str, pfc: Pfc) -> Iterator[Answer]:
    for direction, on in (("input", pfc.tx), ("output", pfc.rx)):
        for priority in NUMBERS:
            lossless = on and priority in pfc.priorities
            yield PfcProfile(
                profile=name,
                direction=direction,
                code_field="pcp",
                code_point=priority,
                pfc=lossless,
                line=pfc.line,
            )
    yield BufferProfile(
        profile=name,
        size_bytes=pfc.size_bytes,
        pause_at_bytes=pfc.pause_at_bytes,
        xon_bytes=pfc.xon_bytes,
        xoff_bytes=_headroom(pfc),
        cable_length_m=pfc.cable_m,
        line=pfc.line,
    )


def _headroom(pfc: Pfc) -> int | None:
    if pfc.size_bytes is None or pfc.pause_at_bytes is None:
        return None
    return max(pfc.size_bytes - pfc.pause_at_bytes, 0)


def _ecn_profile(name: str, marking: Marking) -> EcnProfile:
    return EcnProfile(
        profile=name,
        ecn=marking.ecn,
        ecn_min_bytes=marking.min_bytes,
        ecn_max_bytes=marking.max_bytes,
        ecn_mark_pct=marking.pct,
        wred_drops=marking.red and not marking.ecn,
        line=marking.line,
    )


def _sort(share: Share) -> str:
    return "strict" if share.weight is None else "dwrr"


def of_port(used: Used, profiles: Profiles) -> Iterator[Answer]:
    """All rows of one port; a profile that does not exist leaves the default in force and is a broken reference."""
    for sort, name in used.profile.items():
        if name not in getattr(profiles, sort):
            yield BrokenReference(owner=used.port, field=f"qos {sort} profile", target=name, line=used.line)
    pfc = _chosen(profiles.pfc, used, "pfc") or Pfc()
    yield _pfc_port(used, pfc)
    if pfc.priorities:
        yield from _groups(used, pfc)
    yield PfcWatchdog(
        port=used.port,
        queue=-1,
        enabled=used.watch.on and bool(pfc.priorities),
        action="drop",
        detect_ms=profiles.poll_ms * profiles.polls,
        poll_ms=profiles.poll_ms,
        line=used.watch.line or used.line,
    )
    yield from _classified(used, profiles)
    yield from _queues(used, profiles)
    yield from _rewritten(used, profiles)


def _chosen(named_ones: Mapping[str, AnyT], used: Used, sort: str) -> AnyT | None:
    own = named_ones.get(used.profile.get(sort, DEFAULT))
    return named_ones.get(DEFAULT) if own is None else own


def _pfc_port(used: Used, pfc: Pfc) -> PfcPort:
    digits = "".join(map(str, sorted(pfc.priorities)))
    both = pfc.rx and pfc.tx
    return PfcPort(
        port=used.port,
        mode="on" if digits else "off",
        admin_priorities=digits,
        oper_priorities="" if digits and not both else None,
        rx_enabled=pfc.rx and bool(digits),
        tx_enabled=pfc.tx and bool(digits),
        source="configuration",
        line=pfc.line or used.line,
    )


def _groups(used: Used, pfc: Pfc) -> Iterator[Answer]:
    """Buffers of the lossless priorities, where a line sets them; a group is named by its switch priority."""
    if pfc.size_bytes is None and pfc.pause_at_bytes is None:
        return
    for priority in pfc.priorities:
        yield PriorityGroup(
            port=used.port,
            pg=priority,
            lossless=pfc.tx,
            size_bytes=pfc.size_bytes,
            pause_at_bytes=pfc.pause_at_bytes,
            xon_bytes=pfc.xon_bytes,
            xoff_bytes=_headroom(pfc),
            cable_length_m=pfc.cable_m,
            line=pfc.line,
        )


def _classified(used: Used, profiles: Profiles) -> Iterator[Answer]:
    mapped = _chosen(profiles.mapping, used, "mapping")
    if mapped is None:
        return
    for dscp, said in mapped.dscp.items():
        yield DscpMap(port=used.port, dscp=dscp, traffic_class=said.value, line=said.line or used.line)
    for pcp, said in mapped.pcp.items():
        yield PcpMap(port=used.port, pcp=pcp, traffic_class=said.value, line=said.line or used.line)
    for priority, said in profiles.queue_of.items():
        yield TrafficClassMap(port=used.port, traffic_class=priority, queue=said.value, line=said.line or used.line)


def trusting(used: Used, profiles: Profiles) -> Interface:
    """What a port classifies by, and its 802.3x pause."""
    mapped = _chosen(profiles.mapping, used, "mapping")
    pause = profiles.pause.get(used.profile.get("pause", DEFAULT))
    return Interface(
        port=used.port,
        trust_mode=mapped.trust if mapped else None,
        kind=kind(used.port),
        link_pause_rx=pause.rx if pause else False,
        link_pause_tx=pause.tx if pause else False,
        line=(mapped.line if mapped else None) or used.line,
    )


def _queues(used: Used, profiles: Profiles) -> Iterator[Answer]:
    marking = _chosen(profiles.marking, used, "marking")
    shares = _chosen(profiles.scheduler, used, "scheduler")
    for queue in NUMBERS if marking is not None or shares is not None else ():
        row = Queue(port=used.port, queue=queue, line=used.line)
        if shares is not None:
            row = _shared(row, shares.get(queue, Share(0)))
        yield row if marking is None else _marked(row, marking.get(queue, Marking(ecn=False)))


def _shared(row: Queue, share: Share) -> Queue:
    weight = None if share.weight is None else float(share.weight)
    return replace(row, scheduler=_sort(share), weight_pct=weight, line=share.line or row.line)


def _marked(row: Queue, mark: Marking) -> Queue:
    if not mark.ecn:
        return replace(row, ecn=False, wred_drops=mark.red)
    return replace(
        row,
        ecn=True,
        ecn_min_bytes=mark.min_bytes,
        ecn_max_bytes=mark.max_bytes,
        ecn_mark_pct=mark.pct,
        ecn_drops_non_ect=mark.red,
        wred_drops=False,
        line=mark.line or row.line,
    )


def _rewritten(used: Used, profiles: Profiles) -> Iterator[Answer]:
    remark = profiles.remark.get(used.profile.get("remark", DEFAULT))
    if remark and remark.on:
        for priority, said in remark.dscp.items():
            yield DscpRewrite(port=used.port, traffic_class=priority, dscp=said.value, line=said.line)

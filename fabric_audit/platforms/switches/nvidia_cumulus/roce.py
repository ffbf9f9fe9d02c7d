"""RoCE as Cumulus Linux runs it: ``nv show qos roce`` for the switch, ``... qos roce status`` for a port."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import EcnProfile, PfcProfile, QosMapEntry, RoceMode, SchedulerPolicy, TrustProfile
from fabric_audit.facts.qos import DscpMap, PcpMap, Queue, TrafficClassMap
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.partial import of_whole_lines, settled
from fabric_audit.platforms.switches.nvidia_cumulus import pools
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Shown, flag, numbers, shown, size_bytes
from fabric_audit.platforms.switches.nvidia_cumulus.shown_json import shown_json

PRIORITIES = range(8)
MODES = {"lossless": "lossless", "lossless-single-ipool": "lossless", "lossy": "lossy", "lossy-multi-tc": "lossy"}
_TRUSTS = {
    "pcp,dscp": "dscp_pcp",
    "dscp,pcp": "dscp_pcp",
    "both": "dscp_pcp",
    "pcp": "pcp",
    "dscp": "dscp",
    "l2": "pcp",
    "l3": "dscp",
    "port": "port",
}
_SWITCH = (RoceMode, TrustProfile, PfcProfile, EcnProfile, QosMapEntry, SchedulerPolicy, BufferPool)
_PORT = (RoceMode, PfcPort, Interface, Queue, DscpMap, PcpMap, TrafficClassMap, BufferPool)
_NAME = "roce"


@section("nv-show-qos-roce", yields=_SWITCH, proven=Provenance.FIELD)
def parse_roce(output: Output) -> Iterator[Answer]:
    """``nv show qos roce`` as text: what the RoCE macro sets on every port of the switch.

    It names no port, so its rows are named ones (profile and maps ``roce``), and the mode is a row of ``roce_mode``.
    Releases up to 5.10 write ``enable on``, later ones ``state enabled``; keys come in any order. Modes lossless and
    lossless-single-ipool have PFC, lossy and lossy-multi-tc have none by design: ``pfc-priority -``. KB and MB are
    1,024 and 1,048,576 bytes. ``enabled-tc`` tells which queues mark; a class besides them does not, however the
    DSCP map looks. ``DWRR-0%`` is a queue without a share.

    Source: Cumulus Linux 5.10 to 5.14 user guides, RDMA over Converged Ethernet - RoCE.
    """
    yield from of_whole_lines(output.stdout, _of_text, _SWITCH, "no RoCE settings")


@section(
    "nv-show-qos-roce-json",
    Cli("nv show qos roce -o json"),
    yields=_SWITCH,
    proven=Provenance.CONSTRUCTED,
    timeout_s=60.0,
)
def parse_roce_json(output: Output) -> Iterator[Answer]:
    """``nv show qos roce -o json``: the settings of the text as members.

    Its tables are ``prio-map``, ``tc-map`` and ``pool-map``. A switch without RoCE answers ``{}``.

    Source: names of the NVUE object model in the NVUE command reference; no output with values was seen.
    """
    told = document(output.stdout)
    if told.empty:
        yield Missing(RoceMode.TABLE, Why.ABSENT, "{}: the RoCE macro is off")
        return
    yield from settled(_of_switch(shown_json(told)), _SWITCH, "no RoCE settings")


def _of_text(text: str) -> Iterator[Answer]:
    told = shown(text).answers(r"nv show qos roce\b")
    of_a_port = told.table("RoCE Pool Status")
    if of_a_port:
        raise ParseError(of_a_port.line, of_a_port.title, "the switch as a whole, not one port")
    yield from _of_switch(told)


def _of_switch(told: Shown) -> Iterator[Answer]:
    yield roce_mode(told, "switch")
    if told.value("trust.trust-mode"):
        trusted = told.line("trust.trust-mode")
        yield TrustProfile(profile=_NAME, trust_mode=trust(told.value("trust.trust-mode"), trusted), line=trusted)
    yield from _pfc_profile(told)
    yield from _ecn_profiles(told)
    yield from _maps(told)
    yield from _schedulers(told)
    yield from pools.facts(told)


def roce_mode(told: Shown, scope: str) -> RoceMode:
    """The mode, ``none`` where the macro is off.

    Raises:
        ParseError: it has none, or one that is not known.
    """
    word, line = told.value("mode"), told.line("mode", "enable", "state")
    off = flag(told.value("enable", "state")) is False
    if word not in MODES and not off:
        raise ParseError(line, f"mode {word}", f"a RoCE mode: {', '.join(MODES)}")
    return RoceMode(
        scope=scope,
        mode="none" if off else MODES[word],
        mode_raw=word or None,
        line=line,
    )


def trust(text: str, line: int) -> str | None:
    """What classifies packets; None where nothing is said.

    Raises:
        ParseError: the word is not known.
    """
    if not text:
        return None
    if text not in _TRUSTS:
        raise ParseError(line, text, f"a trust mode: {', '.join(_TRUSTS)}")
    return _TRUSTS[text]


def pfc_in_force(told: Shown) -> tuple[tuple[int, ...], bool | None, bool | None] | None:
    """Priorities, and whether pause is obeyed and sent; a lossy mode has none; None where nothing is said of PFC."""
    said = told.value("pfc.pfc-priority")
    priorities = numbers(said, told.line("pfc.pfc-priority"))
    if priorities:
        return priorities, flag(told.value("pfc.rx-enabled")), flag(told.value("pfc.tx-enabled"))
    return ((), False, False) if said or MODES.get(told.value("mode")) != "lossless" else None


def _pfc_profile(told: Shown) -> Iterator[Answer]:
    pfc = pfc_in_force(told)
    if pfc is None:
        yield Missing(PfcProfile.TABLE, Why.PARSE_ERROR, "mode lossless, and nothing of pfc-priority")
        return
    priorities, obeyed, sent = pfc
    for direction, on in (("input", sent), ("output", obeyed)):
        for priority in PRIORITIES:
            yield PfcProfile(
                profile=_NAME,
                direction=direction,
                code_field="pcp",
                code_point=priority,
                pfc=on if priority in priorities else False,
                line=told.line("pfc.pfc-priority", "mode"),
            )


def marking_in_force(told: Shown) -> tuple[tuple[int, ...], dict[str, int | float | str | None], int] | None:
    """Classes that mark, the thresholds, and the line; None where nothing is said of congestion."""
    classes = told.value("congestion-control.enabled-tc")
    if not classes:
        return None
    low, high, chance = (f"congestion-control.{name}" for name in ("min-threshold", "max-threshold", "probability"))
    share = told.value(chance).rstrip("%")
    if share and not re.fullmatch(r"\d{1,3}(\.\d+)?", share):
        raise ParseError(told.line(chance), share, "a probability in percent")
    known: dict[str, int | float | str | None] = {
        "ecn_min_bytes": size_bytes(told.value(low), told.line(low)),
        "ecn_max_bytes": size_bytes(told.value(high), told.line(high)),
        "ecn_mark_pct": float(share) if share else None,
        "ecn_raw": f"{told.value(low)} to {told.value(high)}" if low in told.leaves and high in told.leaves else None,
    }
    line = told.line("congestion-control.enabled-tc")
    return numbers(classes, line), known, line


def _ecn_profiles(told: Shown) -> Iterator[Answer]:
    marking = marking_in_force(told)
    if marking is None:
        return
    classes, known, line = marking
    for queue in PRIORITIES:
        if queue in classes:
            yield EcnProfile(profile=f"{_NAME} traffic-class {queue}", ecn=True, line=line, **known)  # type: ignore[arg-type]  # each has its field's type
        else:
            yield EcnProfile(profile=f"{_NAME} traffic-class {queue}", ecn=False, line=line)


def landings(told: Shown) -> Iterator[tuple[str, int, int, int]]:
    """(map, value, switch priority, line) of the classification: ``dscp_tc`` and ``dot1p_tc``."""
    table = told.table("RoCE PCP/DSCP->SP")
    for row in table.rows if table else ():
        (target,) = numbers(row.need("switch-prio"), row.line) or (None,)
        if target is None:
            raise ParseError(row.line, "  ".join(row.cells.values()), "a switch priority")
        yield from (("dot1p_tc", pcp, target, row.line) for pcp in numbers(row.need("pcp"), row.line))
        yield from (("dscp_tc", dscp, target, row.line) for dscp in numbers(row.need("dscp"), row.line, 63))


def queues(told: Shown) -> Iterator[tuple[int, int, str, int]]:
    """(switch priority, queue, scheduler, line): NVUE's traffic class is the egress queue."""
    table = told.table("RoCE SP->TC")
    for row in table.rows if table else ():
        pair = (*numbers(row.need("switch-prio"), row.line), *numbers(row.need("traffic-class"), row.line))
        if len(pair) != 2:  # noqa: PLR2004 - one priority, one queue
            raise ParseError(row.line, "  ".join(row.cells.values()), "a switch priority and a traffic class")
        yield pair[0], pair[1], row.need("scheduler-weight"), row.line


def _maps(told: Shown) -> Iterator[Answer]:
    for kind, value, target, line in landings(told):
        yield QosMapEntry(map_kind=kind, map_name=_NAME, source_value=value, target_value=target, line=line)
    for priority, queue, _, line in queues(told):
        yield QosMapEntry(map_kind="tc_queue", map_name=_NAME, source_value=priority, target_value=queue, line=line)


def scheduler(text: str, line: int) -> tuple[str, int | None]:
    """``strict-priority`` or ``DWRR-50%``.

    Raises:
        ParseError: it is something else.
    """
    found = re.fullmatch(r"dwrr-(\d{1,3})%|(strict)[- ]priority", text, re.IGNORECASE)
    if not found:
        raise ParseError(line, text, "strict-priority or DWRR-N%")
    return ("strict", None) if found[2] else ("dwrr", int(found[1]))


def _schedulers(told: Shown) -> Iterator[Answer]:
    by_queue = {queue: (text, line) for _, queue, text, line in queues(told)}
    for queue, (text, line) in sorted(by_queue.items()):
        sort, weight = scheduler(text, line)
        yield SchedulerPolicy(policy=_NAME, queue=queue, scheduler=sort, weight=weight, line=line)

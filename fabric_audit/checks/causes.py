"""Which finding is the cause of which: symptoms are folded under what explains them.

A check says what holds at its own subject. That a lossy cable makes a NIC lossy, its pairs slow and the chain break is
said here, in one table: for each symptom, the checks that can be its cause, the likeliest first. A cause explains a
symptom where both touch the same place: a port, the other end of its cable, or the target as a whole.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from fabric_audit.checks.rows import rows
from fabric_audit.findings import Finding, Result, Verdict

if TYPE_CHECKING:
    import pandas as pd

Place: TypeAlias = tuple[str, ...]
"""(target, port), (target, GPU), or (target,) for the target as a whole."""
ANYWHERE = "*"

_CLASSED = ("qos.trust-dscp", "qos.dscp-is-lossless")
_PFC = ("pfc.enabled-on-lossless-priority", "pfc.only-on-lossless-priority")
_WIRE = ("links.same-fec", "links.same-speed", "links.optics", "links.bit-errors", "counters.no-wire-errors")
_HOST = ("links.nic-active", "host.pcie-link", "host.read-request", "counters.slow-receiver")
_ADDRESSED = ("addressing.unique", "addressing.roce-v2-gid", "addressing.own-way-out", "addressing.neighbor-is-meant")
_NVLINK = ("gpu.nvlink-map", "gpu.nvlink-as-built")
_LOSS = ("counters.lossless-drops", "counters.lossy-nic", "links.mtu")

CAUSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "qos.dscp-is-lossless": ("qos.trust-dscp",),
        "qos.cnp-not-lossless": _CLASSED,
        "qos.cnp-strict": ("qos.trust-dscp", "qos.cnp-not-lossless"),
        "ecn.marks-on-lossless-queue": _CLASSED,
        "ecn.marks-not-drops": _CLASSED,
        "ecn.thresholds": (*_CLASSED, "ecn.marks-on-lossless-queue"),
        "ecn.before-pause": (*_CLASSED, "ecn.marks-on-lossless-queue"),
        "buffers.lossless-group": (*_CLASSED, *_PFC),
        "buffers.headroom": ("buffers.lossless-group",),
        "pfc.only-on-lossless-priority": ("pfc.enabled-on-lossless-priority",),
        "pfc.same-on-both-ends": _PFC,
        "pfc.watchdog-enabled": _PFC,
        "watchdog.right-queues": _PFC,
        "links.switch-mtu": ("links.mtu",),
        "links.bit-errors": ("links.same-fec", "links.optics"),
        "links.error-margin": ("links.bit-errors", "links.same-fec", "links.optics"),
        "links.nic-cabled": ("addressing.unique",),
        "links.uplinks-complete": ("links.as-planned",),
        "links.wired-as-declared": ("links.as-planned",),
        "counters.no-wire-errors": _WIRE,
        "counters.lossless-drops": (*_CLASSED, *_PFC, "pfc.same-on-both-ends", "buffers.lossless-group", "links.mtu"),
        "counters.lossy-nic": (*_WIRE, "links.mtu", "counters.lossless-drops"),
        "counters.retransmission": (*_WIRE, "links.mtu", "counters.lossless-drops"),
        "counters.pause-storm": ("counters.slow-receiver",),
        "counters.no-global-pause": ("pfc.link-pause-off",),
        "ecn.answers-marks": ("ecn.congestion-control-on", *_CLASSED),
        "qos.traffic-in-class": ("qos.class-override", *_CLASSED),
        "watchdog.no-storms": ("counters.slow-receiver", "counters.pause-storm"),
        "addressing.neighbor-is-meant": ("addressing.unique", "addressing.arp-answers"),
        "addressing.same-gid-index": ("addressing.roce-v2-gid",),
        "routing.ecmp-complete": ("routing.session-up",),
        "performance.reachable": (*_WIRE, "links.mtu", "links.nic-active", *_ADDRESSED),
        "performance.latency": (*_WIRE, *_LOSS, *_HOST, "routing.ecmp-complete"),
        "performance.slow-nic": (*_WIRE, *_LOSS, *_HOST),
        "performance.slow-leaf": ("routing.ecmp-complete", "routing.session-up", "links.uplinks-complete"),
        "performance.line-rate": ("performance.slow-nic", "performance.slow-leaf", *_WIRE, *_LOSS, *_HOST),
        "counters.slow-receiver": ("host.pcie-link", "host.read-request"),
        "gpu.peer-access": _NVLINK,
        "gdr.path-allowed": ("gdr.near-nic",),
        "gdr.works": (
            *("gdr.possible", "host.acs", "host.iommu", "performance.slow-nic"),
            *(*_WIRE, *_LOSS, *_HOST, "performance.ecmp-collision"),
        ),
        "gdr.used-by-nccl": ("gdr.possible", "gdr.near-nic", "gdr.path-allowed"),
        "nccl.near-nics": ("links.nic-active", "gdr.near-nic"),
        "topology.same-shape": (*_NVLINK, "gdr.near-nic", "links.nic-active"),
        "topology.one-generation": ("links.nic-active",),
    }
)
"""Symptom → its possible causes. What a check itself says of a finding's cause comes first."""

SHARED = frozenset(
    {
        *("counters.no-wire-errors", "counters.lossy-nic", "routing.session-up"),
        *("performance.slow-nic", "performance.line-rate", "performance.reachable"),
    }
)
"""Checks that see one fault from both of its ends, or once for each test: the first finding stands for the others."""

WHOLE = frozenset(
    {
        *("topology.same-shape", "topology.one-generation"),
        *("gdr.path-allowed", "gdr.used-by-nccl", "nccl.near-nics"),
    }
)
"""Symptoms of a target as a whole: a cause anywhere on it explains them."""


def explained(results: Sequence[Result], tables: Mapping[str, "pd.DataFrame"]) -> tuple[Result, ...]:
    """The results with every failing finding's cause, where another finding is one."""
    places = _places(tables)
    there = {f.id for result in results for f in result.findings if f.verdict is not Verdict.PASS}
    failing = [f for result in results for f in result.findings if f.verdict is Verdict.FAIL]
    causes = _by_place(failing, places)
    stands_for = dict(_shared(failing, places))

    def rooted(finding: Finding) -> Finding:
        if finding.verdict is not Verdict.FAIL:
            return finding
        own = finding.explained_by if finding.explained_by in there else ""
        cause = own or _cause(finding, places, causes) or stands_for.get(finding.id, "")
        return finding if cause == finding.explained_by else replace(finding, explained_by=cause)

    return tuple(replace(result, findings=tuple(map(rooted, result.findings))) for result in results)


@dataclass(frozen=True, slots=True)
class _Places:
    """Names of ports by which subjects call them, and what is at the other end of each."""

    targets: frozenset[str]
    ports: Mapping[Place, Place]
    """(target, name) → (target, port): rails, RDMA devices and the ports' own names."""
    opposite: Mapping[Place, Place]

    def of(self, finding: Finding) -> tuple[Place, ...]:
        """The ports a subject names; the target where it names none."""
        found: list[Place] = []
        subject = finding.subject
        for target, name in zip(subject, (*subject[1:], ""), strict=True):
            if target in self.targets:
                rail = next((word for word in subject if word.startswith("rail ")), "")
                port = self.ports.get((target, name)) or self.ports.get((target, rail))
                gpus = [(target, word) for word in subject if word.startswith("GPU") and word[3:].isdecimal()]
                found += [port] if port else gpus or [(target,)]
        return tuple(dict.fromkeys(found))


def _places(tables: Mapping[str, "pd.DataFrame"]) -> _Places:
    ports: dict[Place, Place] = {}
    for port in rows(tables["fabric_port"]):
        ports[port.target, port.port] = (port.target, port.port)
        if port.side == "nic":
            ports[port.target, f"rail {port.rail}"] = (port.target, port.port)
    for row in rows(tables["rdma_port"]):
        if (row.target, row.netdev) in ports:
            ports[row.target, row.device] = (row.target, row.netdev)
    opposite: dict[Place, Place] = {}
    for link in rows(tables["link"]):
        a, b = (link.a_target, link.a_port), (link.b_target, link.b_port)
        opposite[a], opposite[b] = b, a
    return _Places(frozenset(row.target for row in rows(tables["target"])), ports, opposite)


def _by_place(failing: Iterable[Finding], places: _Places) -> dict[tuple[str, Place], str]:
    """(check, place) → id of its first failing finding that touches the place."""
    wanted = {cause for some in CAUSES.values() for cause in some}
    found: dict[tuple[str, Place], str] = {}
    for finding in failing:
        if finding.check in wanted:
            for place in places.of(finding):
                found.setdefault((finding.check, place), finding.id)
                found.setdefault((finding.check, (*place[:1], ANYWHERE)), finding.id)
    return found


def _cause(finding: Finding, places: _Places, causes: Mapping[tuple[str, Place], str]) -> str:
    mine = places.of(finding)
    near = [*mine, *(places.opposite[place] for place in mine if place in places.opposite)]
    anywhere = [(*place[:1], ANYWHERE) for place in mine] if finding.check in WHOLE else []
    touched = dict.fromkeys((*near, *(place[:1] for place in near), *anywhere))
    for check in CAUSES.get(finding.check, ()):
        if check != finding.check:
            for place in touched:
                if (check, place) in causes:
                    return causes[check, place]
    return ""


def _shared(failing: Iterable[Finding], places: _Places) -> Iterator[tuple[str, str]]:
    """(id, id of the first finding of the same check about the same cable or pair)."""
    first: dict[tuple[str, frozenset[Place]], str] = {}
    for finding in failing:
        if finding.check in SHARED and not finding.explained_by:
            mine = places.of(finding)
            if len(mine) == 1 and len(mine[0]) == 1:
                continue
            whole = {*mine, *(places.opposite.get(place, place) for place in mine)}
            standing = first.setdefault((finding.check, frozenset(whole)), finding.id)
            if standing != finding.id:
                yield finding.id, standing

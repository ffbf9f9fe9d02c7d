"""The lossless class holds on every hop from each compute NIC through the fabric.

Why: a path is as lossless as its worst hop. Trust, DSCP map, queue, priority group, PFC at both ends of each cable, ECN
on that queue, a watchdog on it, CNPs outside of it, and congestion control that answers: one of them wrong on one port,
and all jobs behind it retransmit, with every single device's configuration valid by itself.

Fix: the finding names the first hop, counted from the NIC, where the class is lost, and the check that says how to mend
it. One broken hop breaks the chain of many NICs: theirs are consequences, the hop's own finding is the cause.

Source: RDMA over Commodity Ethernet at Scale, SIGCOMM 2016; DCQCN, SIGCOMM 2015; each hop's check names its own. The
class followed is the policy's; what a job really asks for is known only by its NCCL log (nccl.traffic-class). Over a
tunnel that does not say whether it copies DSCP and marks, the chain cannot be told.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.analysis.fabric_paths import End, Paths, Step, fabric_paths
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
RESTS_ON = ("fabric_port",)
AT_NIC = ("qos.class-override", "qos.trust-dscp", "qos.dscp-is-lossless", "pfc.enabled-on-lossless-priority")
AT_SWITCH = ("qos.trust-dscp", "qos.dscp-is-lossless", "pfc.enabled-on-lossless-priority")
ON_CABLE = ("links.mtu", "pfc.same-on-both-ends")
HELD = ("buffers.lossless-group", "ecn.marks-on-lossless-queue", "ecn.marks-not-drops", "qos.cnp-not-lossless")
GUARDED = ("pfc.watchdog-enabled", "watchdog.acts-on-storms-only")
ANSWERED = ("ecn.congestion-control-on", "ecn.cnp-marking")
"""What is looked at in turn: how a packet is classed, what the cable carries, how the queue holds it, who guards it,
and who answers its marks."""
JUDGES_BY = tuple(dict.fromkeys((*AT_NIC, *AT_SWITCH, *ON_CABLE, *HELD, *GUARDED, *ANSWERED)))

Findings: TypeAlias = Mapping[str, Sequence[Finding]]
NIC_CHECKS = (*AT_NIC, "buffers.lossless-group", "qos.cnp-not-lossless", *ANSWERED)
SWITCH_CHECKS = (*AT_SWITCH, *HELD, *GUARDED)


def check(
    fabric_port: "pd.DataFrame", link: "pd.DataFrame", vxlan: "pd.DataFrame", findings: Findings
) -> Iterator[Finding]:
    """One finding a compute NIC; where its chain breaks, the hop's own finding explains it."""
    hops = _Hops(findings, tunnels={row.target: row for row in rows(vxlan, present=True)})
    paths = fabric_paths(rows(link))
    switched = {port.target for port in rows(fabric_port) if port.side != "nic"}
    beyond: dict[str, _Walk] = {}
    for port in rows(fabric_port, side="nic"):
        end = (port.target, port.port)
        walk = hops.at(end, NIC_CHECKS, 0)
        leaf = paths.opposite.get(end)
        if leaf and leaf[0] in switched:
            if leaf[0] not in beyond:
                beyond[leaf[0]] = _beyond(hops, paths, leaf[0])
            walk = walk.then(hops.at(leaf, SWITCH_CHECKS, 1), hops.cable(end, leaf, 1), beyond[leaf[0]])
        yield _judged(end, walk, cabled=leaf is not None or not switched)


@dataclass(frozen=True, slots=True)
class _Hit:
    """A finding that does not pass, and the hop where it stands."""

    hop: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class _Walk:
    """What was met on the way: how many ports, and the first finding of each verdict that is no pass."""

    ports: int = 0
    first: Mapping[Verdict, _Hit] = field(default_factory=dict)

    def then(self, *others: "_Walk") -> "_Walk":
        ports = self.ports + sum(other.ports for other in others)
        return _Walk(ports, ChainMap(*(dict(walk.first) for walk in (self, *others))))


@dataclass(frozen=True, slots=True)
class _Hops:
    """Every finding that is no pass by check and place: a port, a target as a whole, or a cable's two ends."""

    findings: Findings
    tunnels: Mapping[str, Any]
    _by_place: dict[tuple[str, tuple[str, ...]], list[Finding]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, some in self.findings.items():
            for one in some:
                if one.verdict not in (Verdict.PASS, Verdict.SKIPPED):
                    self._by_place.setdefault((name, one.subject), []).append(one)

    def at(self, end: End, checks: Iterable[str], hop: int) -> _Walk:
        """What the checks of a port say of it, or of its target as a whole."""
        found = [one for name in checks for place in (end, end[:1]) for one in self._by_place.get((name, place), ())]
        if end[0] in self.tunnels and (told := _untold(end[0], self.tunnels[end[0]])):
            found.append(told)
        return _Walk(1, _firsts(found, hop))

    def cable(self, one: End, other: End, hop: int) -> _Walk:
        """What the checks of cables say of the one between two ends."""
        places = [(*one, *other), (*other, *one), one, other]
        found = [f for name in ON_CABLE for place in places for f in self._by_place.get((name, place), ())]
        return _Walk(0, _firsts(found, hop))


def _firsts(found: Iterable[Finding], hop: int) -> dict[Verdict, _Hit]:
    firsts: dict[Verdict, _Hit] = {}
    for one in found:
        firsts.setdefault(one.verdict, _Hit(hop, one))
    return firsts


def _untold(switch: str, tunnel: Any) -> Finding | None:
    """A tunnel that may rewrite what the chain rests on."""
    if tunnel.dscp_mode == "copy" and tunnel.ecn_copy:
        return None
    words = f"{switch} carries traffic in VXLAN {tunnel.port}; whether it copies DSCP and ECN is not told"
    return Finding(verdict=Verdict.NOT_VERIFIABLE, subject=(switch, tunnel.port), message=words)


def _beyond(hops: _Hops, paths: Paths, leaf: str) -> _Walk:
    """All that lies behind a leaf, once for all its NICs."""
    walk = _Walk()
    steps: tuple[Step, ...] = paths.beyond(leaf)
    for step in steps:
        near = hops.at(step.near, SWITCH_CHECKS, step.hop)
        far = hops.at(step.far, SWITCH_CHECKS, step.hop + 1)
        walk = walk.then(near, far, hops.cable(step.near, step.far, step.hop + 1))
    return walk


def _judged(end: End, walk: _Walk, *, cabled: bool) -> Finding:
    if broken := walk.first.get(Verdict.FAIL):
        return _lost(end, broken)
    if not cabled:
        return unknown(end, "the switch port at the other end of its cable is not known")
    if missing := walk.first.get(Verdict.UNKNOWN) or walk.first.get(Verdict.ERROR):
        return unknown(end, f"hop {missing.hop}, {' '.join(missing.finding.subject)}: {missing.finding.message}")
    if untold := walk.first.get(Verdict.NOT_VERIFIABLE):
        where = f"hop {untold.hop}, {' '.join(untold.finding.subject)}: {untold.finding.message}"
        words = f"nothing breaks it on {walk.ports} ports, but not all can be told; {where}"
        return Finding(verdict=Verdict.NOT_VERIFIABLE, subject=end, message=words)
    return Finding(verdict=Verdict.PASS, subject=end, message=f"lossless over all {walk.ports} ports on its ways")


def _lost(end: End, broken: _Hit) -> Finding:
    cause = broken.finding
    return Finding(
        verdict=Verdict.FAIL,
        subject=end,
        message=f"the lossless class is lost at hop {broken.hop}, {' '.join(cause.subject)}: {cause.message}",
        expected="every hop holds the lossless class",
        observed=f"{cause.check} fails at hop {broken.hop}",
        remedy=cause.remedy,
        remedy_source=cause.remedy_source,
        evidence=cause.evidence,
        explained_by=cause.id,
    )

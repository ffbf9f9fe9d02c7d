"""What ought to be said of each planted fault: by which checks, and of which component."""

from dataclasses import dataclass

from benchmarks.fault_pods import Planted
from fabric_audit.findings import Finding, Severity, Verdict
from fabric_audit.simulator.fabric import Fabric, Nic, Port

_PFC = ("pfc.enabled-on-lossless-priority",)
_SLOW = ("performance.slow-nic", "counters.slow-receiver", "performance.slow-leaf")
_DOWN = ("links.nic-active", "links.uplinks-complete", "routing.session-up")
_LOSS = ("counters.no-wire-errors", "counters.lossy-nic")
_XID = ("gpu.no-errors",)

TRUTH: dict[str, tuple[str, ...]] = {
    "nic-pfc-off": _PFC,
    "nic-wrong-priority": (*_PFC, "pfc.only-on-lossless-priority"),
    "nic-pfc-everywhere": ("pfc.only-on-lossless-priority",),
    "trust-pcp": ("qos.trust-dscp",),
    "nic-dscp-unmapped": ("qos.dscp-is-lossless",),
    "nic-cnp-lossless": ("qos.cnp-not-lossless",),
    "dcqcn-off": ("ecn.congestion-control-on",),
    "notification-point-off": ("ecn.congestion-control-on",),
    "reaction-point-off": ("ecn.congestion-control-on",),
    "cnp-dscp": ("ecn.cnp-marking",),
    "traffic-class-override": ("qos.class-override",),
    "nic-link-pause": ("pfc.link-pause-off",),
    "nic-mtu": ("links.mtu",),
    "slow-nic": _SLOW,
    "slow-sender": _SLOW,
    "slow-receiver": ("counters.slow-receiver",),
    "pcie-narrow": ("host.pcie-link",),
    "pcie-slow": ("host.pcie-link",),
    "read-request-small": ("host.read-request",),
    "relaxed-ordering-off": ("host.relaxed-ordering",),
    "address-missing": ("addressing.roce-v2-gid",),
    "roce-v1-only": ("addressing.roce-v2-gid",),
    "gid-moved": ("addressing.same-gid-index",),
    "route-rule-missing": ("addressing.own-way-out",),
    "duplicate-address": ("addressing.unique",),
    "duplicate-mac": ("addressing.unique",),
    "nic-of-another-kind": ("topology.one-generation",),
    "receiver-unready": ("counters.receivers-ready",),
    "gdr-module-missing": ("gdr.possible",),
    "nvlink-degraded": ("gpu.nvlink-map",),
    "nvlink-lost": ("gpu.nvlink-map",),
    "peer-access-blocked": ("gpu.peer-access",),
    "gpu-throttled": ("gpu.not-throttled",),
    "gpu-memory": ("gpu.memory-sound",),
    "gpu-error": _XID,
    "gpu-pcie-narrow": ("host.pcie-link",),
    "gpu-far": ("gdr.near-nic",),
    "acs-on": ("host.acs",),
    "iommu-translates": ("host.iommu",),
    "memlock-limited": ("host.memlock",),
    "pcie-errors": ("host.kernel-log",),
    "kernel-differs": ("host.same-software",),
    "gpu-driver-differs": ("host.same-software",),
    "firmware-differs": ("host.same-software",),
    "clock-off": ("evidence.clocks-agree",),
    "rails-share-subnet": ("addressing.arp-answers",),
    "nccl-class": ("nccl.traffic-class", "nccl.settings"),
    "nccl-gdr-level": ("gdr.path-allowed", "nccl.settings"),
    "nccl-misspelt": ("nccl.settings",),
    "nccl-nics": ("nccl.settings",),
    "lossy-link": _LOSS,
    "lossy-towards": _LOSS,
    "lossy-from": _LOSS,
    "link-down": _DOWN,
    "link-slow": ("links.nic-active", "links.same-speed", "links.uplinks-complete", *_SLOW),
    "fec-mismatch": ("links.same-fec", *_DOWN),
    "link-flapping": ("links.flaps",),
    "link-flapped": ("links.flaps",),
    "bit-errors": ("links.bit-errors", "links.error-margin"),
    "module-hot": ("links.optics",),
    "cable-on-wrong-leaf": ("links.wired-as-declared",),
    "switch-pfc-off": _PFC,
    "wrong-priority": (*_PFC, "pfc.only-on-lossless-priority"),
    "switch-pfc-everywhere": ("pfc.only-on-lossless-priority",),
    "ecn-off": ("ecn.marks-on-lossless-queue",),
    "ecn-swapped": ("ecn.marks-on-lossless-queue",),
    "ecn-late": ("ecn.before-pause",),
    "ecn-drops": ("ecn.marks-not-drops", "ecn.marks-on-lossless-queue"),
    "dscp-unmapped": ("qos.dscp-is-lossless",),
    "class-in-wrong-queue": ("qos.dscp-is-lossless",),
    "class-in-lossy-group": ("buffers.lossless-group",),
    "cnp-in-lossless": ("qos.cnp-not-lossless",),
    "cnp-not-strict": ("qos.cnp-strict",),
    "port-trust-pcp": ("qos.trust-dscp",),
    "headroom-small": ("buffers.headroom",),
    "buffer-lossy": ("buffers.lossless-group",),
    "alpha-differs": ("buffers.alike",),
    "profile-missing": ("qos.references-hold", "ecn.marks-on-lossless-queue"),
    "watchdog-off": ("pfc.watchdog-enabled",),
    "watchdog-slow": ("watchdog.times",),
    "watchdog-shuts-port": ("watchdog.action",),
    "watchdog-fires": ("watchdog.no-storms",),
    "mtu-mismatch": ("links.mtu",),
    "switch-link-pause": ("pfc.link-pause-off",),
    "lossless-drops": ("counters.lossless-drops",),
    "session-down": ("routing.session-up",),
    "uplink-without-session": ("routing.session-up",),
    "route-missing": ("routing.ecmp-complete",),
    "sprays": ("routing.entropy",),
}
"""Fault → the checks that are there to find it."""

TRUE_ANYWHERE = frozenset({"performance.ecmp-collision"})
"""What healthy pods have and is told as such: flows did meet on an uplink."""
_OF_TWO = frozenset({"duplicate-address", "duplicate-mac"})
"""Faults of two NICs alike: which of them has the other's address, nothing tells."""
UNSURE = (Verdict.UNKNOWN, Verdict.NOT_VERIFIABLE, Verdict.SKIPPED)
"""What a check says that cannot tell, or has nothing to judge."""
Place = tuple[str, ...]
"""(target, port) or (target,)."""


@dataclass(frozen=True, slots=True)
class Said:
    """What became of one planted fault."""

    found: bool
    blamed: bool
    """A finding that no other explains names the component."""
    abstained: bool
    """Not found, and a check that is there to find it says that it cannot tell."""


def component(fabric: Fabric, planted: Planted) -> tuple[Place, ...]:
    """Where the fault is: its port or target first, then the other end of its cable."""
    target, _, name = planted.target.partition("/")
    if not name:
        return ((target,),)
    end: Nic | Port
    if target in fabric.switches:
        port = fabric.switches[target].ports[name]
        return (target, name), port.peer
    end = next(nic for nic in fabric.hosts[target].nics if nic.netdev == name)
    there = fabric.leaf_port(end)
    twins: list[Place] = []
    if planted.name in _OF_TWO:
        hosts = list(fabric.hosts)
        twins = [(hosts[(hosts.index(target) + 1) % len(hosts)], name)]
    return (target, name), (there.switch, there.name), *twins


def places(finding: Finding, fabric: Fabric) -> set[Place]:
    """The ports that a finding's subject names; the targets where it names none."""
    found: set[Place] = set()
    subject = finding.subject
    for target, word in zip(subject, (*subject[1:], ""), strict=True):
        if target in fabric.hosts:
            rail = next((w for w in subject if w.startswith("rail ")), "")
            names = {name: nic.netdev for nic in fabric.hosts[target].nics for name in (nic.netdev, nic.device)}
            netdev = names.get(word) or (f"rail{rail.removeprefix('rail ')}" if rail else "")
            found.add((target, netdev) if netdev else (target,))
        elif target in fabric.switches:
            found.add((target, word) if word in fabric.switches[target].ports else (target,))
    return found


def touches(finding: Finding, there: tuple[Place, ...], fabric: Fabric) -> bool:
    """Whether a finding names the component, or a target of it as a whole; a fault of a target is in all its parts."""
    named = places(finding, fabric)
    return any(
        place in named or place[:1] in named or (len(place) == 1 and any(one[:1] == place for one in named))
        for place in there
    )


def said(findings: tuple[Finding, ...], planted: Planted, fabric: Fabric) -> Said:
    """Whether a fault was found, and at the right component."""
    there, checks = component(fabric, planted), TRUTH[planted.name]
    mine = [f for f in findings if f.check in checks and touches(f, there, fabric)]
    failing = [f for f in mine if f.verdict is Verdict.FAIL]
    unsure = any(f.verdict in UNSURE for f in mine)
    blamed = any(not f.explained_by for f in failing)
    return Said(bool(failing), blamed, not failing and unsure)


def unplanted(findings: tuple[Finding, ...], planted: tuple[Planted, ...], fabric: Fabric) -> list[Finding]:
    """Failing findings that no other explains, at least minor, about components that have no planted fault."""
    theirs = [component(fabric, one) for one in planted]
    roots = [f for f in findings if f.verdict is Verdict.FAIL and not f.explained_by]
    told = [f for f in roots if f.severity is not Severity.INFO]
    told = [f for f in told if f.check not in TRUE_ANYWHERE]
    return [f for f in told if not any(touches(f, there, fabric) for there in theirs)]


def unfolded(findings: tuple[Finding, ...], planted: tuple[Planted, ...], fabric: Fabric) -> list[Finding]:
    """Symptoms at a component with a fault that stand as findings of their own."""
    theirs = [(component(fabric, one), TRUTH[one.name]) for one in planted]
    roots = [f for f in findings if f.verdict is Verdict.FAIL and not f.explained_by]
    near = [f for f in roots if any(touches(f, there, fabric) for there, _ in theirs)]
    return [f for f in near if not any(f.check in checks and touches(f, there, fabric) for there, checks in theirs)]

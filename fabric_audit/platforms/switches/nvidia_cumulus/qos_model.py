"""QoS of Cumulus ports, from whichever file it was read: profiles, their defaults, and who uses which.

Defaults are those of the Cumulus Linux 5.12 user guide: Quality of Service, and RDMA over Converged Ethernet - RoCE.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

DEFAULT = "default-global"
NUMBERS = range(8)
ECN_MIN_BYTES, ECN_MAX_BYTES, ECN_PCT = 150_000, 1_500_000, 100.0
WATCHDOG_POLL_MS, WATCHDOG_POLLS = 100, 3


@dataclass(frozen=True, slots=True)
class Said:
    """A value and the line that says it, None for a default. ``value`` None: it cannot be told."""

    value: int | None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Mapped:
    """Classification: what is looked at, and which switch priority it becomes."""

    trust: str | None
    dscp: Mapping[int, Said]
    pcp: Mapping[int, Said]
    default: int = 0
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Pfc:
    """PFC: which priorities, in which directions, and its buffers."""

    priorities: tuple[int, ...] = ()
    rx: bool = True
    tx: bool = True
    cable_m: float | None = None
    size_bytes: int | None = None
    pause_at_bytes: int | None = None
    xon_bytes: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Marking:
    """ECN and RED of one queue; thresholds None where they cannot be told."""

    ecn: bool = True
    red: bool = False
    min_bytes: int | None = ECN_MIN_BYTES
    max_bytes: int | None = ECN_MAX_BYTES
    pct: float | None = ECN_PCT
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """The scheduler of one queue; a weight of None is strict priority, 0 no share of its own."""

    weight: int | None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """DSCP written on packets, by switch priority; ``on`` where this port's packets are rewritten."""

    on: bool
    dscp: Mapping[int, Said]


@dataclass(frozen=True, slots=True)
class Pause:
    """802.3x pause."""

    rx: bool = True
    tx: bool = True
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """The PFC watchdog of a port."""

    on: bool
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Profiles:
    """Every profile by its name; ``default-global`` holds for ports without one."""

    mapping: Mapping[str, Mapped]
    pfc: Mapping[str, Pfc]
    marking: Mapping[str, Mapping[int, Marking]]
    scheduler: Mapping[str, Mapping[int, Share]]
    pause: Mapping[str, Pause] = field(default_factory=dict)
    remark: Mapping[str, Remark] = field(default_factory=dict)
    queue_of: Mapping[int, Said] = field(default_factory=lambda: {n: Said(n) for n in NUMBERS})
    poll_ms: int = WATCHDOG_POLL_MS
    polls: int = WATCHDOG_POLLS


@dataclass(frozen=True, slots=True)
class Used:
    """One port, and the profiles it uses; each with the name that its own line gives it."""

    port: str
    line: int | None
    profile: Mapping[str, str] = field(default_factory=dict)
    watch: Watch = Watch(on=False)


def plain_dscp() -> dict[int, Said]:
    """The default map: eight DSCP values a priority."""
    return {dscp: Said(dscp // 8) for dscp in range(64)}


def plain_pcp() -> dict[int, Said]:
    """The default map: each code point is its own priority."""
    return {pcp: Said(pcp) for pcp in NUMBERS}


def plain_marking() -> dict[int, Marking]:
    """Without a line, queue 0 marks and no other."""
    return {0: Marking()}


def plain_shares() -> dict[int, Share]:
    """Without a line, even queues have 12 and odd ones 13 percent."""
    return {queue: Share(12 + queue % 2) for queue in NUMBERS}

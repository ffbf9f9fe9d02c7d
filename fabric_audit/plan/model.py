"""What a plan consists of."""

from dataclasses import dataclass, field

from fabric_audit.inventory.model import Inventory
from fabric_audit.platforms.model import Cli, Section, When
from fabric_audit.policy.model import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One exec on a host (several sections) or one command on a switch (one section)."""

    target: str
    command: str
    """Host: the platform whose sections these are, or ``counters``. Switch: the section's name."""
    sections: tuple[Section, ...]

    @property
    def heavy(self) -> bool:
        """Costly for the target: never asked while traffic runs."""
        return any(isinstance(s.ask, Cli) and s.ask.heavy for s in self.sections)

    @property
    def deadline_s(self) -> float:
        """When to stop waiting for the whole exec.

        Each section has its own limit on the target; this one is for a target that lost its way: the longest section,
        and 4 s for each of them, since a busy host may take a second to start a program.
        """
        return max(s.timeout_s for s in self.sections) + 10.0 + 4.0 * len(self.sections)


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetPlan:
    """Everything one target is asked without traffic."""

    target: str
    kind: str
    platform: str
    baseline: tuple[Question, ...] = ()
    counters: tuple[Question, ...] = ()

    @property
    def sections(self) -> tuple[str, ...]:
        """Ids of all sections, baseline first."""
        questions = (*self.baseline, *self.counters)
        return tuple(s.id for q in questions for s in q.sections)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficPlan:
    """What load is made: how hosts are paired, with which tools, for how long."""

    mode: str
    hosts: tuple[str, ...]
    rails: tuple[int, ...]
    tools: tuple[str, ...]
    memory: tuple[str, ...]
    size_bytes: int
    qps: int
    duration_s: float
    traffic_class: int | None
    waves: int
    """Matchings, each of which makes several rounds; an upper bound where results decide."""
    rounds: int
    """Number of rounds, each of one tool, one memory and one direction; an upper bound where results decide."""
    pairs: int
    bytes_at_most: int
    seconds: float
    both_directions: bool = True
    serial_rails: bool = False
    """One rail after the other, each in a round of its own; else all at once."""
    seed: int = 1
    share: float
    """Of the median of its class that a test must reach, for schedules that look at results: the policy's."""
    uplinks: tuple["UplinkLoad", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UplinkLoad:
    """What one round puts on the uplinks of a leaf at most, by the cable plan."""

    leaf: str
    flows: int
    """Tests whose far ends may hang from other leaves, in one direction."""
    bps: int
    """At the full speed of their NICs."""
    uplinks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of whom; :func:`fabric_audit.plan.commands.build` makes it, and it touches no device."""

    inventory: Inventory
    needs: frozenset[str]
    targets: tuple[TargetPlan, ...]
    traffic: TrafficPlan | None = None
    observe_s: float = 0.0
    policy: Policy | None = None
    """What the answers are to be judged by; None: the inventory's. It goes into the capture."""
    out_of_scope: tuple[str, ...] = field(default_factory=tuple)
    """Tables that checks need and that no planned section yields."""


COUNTERS = When.COUNTERS

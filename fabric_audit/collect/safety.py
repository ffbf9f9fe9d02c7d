"""What keeps a run from hurting others: who uses a host, what must not happen while it is loaded, what it may cost."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import QueueCounter
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.facts.rdma import QueuePair

MANAGEMENT = frozenset({"GSI", "SMI"})
"""Queue pairs 0 and 1 of a port (InfiniBand Architecture 1.3, 3.9): the kernel's own, on every device."""
PATIENCE_S = 60.0
"""How long a run waits in all for others to finish before it leaves their hosts out."""
Key = tuple[str, ...]


class TrafficEndedError(Exception):
    """No more load is to be sent; the words say why. The run itself goes on to its last reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the user allows. ``None``: no limit."""

    busy: frozenset[str] = frozenset()
    """Hosts that are loaded although others use them."""
    busy_reason: str = ""
    """Why, in the user's words; stands in the report."""
    patience_s: float = PATIENCE_S
    most_s: float | None = None
    most_bytes: int | None = None
    lossless: frozenset[int] = frozenset()
    """Queues and priority groups that must not drop: the policy's lossless priorities."""


def users(facts: Iterable[Fact]) -> str:
    """Programs that hold queue pairs on a host, in words; empty where none does.

    A queue pair of the kernel has a name and no process id; one with neither belongs to a program of another user,
    which the kernel does not show to everybody (iproute2 ``rdma/res.c``), and counts as foreign.
    """
    found: dict[str, list[QueuePair]] = {}
    for one in facts:
        if isinstance(one, QueuePair) and one.type not in MANAGEMENT and (one.pid is not None or not one.process):
            name = (
                f"{one.process or 'a program'} (pid {one.pid})" if one.pid is not None else "a program of another user"
            )
            found.setdefault(name, []).append(one)
    return ", ".join(
        f"{name} with {len(mine)} queue pairs on {', '.join(sorted({one.device for one in mine}))}"
        for name, mine in sorted(found.items())
    )


@dataclass(slots=True)
class Alarms:
    """Counters that must not grow under load: link failures, watchdog storms, drops of lossless queues."""

    lossless: frozenset[int] = frozenset()
    ports: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Host → interfaces and devices that matter; every port of a target that is not named here."""
    _last: dict[Key, int] = field(default_factory=dict)
    _read: set[str] = field(default_factory=set)

    def hear(self, target: str, facts: Iterable[Fact]) -> list[str]:
        """What grew since the target was read before; storms and drops that were never listed before have grown."""
        grown = []
        for key, value, words in self._watched(target, facts):
            before = self._last.get(key, 0 if key[1] == "storm" and target in self._read else value)
            if value > before:
                grown.append(f"{target} {key[2]}: {words} {value - before}")
            self._last[key] = value
        self._read.add(target)
        return grown

    def _watched(self, target: str, facts: Iterable[Fact]) -> Iterator[tuple[Key, int, str]]:
        mine = self.ports.get(target)
        for one in facts:
            match one:
                case Counter(counter_class=CounterClass.FLAP, value=int(value), port=port, name=name):
                    if mine is None or port.partition("/")[0] in mine:
                        yield (target, "flap", port, name), value, f"{name} grew by"
                case PfcWatchdog(storms_detected=int(value), port=port, queue=queue):
                    yield (target, "storm", port, str(queue)), value, f"PFC watchdog of queue {queue} fired, times:"
                case QueueCounter(drop_packets=int(value), port=port, queue=queue, group=group):
                    if queue in self.lossless:
                        what = "priority group" if group else "queue"
                        yield (
                            (target, "drop", port, f"{what} {queue}"),
                            value,
                            f"lossless {what} {queue} dropped packets:",
                        )

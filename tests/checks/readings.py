"""Counters as they are read before and after."""

from collections.abc import Mapping

from fabric_audit.facts import Fact
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.tables import Stamped

PHASES = ("baseline", "final")


def twice(
    target: str,
    before: Mapping[str, int],
    after: Mapping[str, int],
    *,
    port: str,
    counter_class: str,
    seconds: float = 10,
) -> list[Stamped]:
    """Counters of one port by name, at the start and after some seconds."""
    found = []
    for phase, values, at_s in zip(PHASES, (before, after), (0.0, seconds), strict=True):
        for name, value in values.items():
            fact = Counter(port=port, name=name, value=value, counter_class=counter_class, bits=64)
            found.append(Stamped(target, phase, f"{phase}/{target}/show.out", fact, 1, at_s))
    return found


def at(phase: str, target: str, *facts: Fact, seconds: float = 0.0) -> list[Stamped]:
    """Facts of one phase."""
    return [Stamped(target, phase, f"{phase}/{target}/show.out", fact, 1, seconds) for fact in facts]


def still(target: str, *facts: Fact) -> list[Stamped]:
    """Facts read before traffic."""
    return at("baseline", target, *facts)

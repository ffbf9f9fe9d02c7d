"""Where marks land on a switch port: maps from DSCP and 802.1p to classes and on to queues, as rows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fabric_audit.facts.qos import DscpMap, PcpMap, TrafficClassMap

PRIORITIES = range(8)


@dataclass(frozen=True, slots=True)
class Landing:
    """What a value becomes, None where it cannot be told; and the line that says so, None for a default."""

    target: int | None
    line: int | None = None


Landings: TypeAlias = Mapping[int, Landing]


def identical(values: Iterable[int] = PRIORITIES) -> dict[int, Landing]:
    """Each value is its own class."""
    return {value: Landing(value) for value in values}


def by_eights() -> dict[int, Landing]:
    """The upper three bits of the DSCP are the class (RFC 2474 section 4.2.2, class selectors)."""
    return {dscp: Landing(dscp // 8) for dscp in range(64)}


def rows(
    port: str, line: int | None, *, dscp: Landings, pcp: Landings, queues: Landings
) -> Iterator[DscpMap | PcpMap | TrafficClassMap]:
    """The maps of one port; ``line`` is that of the port, for what no line says."""
    for value, at in dscp.items():
        yield DscpMap(port=port, dscp=value, traffic_class=at.target, line=at.line or line)
    for value, at in pcp.items():
        yield PcpMap(port=port, pcp=value, traffic_class=at.target, line=at.line or line)
    for value, at in queues.items():
        yield TrafficClassMap(port=port, traffic_class=value, queue=at.target, line=at.line or line)

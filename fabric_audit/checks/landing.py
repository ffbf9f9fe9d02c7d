"""Where a DSCP lands on a switch port: its traffic class, and with it its queue and its priority group."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.checks.rows import rows

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

Place: TypeAlias = tuple[str, str, int]
"""(target, port, DSCP)"""


@dataclass(frozen=True, slots=True)
class Landing:
    """Where one DSCP lands on one port; None for what the platform does not tell."""

    traffic_class: int | None
    queue: int | None
    pg: int | None
    row: Any
    """The map's row, as evidence."""


NOWHERE = Landing(None, None, None, None)


def landings(
    dscp_map: "pd.DataFrame", traffic_class_map: "pd.DataFrame", dscps: Iterable[int]
) -> Mapping[Place, Landing]:
    """Where these DSCPs land on every port that says so."""
    onward = {(row.target, row.port, row.traffic_class): row for row in rows(traffic_class_map)}
    found: dict[Place, Landing] = {}
    for row in rows(dscp_map, dscp=set(dscps)):
        to = onward.get((row.target, row.port, row.traffic_class))
        found[row.target, row.port, row.dscp] = Landing(
            row.traffic_class, to.queue if to else None, to.pg if to else None, row
        )
    return found


def roce_queues(
    queue: "pd.DataFrame", dscp_map: "pd.DataFrame", traffic_class_map: "pd.DataFrame", design: "Designs"
) -> Mapping[tuple[str, str], Any]:
    """(target, port) of a switch → the row of the queue that the DSCP of RoCE lands in, where it is known."""
    settings = {(row.target, row.port, row.queue): row for row in rows(queue)}
    lands = landings(dscp_map, traffic_class_map, {one.roce_dscp for one in design.all})
    mine = {place: to for place, to in lands.items() if place[2] == design.of(place[0]).roce_dscp}
    found = {place[:2]: settings.get((*place[:2], to.queue)) for place, to in mine.items() if to.queue is not None}
    return {end: row for end, row in found.items() if row is not None}

"""ECN can mark before PFC has to pause.

Why: a pause stops every flow of the class on a link, guilty or not, and spreads upstream; a mark slows down the one
sender at fault. Where pause comes first, congestion control never acts: no drops, full PFC counters, jitter.

Fix: lower ECN's minimum threshold, or give the priority group more of the shared buffer (SONiC: dynamic_th; Cumulus:
`qos` alpha), or fewer ports to share it.

Source: DCQCN, SIGCOMM 2015, section 4. ECN counts an egress queue, PFC an ingress group, so that only fixed limits are
compared as such. A dynamic limit moves with what is free: then the most that one group can ever hold, alpha / (1 +
alpha) of its pool, bounds it, and only an ECN threshold above that bound is wrong for certain. The proof is marks
before spreading pause under load.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.landing import NOWHERE, landings, roce_queues
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent, skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True
RESTS_ON = ("queue", "dscp_map", "traffic_class_map")


def check(  # noqa: PLR0913, PLR0917 - a threshold, a limit, and the maps that bring them together
    queue: "pd.DataFrame",
    priority_group: "pd.DataFrame",
    buffer_profile: "pd.DataFrame",
    buffer_pool: "pd.DataFrame",
    dscp_map: "pd.DataFrame",
    traffic_class_map: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
    cannot: Cannot,
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    lands = landings(dscp_map, traffic_class_map, {one.roce_dscp for one in design.all})
    queues = roce_queues(queue, dscp_map, traffic_class_map, design)
    groups = {(row.target, row.port, row.pg): row for row in rows(priority_group)}
    sizes = {(row.target, row.pool): row.size_bytes for row in rows(buffer_pool)}
    pools = {(row.target, row.profile): sizes.get((row.target, row.pool)) for row in rows(buffer_profile)}

    def examined(end: tuple[str, str]) -> Finding:
        if not design.of(end[0]).pfc_required or not design.of(end[0]).ecn_required:
            return not_asked(end, "pfc_required, ecn_required")
        to = lands.get((*end, design.of(end[0]).roce_dscp), NOWHERE)
        return _judged(end, queues.get(end), groups.get((*end, to.pg)), pools, cannot)

    yield from by_target(examined((port.target, port.port)) for port in rows(fabric_port, side={"host", "fabric"}))


def _judged(
    end: tuple[str, str], row: Any, group: Any, pools: Mapping[tuple[str, str], int | None], cannot: Cannot
) -> Finding:
    if row is not None and row.ecn is False:
        return skipped(end, "the queue does not mark: ecn.marks-on-lossless-queue says so")
    if row is not None and row.ecn_dynamic:
        return skipped(end, "the switch computes its thresholds itself")
    pause = None if group is None else _pause(group, pools.get((end[0], group.profile or "")))
    if row is None or row.ecn_min_bytes is None or pause is None:
        fields = ("priority_group", "traffic_class_map.pg", "queue.ecn_min_bytes")
        return silent(end, "whether ECN or PFC acts first", cannot, *fields, seen=(row, group))
    limit, kind = pause
    late = row.ecn_min_bytes >= limit
    return Finding(
        verdict=Verdict.FAIL if late else Verdict.PASS,
        subject=end,
        message=f"ECN begins at {row.ecn_min_bytes} bytes, pause at {kind} {limit} bytes",
        expected=f"ECN below {limit} bytes",
        observed=f"ECN from {row.ecn_min_bytes} bytes",
        remedy="lower the ECN threshold, or raise the limit of the priority group" if late else "",
        remedy_source="DCQCN, SIGCOMM 2015, section 4",
        evidence=evidence(row, group),
    )


def _pause(group: Any, pool_bytes: int | None) -> tuple[int, str] | None:
    """The fill at which pause is sent, and whether that is so or only a bound."""
    fixed = group.pause_at_bytes or group.static_limit_bytes
    if fixed:
        return fixed, "a fixed"
    if group.alpha_exp is None or pool_bytes is None:
        return None
    alpha = 2.0**group.alpha_exp
    return round(alpha / (1 + alpha) * pool_bytes), "at most"

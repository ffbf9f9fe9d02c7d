"""Every switch port marks ECN on the queue that the RoCE DSCP lands in, with min not above max.

Why: ECN tells the senders to slow down before PFC has to stop them. Without marks on the lossless queue every burst
ends in pause, pause spreads through the fabric, and flows that cross no congested link wait too: nothing is dropped
and all-reduce jitters.

Fix: SONiC: WRED_PROFILE with `ecn_all`, bound to `QUEUE|PORT|3`. EOS: `random-detect ecn minimum-threshold ...` in the
tx-queue. NX-OS: `random-detect ... ecn` in the queuing policy. Cumulus: `nv set qos roce`.

Source: DCQCN, SIGCOMM 2015; RFC 3168; thresholds differ by vendor and are judged only by their order.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True


def check(
    queue: "pd.DataFrame",
    dscp_map: "pd.DataFrame",
    traffic_class_map: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a switch port of the fabric, and one for a switch whose ports are all alike wrong."""
    of_roce = rows(dscp_map, dscp={one.roce_dscp for one in design.all})
    classes = {(r.target, r.port, r.dscp): r.traffic_class for r in of_roce}
    queues = {(r.target, r.port, r.traffic_class): r.queue for r in rows(traffic_class_map)}
    settings = {(r.target, r.port, r.queue): r for r in rows(queue)}
    judged = []
    for port in rows(fabric_port):
        if port.side == "nic":
            continue
        end, wanted = (port.target, port.port), design.of(port.target)
        if not wanted.ecn_required:
            yield not_asked(end, "ecn_required")
            continue
        number = queues.get((*end, classes.get((*end, wanted.roce_dscp))))
        judged.append(_judged(end, number, settings.get((*end, number))))
    yield from by_target(judged)


def _judged(end: tuple[str, str], number: int | None, row: Any) -> Finding:
    if number is None or row is None or row.ecn is None:
        what = "the queue of the RoCE DSCP" if number is None else f"ECN of queue {number}"
        return Finding(verdict=Verdict.UNKNOWN, subject=end, message=f"{what} is not known")
    wrong = _wrong(number, row)
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=wrong or f"queue {number} marks",
        expected=f"ECN on queue {number}, min not above max",
        observed=row.ecn_raw or ("marks" if row.ecn else "does not mark"),
        remedy=f"bind an ECN profile to queue {number} of the port" if wrong else "",
        evidence=evidence(row),
    )


def _wrong(number: int, row: Any) -> str:
    if not row.ecn:
        return f"queue {number} does not mark"
    for low, high in ((row.ecn_min_bytes, row.ecn_max_bytes), (row.ecn_min_pct, row.ecn_max_pct)):
        if low is not None and high is not None and low > high:
            return f"ECN of queue {number} starts at {low} and ends at {high}"
    return ""

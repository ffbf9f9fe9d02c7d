"""The queue of RoCE marks packets where it could drop them.

Why: WRED without ECN drops at random between two thresholds, in a class that PFC was to keep whole: loss without a
full buffer, which no headroom cures. A queue that marks drops too, where a packet says that its sender takes no marks
(Not-ECT), as traffic class 104 does where 106 was meant.

Fix: SONiC: `ecn: ecn_all` in the WRED_PROFILE. EOS: `random-detect ecn`, never `random-detect drop`. NX-OS:
`random-detect ... ecn`. Hosts: a traffic class whose lower two bits are 2 (ECT): NCCL_IB_TC=106, not 104.

Source: RFC 3168 sections 5 and 7 (a packet that is not ECT is dropped where others are marked).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.landing import roce_queues
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True
ECN_BITS = 3


def check(
    queue: "pd.DataFrame",
    dscp_map: "pd.DataFrame",
    traffic_class_map: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
    cannot: Cannot,
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    queues = roce_queues(queue, dscp_map, traffic_class_map, design)
    ends = [(port.target, port.port) for port in rows(fabric_port, side={"host", "fabric"})]
    yield from by_target(_judged(end, queues.get(end), design.of(end[0]), cannot) for end in ends)


def _judged(end: tuple[str, str], row: Any, wanted: "Design", cannot: Cannot) -> Finding:
    if not wanted.pfc_required and not wanted.ecn_required:
        return not_asked(end, "pfc_required, ecn_required")
    if row is None or (row.ecn is None and row.wred_drops is None):
        what = f"what the queue of DSCP {wanted.roce_dscp} does before it is full"
        return silent(end, what, cannot, "queue", "queue.ecn", seen=(row,))
    wrong = _wrong(row, wanted)
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=wrong or f"queue {row.queue} drops nothing before it is full",
        expected="marks instead of drops",
        observed=row.ecn_raw or ("random drops" if row.wred_drops else "no random drops"),
        remedy=f"let queue {row.queue} mark, and let senders be ECN capable" if wrong else "",
        remedy_source="RFC 3168",
        evidence=evidence(row),
    )


def _wrong(row: Any, wanted: "Design") -> str:
    if row.wred_drops:
        return f"queue {row.queue} drops at random instead of marking"
    if row.ecn and row.ecn_drops_non_ect and not wanted.roce_traffic_class & ECN_BITS:
        return (
            f"queue {row.queue} drops packets that are not ECN capable, as traffic class {wanted.roce_traffic_class} is"
        )
    return ""

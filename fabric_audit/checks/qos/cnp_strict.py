"""Switches send congestion notification packets before everything else.

Why: CNPs are few and small, and useful only while they are fresh. Behind a full data queue they arrive after tens or
hundreds of microseconds, senders slow down too late, and queues swing between empty and paused.

Fix: make their queue strict. SONiC: SCHEDULER of type STRICT on `QUEUE|PORT|6`. EOS: `tx-queue 6`, `priority strict`.
NX-OS: `priority level 1` in the queuing policy. Cumulus: `nv set qos roce` does it.

Source: DCQCN, SIGCOMM 2015, section 5; NVIDIA Cumulus Linux, RoCE: switch priority 6 is strict.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.landing import NOWHERE, Landing, landings
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent
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
    cannot: Cannot,
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    lands = landings(dscp_map, traffic_class_map, {d.cnp_dscp for d in design.all if d.cnp_dscp is not None})
    queues = {(row.target, row.port, row.queue): row for row in rows(queue)}
    yield from by_target(
        _examined((port.target, port.port), lands, queues, design, cannot)
        for port in rows(fabric_port, side={"host", "fabric"})
    )


def _examined(
    end: tuple[str, str],
    lands: Any,
    queues: dict[tuple[str, str, int], Any],
    design: "Designs",
    cannot: Cannot,
) -> Finding:
    wanted = design.of(end[0])
    if wanted.cnp_dscp is None or not wanted.cnp_strict:
        return not_asked(end, "cnp_dscp, cnp_strict")
    to: Landing = lands.get((*end, wanted.cnp_dscp), NOWHERE)
    row = queues.get((*end, -1 if to.queue is None else to.queue))
    if row is None or row.scheduler is None:
        what = f"how the queue of CNPs (DSCP {wanted.cnp_dscp}) is served"
        return silent(end, what, cannot, "queue", "queue.scheduler", "traffic_class_map.queue", seen=(to.row, row))
    strict = row.scheduler == "strict"
    return Finding(
        verdict=Verdict.PASS if strict else Verdict.FAIL,
        subject=end,
        message=f"queue {row.queue} of CNPs is {row.scheduler}",
        expected=f"strict priority for the queue of DSCP {wanted.cnp_dscp}",
        observed=f"queue {row.queue}: {row.scheduler}",
        remedy="" if strict else f"give queue {row.queue} strict priority",
        evidence=evidence(row),
    )

"""PFC is on for no other priority than the lossless ones.

Why: each lossless priority takes headroom from the buffer and can spread congestion: a sender of ordinary traffic that
is paused fills queues behind it. PFC on all priorities is the classic cause of a pause storm that stops a whole pod.

Fix: name only the lossless priorities where PFC is configured, on NICs and switches alike.

Source: RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4; two lossless classes at most on most chips.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.checks.model import Scope
from fabric_audit.checks.pfc.words import in_force, words
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
BY_CONFIGURATION = True


def check(pfc_port: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a port of the RDMA fabric whose PFC is known."""
    ports = {(row.target, row.port): row for row in rows(pfc_port)}
    for end in ((row.target, row.port) for row in rows(fabric_port)):
        said = in_force(ports.get(end))
        if said is None:
            yield Finding(verdict=Verdict.UNKNOWN, subject=end, message="its PFC is not known")
            continue
        allowed = "".join(map(str, sorted(design.of(end[0]).lossless_priorities)))
        more = [priority for priority in said if priority not in allowed]
        yield Finding(
            verdict=Verdict.FAIL if more else Verdict.PASS,
            subject=end,
            message=f"PFC is on for priority {', '.join(more)}, too" if more else f"PFC is on for {words(said)}",
            expected=f"no PFC besides {words(allowed)}",
            observed=words(said),
            evidence=evidence(ports.get(end)),
        )

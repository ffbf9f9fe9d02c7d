"""No port of the RDMA fabric received damaged frames or dropped packets while it was watched.

Why: a frame with a bad checksum is gone before PFC or ECN could help. It looks like congestion loss to the sender and
like nothing to the receiver.

Fix: reseat or replace cable and module, at this port and at the other end; compare FEC modes of both ends.

Source: IEEE 802.3 frame check sequence and PCS errors; each driver's counter table gives the class of a counter.
Growth since the first reading counts, not the totals since boot.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth, growths
from fabric_audit.checks.counted import READ_ONCE
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.TARGETS
LOSSY_NIC = "counters.lossy-nic"


def check(counter: "pd.DataFrame", fabric_port: "pd.DataFrame", rdma_port: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a port of the fabric; one reading alone says nothing."""
    ports = {(row.target, row.port): row for row in rows(fabric_port)}
    netdevs = {(row.target, row.device): row.netdev for row in rows(rdma_port)}
    grown: dict[tuple[str, str], list[Growth]] = {}
    for one in growths(counter, ("wire_error",)):
        port = netdevs.get((one.target, one.port.split("/")[0]), one.port)
        if (one.target, port) in ports:
            grown.setdefault((one.target, port), []).append(one)
    for end in sorted(ports):
        if end in grown:
            yield _judged(end, [sign for sign in grown[end] if sign.delta.value])
        else:
            yield skipped(end, f"it counts no damaged frames, or {READ_ONCE}")


def _judged(end: tuple[str, str], signs: list[Growth]) -> Finding:
    total: dict[str, int] = {}
    for sign in signs:
        total[sign.name] = total.get(sign.name, 0) + (sign.delta.value or 0)
    counted = ", ".join(f"{name} {value}" for name, value in sorted(total.items()))
    return Finding(
        verdict=Verdict.FAIL if signs else Verdict.PASS,
        subject=end,
        message=f"damaged frames: {counted}" if signs else "no damaged frames",
        expected="no growth of wire error counters",
        observed=counted or "no growth",
        remedy="reseat or replace cable and module at both ends" if signs else "",
        evidence=evidence(*(sign.row for sign in signs[:4])),
    )

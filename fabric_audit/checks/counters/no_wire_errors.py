"""No port of the RDMA fabric received damaged frames or dropped packets while it was watched.

Why: a frame with a bad checksum is gone before PFC or ECN could help. It looks like congestion loss to the sender and
like nothing to the receiver.

Fix: reseat or replace cable and module, at this port and at the other end; compare FEC modes of both ends.

Source: IEEE 802.3 frame check sequence and PCS errors; each driver's counter table gives the class of a counter.
Growth since the first reading counts, not the totals since boot. A port that carried next to nothing is not judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import READ_ONCE, by_port
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.TARGETS
ENOUGH = 10_000
"""Packets without damage that tell of a port that it is well: one in so many is what checks of pairs look for."""


def check(counter: "pd.DataFrame", fabric_port: "pd.DataFrame", rdma_port: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a port of the fabric; one reading alone says nothing."""
    grown = by_port(counter, ("wire_error",), fabric_port, rdma_port)
    carried = by_port(counter[counter["unit"] == "packets"], ("traffic",), fabric_port, rdma_port)
    for end in sorted({(row.target, row.port) for row in rows(fabric_port)}):
        signs = [sign for sign in grown.get(end, []) if sign.delta.value]
        if end not in grown:
            yield skipped(end, f"it counts no damaged frames, or {READ_ONCE}")
        elif not signs and end in carried and (packets := _most(carried[end])) < ENOUGH:
            yield skipped(end, f"{packets} packets crossed it while it was watched: too few to show damage")
        else:
            yield _judged(end, signs)


def _most(signs: list[Growth]) -> int:
    """The packets of the busiest counter over the whole capture."""
    total: dict[str, int] = {}
    for sign in signs:
        total[sign.name] = total.get(sign.name, 0) + (sign.delta.value or 0)
    return max(total.values(), default=0)


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

"""Every compute NIC answers marks with CNPs and slows down when it gets them.

Why: a switch that marks is half of congestion control. A receiver whose notification point is off tells nobody, a
sender whose reaction point is off does not listen: the queue grows until PFC stops everybody.

Fix: MLNX_OFED: `echo 1 > /sys/class/net/IF/ecn/roce_np/enable/3`, the same for roce_rp; persistent with mlxconfig
ROCE_CC_PRIO_MASK_P1. Only where DCQCN is the algorithm: RTT-based and programmable congestion control send no CNPs.

Source: DCQCN, SIGCOMM 2015; NVIDIA MLNX_OFED "ECN". The notification point is a switch of the whole port although it
shows as eight files; the reaction point is one a priority.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.NICS
WHOLE_PORT = -1


def check(congestion_control: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a compute NIC and lossless priority; that of RDMA data where none is lossless."""
    said: dict[tuple[str, str, int], Any] = {(r.target, r.port, r.priority): r for r in rows(congestion_control)}
    for port in rows(fabric_port, side="nic"):
        wanted = design.of(port.target)
        if wanted.congestion_control != "dcqcn":
            yield not_asked((port.target, port.port), f"congestion_control: {wanted.congestion_control}")
            continue
        for priority in wanted.lossless_priorities or (wanted.roce_priority,):
            one, whole = (said.get((port.target, port.port, number)) for number in (priority, WHOLE_PORT))
            yield _judged((port.target, port.port), priority, one, whole)


def _judged(end: tuple[str, str], priority: int, one: Any, whole: Any) -> Finding:
    algorithm = _first("algorithm", one, whole)
    if algorithm not in (None, "dcqcn", "unknown"):
        words = f"congestion control is {algorithm}, the policy expects DCQCN"
        return Finding(verdict=Verdict.FAIL, subject=end, message=words, evidence=evidence(one, whole))
    points = {name: _first(field, one, whole) for name, field in _POINTS.items()}
    silent = [name for name, value in points.items() if value is None]
    if silent:
        words = f"{' and '.join(silent)} on priority {priority}: not known"
        return Finding(verdict=Verdict.UNKNOWN, subject=end, message=words, evidence=evidence(one, whole))
    off = [name for name, value in points.items() if not value]
    return Finding(
        verdict=Verdict.FAIL if off else Verdict.PASS,
        subject=end,
        message=f"{' and '.join(off)} off on priority {priority}" if off else "notifies and reacts",
        expected=f"notification and reaction point on for priority {priority}",
        observed=", ".join(f"{name} {'on' if value else 'off'}" for name, value in points.items()),
        remedy=f"switch ECN on for priority {priority} on this NIC" if off else "",
        evidence=evidence(one, whole),
    )


_POINTS = {"notification point": "notification_point", "reaction point": "reaction_point"}


def _first(field: str, *found: Any) -> Any:
    values = (getattr(row, field) for row in found if row is not None)
    return next((value for value in values if value is not None), None)

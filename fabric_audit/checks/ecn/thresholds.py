"""ECN thresholds of the lossless queue are those of the policy, within what hardware rounds.

Why: thresholds decide who pays for congestion. Too low, senders slow down for bursts that the buffer would have held;
too high, PFC acts first; different from switch to switch, some flows are marked ten times as often as others and every
collective waits for them.

Fix: set the profile's values. SONiC: `ecnconfig -p PROFILE -gmin .. -gmax .. -gdrop ..`. EOS: `random-detect ecn
minimum-threshold .. maximum-threshold .. max-mark-probability ..`. NX-OS: `random-detect minimum-threshold ..`.

Source: the policy's `ecn_min_bytes`, `ecn_max_bytes`, `ecn_mark_percent`; vendors differ by an order of magnitude, so
that only a vendor's own profile sets them. A switch that computes its thresholds itself is not judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.landing import roce_queues
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent, skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True
_WORDS = {"ecn_min_bytes": "min", "ecn_max_bytes": "max", "ecn_mark_percent": "probability"}


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
    asked = {name: value for name in _WORDS if (value := getattr(wanted, name)) is not None}
    if not asked or not wanted.ecn_required:
        return not_asked(end, "ecn_required, ecn_min_bytes, ecn_max_bytes, ecn_mark_percent")
    if row is not None and row.ecn is False:
        return skipped(end, "the queue does not mark: ecn.marks-on-lossless-queue says so")
    if row is not None and row.ecn_dynamic:
        return skipped(end, "the switch computes its thresholds itself")
    found = {name: None if row is None else _value(row, name) for name in asked}
    wrong = {
        name: value
        for name, value in found.items()
        if value is not None and abs(value - asked[name]) > wanted.ecn_tolerance * asked[name]
    }
    if not wrong and None in found.values():
        fields = ("queue", "queue.ecn_min_bytes", "queue.ecn_max_bytes")
        return silent(end, f"ECN thresholds of DSCP {wanted.roce_dscp}", cannot, *fields, seen=(row,))
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"ECN of queue {row.queue}: {_listed(wrong or found)}",
        expected=_listed(asked),
        observed=row.ecn_raw or _listed(found),
        remedy=f"set ECN of queue {row.queue} to {_listed(asked)}" if wrong else "",
        remedy_source="policy show",
        evidence=evidence(row),
    )


def _value(row: Any, name: str) -> float | None:
    value: float | None = row.ecn_mark_pct if name == "ecn_mark_percent" else getattr(row, name)
    return value


def _listed(values: dict[str, Any]) -> str:
    return ", ".join(f"{_WORDS[name]} {value:g}" for name, value in values.items() if value is not None)

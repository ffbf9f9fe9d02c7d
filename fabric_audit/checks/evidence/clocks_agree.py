"""The clocks of all targets agree.

Why: what happened first is told by time. Logs of hosts whose clocks differ by minutes put effect before cause, tokens
and certificates expire at odd moments, and a job's timeouts end at different times on different hosts.

Fix: let the named target's time service run and reach its servers: `chronyc tracking`, `timedatectl`; switches: `show
ntp status`.

Source: each target's own clock when it was asked, against the clock here at that moment. Targets are compared with each
other by the median of the differences. The limit is the policy's `clock_skew_s`, one second more, which is how exactly
a clock is told, and what the option `reading_s` allows for the time between a clock's answer and the end of its exec.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
RESOLUTION_S = 1.0


@dataclass(frozen=True, slots=True)
class Options:
    """Thresholds of this check."""

    reading_s: float = 5.0
    """Seconds that may pass on a busy target between its clock's answer and the moment it is known by."""


def check(system: "pd.DataFrame", target: "pd.DataFrame", design: "Designs", options: Options) -> Iterator[Finding]:
    """One finding a target that tells its time; one host that does not is unknown."""
    told = {row.target: row for row in rows(system) if row.clock_utc is not None}
    offsets = {name: _offset_s(row) for name, row in told.items()}
    middle = median(offsets.values()) if offsets else 0.0
    for row in rows(target):
        if row.target in told:
            limit = design.of(row.target).clock_skew_s + RESOLUTION_S + options.reading_s
            yield _judged(told[row.target], offsets[row.target] - middle, limit, alone=len(told) == 1)
        elif row.kind == "host":
            yield unknown((row.target,), "its clock is not known")
        else:
            yield skipped((row.target,), "switches are not asked for the time")


def _offset_s(row: Any) -> float:
    """Seconds of the target's clock after the start of the capture, as far as its own readings agree."""
    return datetime.fromisoformat(row.clock_utc).timestamp() - float(row.at_s)


def _judged(row: Any, apart_s: float, limit_s: float, *, alone: bool) -> Finding:
    if alone:
        return skipped((row.target,), "no other target told its time")
    wrong = abs(apart_s) > limit_s
    words = f"its clock is {abs(apart_s):.0f} s {'ahead of' if apart_s > 0 else 'behind'} the others"
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=(row.target,),
        message=words if wrong else "its clock agrees with the others",
        expected=f"within {limit_s:g} s of the median",
        observed=f"{apart_s:+.1f} s",
        remedy="let its time service run and reach its servers" if wrong else "",
        evidence=evidence(row),
    )

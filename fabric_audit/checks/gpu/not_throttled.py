"""No GPU runs slower than it could, for heat, power or a brake.

Why: collectives run at the pace of the slowest GPU. One that is too hot or short of power makes a thousand wait, and
looks like a slow network in every profile.

Fix: airflow and inlet temperature, power supplies, the power limit (`nvidia-smi -q -d POWER`); a power brake is the
chassis asking for help.

Source: nvidia-smi, clocks event reasons. A software power cap and idle clocks are ordinary and not judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS
BRAKES = ("hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown", "hw_power_brake", "sw_thermal_slowdown")


def check(gpu_health: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a GPU."""
    for row in rows(gpu_health):
        yield _judged(row)


def _judged(row: Any) -> Finding:
    subject = (row.target, f"GPU{row.gpu}")
    if row.throttle is None:
        return unknown(subject, "why its clocks are what they are is not known", row)
    active = [word for word in row.throttle.replace(",", " ").split() if word in BRAKES]
    return Finding(
        verdict=Verdict.FAIL if active else Verdict.PASS,
        subject=subject,
        message=f"slowed down: {', '.join(active)}" if active else "runs as fast as it may",
        expected="no brake",
        observed=row.throttle or "none",
        remedy="see to airflow, power supplies and the power limit" if active else "",
        remedy_source="nvidia-smi, clocks event reasons",
        evidence=evidence(row),
    )

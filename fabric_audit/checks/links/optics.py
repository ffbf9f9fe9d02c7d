"""No module of the RDMA fabric raises an alarm or runs hot.

Why: a module warns before it fails: light below its own limits, bias current at the stop, heat. Weeks later the same
port flaps in the middle of a job.

Fix: clean the connector, reseat the module, see to the airflow; replace it if the alarm stays.

Source: SFF-8636 and OIF-CMIS alarm flags, which hold the vendor's own limits; the temperature is the policy's
`optic_temperature_c`. Passive copper has neither light nor a sensor, and is not judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.links.modules import modules_of
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
RESTS_ON = ("fabric_port",)


def check(
    transceiver: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a port whose target tells of its modules."""
    modules = modules_of(transceiver, rdma_port)
    tell = {target for (target, _), row in modules.items() if _tells(row)}
    for port in rows(fabric_port):
        if port.target in tell:
            end = (port.target, port.port)
            yield _judged(end, modules.get(end), design.of(port.target).optic_temperature_c)
    if not tell:
        for row in rows(fabric):
            words = "no target tells of its modules"
            yield Finding(verdict=Verdict.NOT_VERIFIABLE, subject=(row.name,), message=words)


def _tells(row: Any) -> bool:
    return bool(row.passive) or row.alarms is not None or row.temperature_c is not None


def _judged(end: tuple[str, str], row: Any, hottest: float) -> Finding:
    if row is None or not _tells(row):
        return skipped(end, "no module with readings")
    if row.passive:
        return skipped(end, "passive copper: no light and no sensor")
    hot = row.temperature_c is not None and row.temperature_c > hottest
    wrong = [words for words in (row.alarms, f"{row.temperature_c:g} degrees Celsius" if hot else "") if words]
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"its module reports {', '.join(wrong)}" if wrong else "its module reports nothing",
        expected=f"no alarm, at most {hottest:g} degrees Celsius",
        observed=", ".join(wrong) or "no alarm",
        remedy="clean the connector and reseat the module; see to the airflow; replace it if the alarm stays"
        if wrong
        else "",
        evidence=evidence(row),
    )

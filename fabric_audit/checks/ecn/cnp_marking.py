"""Compute NICs send CNPs with the DSCP and priority that the fabric treats as CNPs.

Why: switches know a CNP by its DSCP alone. One that leaves the NIC with another DSCP falls into whatever class that
DSCP has: the lossy default, where congestion drops it first, or the lossless class, where PFC stops it.

Fix: MLNX_OFED: `echo 48 > /sys/class/net/IF/ecn/roce_np/cnp_dscp`, `echo 6 > .../cnp_802p_prio`; persistent with
mlxconfig CNP_DSCP_P1 and CNP_802P_PRIO_P1. Broadcom: `bnxt_setupcc.sh -p 48 -c 6`.

Source: NVIDIA MLNX_OFED, "ECN"; design values `cnp_dscp` and `cnp_priority` with their sources in `policy show`.
Only where DCQCN is the algorithm: RTT-based congestion control sends no CNPs.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.NICS


def check(congestion_setting: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a compute NIC."""
    settings: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows(congestion_setting, name={"cnp_dscp", "cnp_priority"}):
        settings.setdefault((row.target, row.port), {})[row.name] = row
    ends = [(port.target, port.port) for port in rows(fabric_port, side="nic")]
    yield from by_target((_judged(end, settings.get(end, {}), design.of(end[0])) for end in ends), "compute NICs")


def _judged(end: tuple[str, str], settings: dict[str, Any], wanted: "Design") -> Finding:
    meant = {"cnp_dscp": wanted.cnp_dscp, "cnp_priority": wanted.cnp_priority}
    asked = {name: str(value) for name, value in meant.items() if value is not None}
    if wanted.congestion_control != "dcqcn" or not asked:
        return not_asked(end, f"congestion_control: {wanted.congestion_control}; cnp_dscp, cnp_priority")
    found = {name: settings[name].value for name in asked if name in settings}
    wrong = {name: value for name, value in found.items() if value is not None and value != asked[name]}
    if not wrong and any(found.get(name) is None for name in asked):
        return unknown(end, "the DSCP or priority of its CNPs is not known", *settings.values())
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"sends CNPs with {_words(wrong or found)}",
        expected=_words(asked),
        observed=_words(found),
        remedy=f"set {_words({name: asked[name] for name in wrong})} on this NIC" if wrong else "",
        remedy_source="NVIDIA MLNX_OFED, ECN",
        evidence=evidence(*settings.values()),
    )


def _words(values: dict[str, str]) -> str:
    return ", ".join(f"{name.removeprefix('cnp_')} {value}" for name, value in values.items())

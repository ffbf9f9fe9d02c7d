"""Switches of one platform and role share their buffer in the same way.

Why: the dynamic threshold (alpha) decides at which fill a port pauses. One switch with another alpha than its peers
pauses earlier or later than all others, and its hosts are slow in a way that no configuration check of its own shows:
each switch by itself is valid. Drift of this value has taken fabrics down.

Fix: give the lossless priority group of the named switch its peers' value. SONiC: `dynamic_th` of the profile. Cumulus:
`nv set qos advance-buffer-config`. EOS and NX-OS print it per platform.

Source: RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 5.1 (configuration monitoring found alpha drift).
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.SWITCHES
BY_CONFIGURATION = True
RESTS_ON = ("fabric_port",)


def check(
    priority_group: "pd.DataFrame", fabric_port: "pd.DataFrame", target: "pd.DataFrame", cannot: Cannot
) -> Iterator[Finding]:
    """One finding a switch."""
    ends = {(port.target, port.port) for port in rows(fabric_port)}
    said: dict[str, dict[str, Any]] = {}
    for row in rows(priority_group, lossless=True):
        if (row.target, row.port) in ends and row.alpha_raw is not None:
            said.setdefault(row.target, {}).setdefault(row.alpha_raw, row)
    kinds: dict[tuple[str | None, str | None], list[str]] = {}
    for switch in rows(target, kind="switch"):
        kinds.setdefault((switch.platform, switch.role), []).append(switch.target)
    for (platform, _), switches in kinds.items():
        usual = _usual(said, switches)
        for name in switches:
            if name in said:
                yield _judged(name, said[name], usual, platform or "switch")
            else:
                yield silent((name,), "how the lossless class shares the buffer", cannot, "priority_group")


def _usual(said: dict[str, dict[str, Any]], switches: list[str]) -> str:
    counted = Counter(_words(said[name]) for name in switches if name in said)
    return counted.most_common(1)[0][0] if counted else ""


def _words(values: dict[str, Any]) -> str:
    return ", ".join(sorted(values))


def _judged(name: str, values: dict[str, Any], usual: str, platform: str) -> Finding:
    found = _words(values)
    alike = found == usual
    return Finding(
        verdict=Verdict.PASS if alike else Verdict.FAIL,
        subject=(name,),
        message=f"alpha of the lossless class is {found}"
        + ("" if alike else f", {usual} on other {platform} switches"),
        expected=usual,
        observed=found,
        remedy="" if alike else f"set the dynamic threshold of the lossless group to {usual}",
        remedy_source="SIGCOMM 2016, RDMA over Commodity Ethernet at Scale, section 5.1",
        evidence=evidence(*values.values()),
    )

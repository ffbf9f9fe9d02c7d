"""Switches of one platform and role share their buffer in the same way.

Why: the dynamic threshold (alpha) decides at which fill a port pauses. One switch with another alpha than its peers
pauses earlier or later than all others, and its hosts are slow in a way that no configuration check of its own shows:
each switch by itself is valid. Drift of this value has taken fabrics down.

Fix: give the lossless priority group of the named switch its peers' value. SONiC: `dynamic_th` of the profile. Cumulus:
`nv set qos advance-buffer-config`. EOS and NX-OS print it per platform.

Source: RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 5.1 (configuration monitoring found alpha drift).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.majority import usual
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.SWITCHES
BY_CONFIGURATION = True
RESTS_ON = ("fabric_port",)
_TOLD = ("priority_group", "priority_group.alpha_raw")


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
        words = {name: _words(said[name]) for name in switches if name in said}
        common = usual(words.values())
        if common is None and words:
            yield _undecided(words, said)
        for name in switches:
            if name in said and common is not None:
                yield _judged(name, said[name], common, platform or "switch")
            elif name in said:
                continue
            else:
                yield silent((name,), "how the lossless class shares the buffer", cannot, *_TOLD)


def _undecided(words: dict[str, str], said: dict[str, dict[str, Any]]) -> Finding:
    """Switches that differ, none of them the odd one."""
    shown = ", ".join(f"{name} {value}" for name, value in sorted(words.items())[:4])
    return Finding(
        verdict=Verdict.FAIL,
        subject=tuple(sorted(words)[:4]),
        message=f"alpha of the lossless class differs, and no value is the usual one: {shown}",
        expected="one value",
        observed=shown,
        remedy="set the dynamic threshold of the lossless group alike",
        remedy_source="SIGCOMM 2016, RDMA over Commodity Ethernet at Scale, section 5.1",
        evidence=evidence(*(row for name in sorted(words)[:4] for row in said[name].values())),
    )


def _words(values: dict[str, Any]) -> str:
    return ", ".join(sorted(values))


def _judged(name: str, values: dict[str, Any], common: str, platform: str) -> Finding:
    found = _words(values)
    alike = found == common
    return Finding(
        verdict=Verdict.PASS if alike else Verdict.FAIL,
        subject=(name,),
        message=f"alpha of the lossless class is {found}"
        + ("" if alike else f", {common} on other {platform} switches"),
        expected=common,
        observed=found,
        remedy="" if alike else f"set the dynamic threshold of the lossless group to {common}",
        remedy_source="SIGCOMM 2016, RDMA over Commodity Ethernet at Scale, section 5.1",
        evidence=evidence(*values.values()),
    )

"""Both ends of every cable use the same forward error correction.

Why: ends with different FEC do not come up, or come up after a long wait and flap. A link without FEC that comes up at
50G a lane loses frames all the time, which looks like congestion.

Fix: set FEC alike, RS where lanes run at 50G or more. SONiC: `config interface fec PORT rs`. EOS: `error-correction
encoding reed-solomon`. NX-OS: `fec rs-fec`. Hosts: `ethtool --set-fec IF encoding rs`.

Source: IEEE 802.3 clauses 91, 108 and 134 (RS-FEC), 74 (firecode). `auto` is not what runs: where a port tells only
that, it tells nothing.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.LINKS


def check(interface: "pd.DataFrame", link: "pd.DataFrame", cannot: Cannot) -> Iterator[Finding]:
    """One finding a cable."""
    ports = {(row.target, row.port): row for row in rows(interface)}
    for cable in rows(link):
        ends = ((cable.a_target, cable.a_port), (cable.b_target, cable.b_port))
        yield _judged(ends, (ports.get(ends[0]), ports.get(ends[1])), cannot)


def _judged(ends: tuple[tuple[str, str], tuple[str, str]], found: tuple[Any, Any], cannot: Cannot) -> Finding:
    modes = [_in_use(row) for row in found]
    if None in modes:
        silent_end, other = (ends[0], ends[1]) if modes[0] is None else (ends[1], ends[0])
        what = f"FEC of {' '.join(silent_end)}"
        return silent((*silent_end, *other), what, cannot, "interface.fec_mode", "interface.fec_oper", seen=found)
    alike = modes[0] == modes[1]
    return Finding(
        verdict=Verdict.PASS if alike else Verdict.FAIL,
        subject=(*ends[0], *ends[1]),
        message=f"FEC {modes[0]} at both ends" if alike else f"FEC {modes[0]} at one end, {modes[1]} at the other",
        expected="the same FEC",
        observed=f"{modes[0]} and {modes[1]}",
        remedy="" if alike else "set the same FEC at both ends",
        remedy_source="IEEE 802.3 clause 91",
        evidence=evidence(*found),
    )


def _in_use(row: Any) -> str | None:
    if row is None:
        return None
    mode = row.fec_oper or row.fec_mode
    return None if mode in (None, "auto") else str(mode)

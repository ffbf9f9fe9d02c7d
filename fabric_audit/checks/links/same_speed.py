"""Both ends of every cable run at the same speed.

Why: a port forced to a lower speed than its peer's lanes leaves a link that is up at one end and down at the other, or
up with half of its lanes. A link that both ends call up at different speeds is one that a driver reports wrongly.

Fix: set speed and lanes alike, or let both negotiate. SONiC: `config interface speed`. EOS: `speed 400g-8`. Hosts:
`ethtool -s IF speed 400000 autoneg on`.

Source: IEEE 802.3 clause 73; NVIDIA, Arista and SONiC interface guides.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.LINKS


def check(interface: "pd.DataFrame", link: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a cable."""
    ports = {(row.target, row.port): row for row in rows(interface)}
    for cable in rows(link):
        a, b = ports.get((cable.a_target, cable.a_port)), ports.get((cable.b_target, cable.b_port))
        yield _judged((cable.a_target, cable.a_port, cable.b_target, cable.b_port), a, b)


def _judged(subject: tuple[str, ...], a: Any, b: Any) -> Finding:
    speeds = [row.speed_bps for row in (a, b) if row is not None and row.speed_bps is not None]
    if len(speeds) < 2:  # noqa: PLR2004 - a cable has two ends
        return unknown(subject, "the speed at one of its ends is not known", a, b)
    alike = speeds[0] == speeds[1]
    said = [f"{speed / 1e9:g}G" for speed in speeds]
    return Finding(
        verdict=Verdict.PASS if alike else Verdict.FAIL,
        subject=subject,
        message=f"both ends run at {said[0]}" if alike else f"{said[0]} at one end, {said[1]} at the other",
        expected="the same speed",
        observed=" and ".join(said),
        remedy="" if alike else "set speed and lanes alike at both ends",
        evidence=evidence(a, b),
    )

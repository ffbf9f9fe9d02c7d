"""No 802.3x pause was seen on the RDMA fabric.

Why: pause of a whole link takes bandwidth from every class, and leaves no drop anywhere: a fifth of 400G can be gone
with every loss counter at zero, and whoever looks for loss finds nothing.

Fix: see which end sends it (the port whose sent counter grows), and switch 802.3x pause off there: `ethtool -A IF rx
off tx off`; EOS: `flowcontrol send off`.

Source: rx_global_pause (Linux mlx5 counters), rxPause (EOS), MAC pause frames (Junos, NX-OS); IEEE 802.3 annex 31B.
Counters of pause frames of whatever kind, such as rx_pause_ctrl_phy, count PFC too and prove nothing.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth
from fabric_audit.checks.counted import by_port, summed
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
RESTS_ON = ("counter", "fabric_port")
WHOLE_LINK = frozenset(
    {
        *("rx_global_pause", "tx_global_pause", "rx_global_pause_duration", "tx_global_pause_duration"),
        *("rxPause", "txPause", "input-mac-pause-frames", "output-mac-pause-frames", "eth_inpause", "eth_outpause"),
    }
)


def check(
    counter: "pd.DataFrame", rdma_port: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs"
) -> Iterator[Finding]:
    """One finding a port of the RDMA fabric."""
    named = counter[counter["name"].isin(WHOLE_LINK)]
    grown = by_port(named, ("pause_received", "pause_sent"), fabric_port, rdma_port)
    for port in rows(fabric_port):
        end = (port.target, port.port)
        if design.of(port.target).link_pause_allowed:
            yield not_asked(end, "link_pause_allowed")
        elif end not in grown:
            yield skipped(end, "it counts no 802.3x pause: drivers show such counters only where it is on, if at all")
        else:
            yield _judged(end, [sign for sign in grown[end] if sign.delta.value])


def _judged(end: tuple[str, str], signs: list[Growth]) -> Finding:
    return Finding(
        verdict=Verdict.FAIL if signs else Verdict.PASS,
        subject=end,
        message=f"the whole link was paused: {summed(signs)}" if signs else "the link was never paused as a whole",
        expected="no 802.3x pause",
        observed=summed(signs) or "none",
        remedy="switch 802.3x pause off at the end that sends it" if signs else "",
        remedy_source="IEEE 802.3 annex 31B",
        evidence=evidence(*(sign.row for sign in signs[:4])),
    )

"""The PFC watchdog guards every lossless queue of every switch port.

Why: a NIC that pauses for ever, through a bug or a dead host, stops its switch port, then the queues behind it, then
the pod. The watchdog is what ends that: without it one sick NIC takes the fabric down.

Fix: SONiC: `pfcwd start --action drop PORT 200 --restoration-time 400`. EOS: `priority-flow-control pause watchdog`.
NX-OS: `priority-flow-control watch-dog-interval on`. Cumulus: `nv set interface PORT qos pfc-watchdog`.

Source: RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3; SONiC PFC Watchdog design.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True
WHOLE_PORT = -1


def check(pfc_watchdog: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    guards: dict[tuple[str, str], list[Any]] = {}
    for row in rows(pfc_watchdog, phase="baseline"):
        guards.setdefault((row.target, row.port), []).append(row)
    for port in rows(fabric_port):
        end, wanted = (port.target, port.port), design.of(port.target)
        if port.side == "nic":
            continue
        if wanted.watchdog_required and wanted.pfc_required:
            yield _judged(end, guards.get(end, []), wanted)
        else:
            yield not_asked(end, "watchdog_required, pfc_required")


def _judged(end: tuple[str, str], guards: list[Any], design: "Design") -> Finding:
    """A queue is guarded by its own watchdog or the port's; counters of a watchdog do not say whether it is on."""
    known = [guard for guard in guards if guard.enabled is not None]
    guarded = {guard.queue for guard in known if guard.enabled}
    lacking = [] if WHOLE_PORT in guarded else sorted(set(design.lossless_priorities) - guarded)
    untold = {guard.queue for guard in guards if guard.enabled is None}
    whole_port_told = any(guard.queue == WHOLE_PORT for guard in known)
    if not known or (lacking and not whole_port_told and untold & {*lacking, WHOLE_PORT}):
        return Finding(verdict=Verdict.UNKNOWN, subject=end, message="its watchdog is not known")
    return Finding(
        verdict=Verdict.FAIL if lacking else Verdict.PASS,
        subject=end,
        message=f"no watchdog on queue {', '.join(map(str, lacking))}" if lacking else "the watchdog is on",
        expected="a watchdog on every lossless queue",
        observed=", ".join(f"queue {g.queue} {'on' if g.enabled else 'off'}" for g in known),
        remedy="switch the PFC watchdog on for this port" if lacking else "",
        evidence=evidence(*known),
    )

"""When the PFC watchdog fires, it gives up a queue, not a port.

Why: the watchdog is to turn a storm of one NIC into lost packets of one queue. An action that shuts the port turns it
into a lost rail, and every job that uses the host into a failed job.

Fix: SONiC: `pfcwd start --action drop ...`. EOS: `priority-flow-control pause watchdog action drop`. NX-OS: without
`shutdown` in the watchdog's policy.

Source: policy value `watchdog_actions`; SONiC PFC Watchdog design (drop, forward, alert).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent, skipped
from fabric_audit.checks.watchdog.guards import NONE_IS_ON, guards_of
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True


def check(
    pfc_watchdog: "pd.DataFrame", fabric_port: "pd.DataFrame", design: "Designs", cannot: Cannot
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    guards = guards_of(pfc_watchdog)
    ends = [(port.target, port.port) for port in rows(fabric_port, side={"host", "fabric"})]
    yield from by_target(_judged(end, guards.get(end, []), design.of(end[0]), cannot) for end in ends)


def _judged(end: tuple[str, str], guards: list[Any], wanted: "Design", cannot: Cannot) -> Finding:
    if not wanted.watchdog_required:
        return not_asked(end, "watchdog_required")
    if guards and not any(guard.enabled for guard in guards):
        return skipped(end, NONE_IS_ON)
    said = [guard for guard in guards if guard.action is not None]
    if not said:
        return silent(
            end, "what a firing watchdog does", cannot, "pfc_watchdog", "pfc_watchdog.action", seen=(*guards,)
        )
    wrong = sorted({guard.action for guard in said} - set(wanted.watchdog_actions))
    actions = ", ".join(sorted({guard.action for guard in said}))
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"a firing watchdog will {', '.join(wrong) or actions}",
        expected=" or ".join(wanted.watchdog_actions),
        observed=actions,
        remedy=f"set the watchdog's action to {wanted.watchdog_actions[0]}" if wrong else "",
        remedy_source="policy show",
        evidence=evidence(*said),
    )

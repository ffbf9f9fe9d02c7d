"""The PFC watchdog watches the queues that PFC stops, and no others.

Why: a watchdog on a queue without PFC guards nothing; as a rule it stands where the one on the lossless queue was
meant: configurations generated for another pair of priorities keep watching 3 and 4 after PFC has moved to 5.

Fix: start the watchdog again after PFC has changed: SONiC: `pfcwd stop`, `pfcwd start_default`. Dell: the queues of
`priority-flow-control watchdog`.

Source: sonic-net/sonic-swss pull request 1697 (pfcwd does not follow changes of PFC); a watchdog of a whole port
follows by itself.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.pfc.words import in_force
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.checks.watchdog.guards import NONE_IS_ON, WHOLE_PORT, guards_of
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True


def check(
    pfc_watchdog: "pd.DataFrame",
    pfc_port: "pd.DataFrame",
    pfc_priority_map: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
) -> Iterator[Finding]:
    """One finding a switch port of the fabric that has a watchdog."""
    guards = guards_of(pfc_watchdog)
    paused = {(row.target, row.port): in_force(row) for row in rows(pfc_port)}
    queues = {(row.target, row.port, row.priority): row.queue for row in rows(pfc_priority_map)}

    def examined(end: tuple[str, str]) -> Finding:
        mine = [guard for guard in guards.get(end, []) if guard.enabled]
        if not design.of(end[0]).watchdog_required:
            return not_asked(end, "watchdog_required")
        if not mine:
            return skipped(end, NONE_IS_ON)
        priorities = paused.get(end)
        if priorities is None:
            return unknown(end, "which queues PFC stops is not known", *mine)
        return _judged(end, mine, {queues.get((*end, int(one)), int(one)) for one in priorities})

    ends = [(port.target, port.port) for port in rows(fabric_port, side={"host", "fabric"})]
    yield from by_target(map(examined, ends))


def _judged(end: tuple[str, str], guards: list[Any], stopped: set[int | None]) -> Finding:
    watched = {guard.queue for guard in guards} - {WHOLE_PORT}
    idle = ", ".join(map(str, sorted(watched - stopped)))
    return Finding(
        verdict=Verdict.FAIL if idle else Verdict.PASS,
        subject=end,
        message=f"the watchdog watches queue {idle}, which PFC does not stop" if idle else "watches what PFC stops",
        expected=f"queues {_listed(stopped)}",
        observed=f"queues {_listed(watched)}" if watched else "the whole port",
        remedy="start the watchdog again, so that it follows PFC" if idle else "",
        remedy_source="sonic-net/sonic-swss pull request 1697",
        evidence=evidence(*guards),
    )


def _listed(queues: set[int | None]) -> str:
    return ", ".join(sorted(map(str, queues))) or "none"

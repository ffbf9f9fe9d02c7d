"""The PFC watchdog acts on storms, not all the time.

Why: SONiC's big red switch makes the watchdog act at once on every queue it guards, storm or no storm. It is meant for
an emergency; left on, the lossless class is a lossy one on the whole switch, and nothing looks broken.

Fix: SONiC: `pfcwd big_red_switch disable`.

Source: SONiC PFC Watchdog design, "Big Red Switch mode". Other platforms have no such mode.
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

    from fabric_audit.policy.model import Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True
HAVE_IT = ("sonic", "dell_sonic")


def check(
    pfc_watchdog: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    target: "pd.DataFrame",
    design: "Designs",
    cannot: Cannot,
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    guards = guards_of(pfc_watchdog)
    platforms = {row.target: row.platform for row in rows(target)}

    def examined(end: tuple[str, str]) -> Finding:
        mine = guards.get(end, [])
        if not design.of(end[0]).watchdog_required:
            return not_asked(end, "watchdog_required")
        if not any(guard.enabled for guard in mine):
            return skipped(end, NONE_IS_ON)
        if platforms.get(end[0]) not in HAVE_IT:
            return skipped(end, f"{platforms.get(end[0])} has no such mode")
        return _judged(end, mine, cannot)

    ends = [(port.target, port.port) for port in rows(fabric_port, side={"host", "fabric"})]
    yield from by_target(map(examined, ends))


def _judged(end: tuple[str, str], guards: list[Any], cannot: Cannot) -> Finding:
    said = [guard for guard in guards if guard.big_red_switch is not None]
    if not said:
        what = "whether the watchdog acts without a storm"
        return silent(end, what, cannot, "pfc_watchdog.big_red_switch", seen=(*guards,))
    wrong = any(guard.big_red_switch for guard in said)
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message="the big red switch is on: guarded queues drop all the time" if wrong else "acts on storms only",
        expected="big red switch off",
        observed="on" if wrong else "off",
        remedy="pfcwd big_red_switch disable" if wrong else "",
        remedy_source="SONiC PFC Watchdog design",
        evidence=evidence(*said),
    )

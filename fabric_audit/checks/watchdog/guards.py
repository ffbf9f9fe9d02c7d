"""The watchdog's settings, port by port."""

from typing import TYPE_CHECKING, Any

from fabric_audit.checks.rows import rows

if TYPE_CHECKING:
    import pandas as pd

WHOLE_PORT = -1
"""Queue number of a watchdog that guards a whole port."""
NONE_IS_ON = "no watchdog is on here: pfc.watchdog-enabled says so"
BASELINE = "baseline"


def guards_of(pfc_watchdog: "pd.DataFrame") -> dict[tuple[str, str], list[Any]]:
    """(target, port) → its watchdogs, the port's and the queues', as they stood before traffic."""
    found: dict[tuple[str, str], list[Any]] = {}
    for row in rows(pfc_watchdog, phase=BASELINE):
        found.setdefault((row.target, row.port), []).append(row)
    return found

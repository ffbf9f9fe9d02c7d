"""The PFC watchdog fires in time, and lets go by itself.

Why: until it fires, a storm spreads from port to port: at 400 ms most of a pod stands still, at several seconds NCCL's
timers run out. A watchdog that looks less often than it is to detect cannot keep its time; one that never restores
leaves a queue dropping after the storm is over.

Fix: SONiC: `pfcwd start --action drop PORT 200 --restoration-time 400`, `pfcwd interval 200`. EOS:
`priority-flow-control pause watchdog default timeout 0.2`. NX-OS: `priority-flow-control watch-dog interval 100`.

Source: SONiC pfcwd: detection 200 ms for each 32 ports, polled no more often than the ports can be read; the limit is
the policy's `watchdog_detect_ms` for each 32 ports.
"""

from collections import Counter
from collections.abc import Iterator
from math import ceil
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
PORTS_A_UNIT = 32


def check(
    pfc_watchdog: "pd.DataFrame",
    interface: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
    cannot: Cannot,
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    guards = guards_of(pfc_watchdog)
    ports = Counter(row.target for row in rows(interface, kind="physical"))
    ends = [(port.target, port.port) for port in rows(fabric_port, side={"host", "fabric"})]
    yield from by_target(_judged(end, guards.get(end, []), design.of(end[0]), ports[end[0]], cannot) for end in ends)


def _judged(end: tuple[str, str], guards: list[Any], wanted: "Design", ports: int, cannot: Cannot) -> Finding:
    if not wanted.watchdog_required:
        return not_asked(end, "watchdog_required")
    if guards and not any(guard.enabled for guard in guards):
        return skipped(end, NONE_IS_ON)
    said = [guard for guard in guards if guard.detect_ms is not None]
    if not said:
        fields = ("pfc_watchdog", "pfc_watchdog.detect_ms")
        return silent(end, "how soon the watchdog fires", cannot, *fields, seen=(*guards,))
    limit = wanted.watchdog_detect_ms * max(1, ceil(ports / PORTS_A_UNIT))
    wrong = next((words for guard in said if (words := _wrong(guard, limit))), "")
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=wrong or f"the watchdog fires after {said[0].detect_ms} ms",
        expected=f"detection within {limit:g} ms, polled at least as often, restored by itself",
        observed=", ".join(sorted({_times(guard) for guard in said})),
        remedy="set the watchdog's detection, polling and restoration times" if wrong else "",
        remedy_source="SONiC PFC Watchdog design",
        evidence=evidence(*said),
    )


def _wrong(guard: Any, limit: float) -> str:
    if guard.detect_ms > limit:
        return f"the watchdog fires after {guard.detect_ms} ms only"
    if guard.poll_ms is not None and guard.poll_ms > guard.detect_ms:
        return f"the watchdog looks every {guard.poll_ms} ms and is to detect within {guard.detect_ms} ms"
    return "the watchdog restores a queue only by hand" if guard.restore_ms == 0 else ""


def _times(guard: Any) -> str:
    times = {"detect": guard.detect_ms, "restore": guard.restore_ms, "poll": guard.poll_ms}
    return " ".join(f"{name} {value} ms" for name, value in times.items() if value is not None)

"""All traffic that was planned was sent.

Why: a run that ended its traffic early has not tested every pair, and a pod is as slow as the pair that was left out.

Fix: the finding says what ended it. A budget: allow more. A watchdog that fired, a link that went down, a lossless
queue that dropped: that is the fault to mend first; traffic was ended so as to do no more harm.

Source: the run's own manifest.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.PAIRS


def check(fabric: "pd.DataFrame", pair_result: "pd.DataFrame") -> Iterator[Finding]:
    """One finding for the fabric."""
    sent = len({row.round for row in rows(pair_result)})
    for row in rows(fabric):
        ended = row.traffic_ended
        yield Finding(
            verdict=Verdict.UNKNOWN if ended else Verdict.PASS,
            subject=(row.name,),
            message=f"traffic was ended after {sent} rounds: {ended}" if ended else f"all {sent} rounds were sent",
            expected="every planned round",
            observed=f"{sent} rounds",
        )

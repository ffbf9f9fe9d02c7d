"""The evidence comes from real devices.

Why: a simulated pod shows what the audit does, and proves nothing about any fabric. Its report must not be taken for
one of a cluster.

Fix: write an inventory of your hosts and switches; `inventories/example.yaml` shows every key.

Source: the capture's manifest.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.TARGETS


def check(fabric: "pd.DataFrame") -> Iterator[Finding]:
    """One finding for the fabric."""
    for row in rows(fabric):
        real = row.origin == "real"
        yield Finding(
            verdict=Verdict.PASS if real else Verdict.NOT_VERIFIABLE,
            subject=(row.name,),
            message="from real devices" if real else "simulated: it proves nothing about any real fabric",
        )

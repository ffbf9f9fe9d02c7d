"""Jobs report no error of the network.

Why: a completion error in a job's log is the network's fault seen from inside: status 12 is a peer that answers no
more, a link that went away, a GID that leads nowhere. It is the first place where a fault of a thousand hosts has a
name.

Fix: the finding says what the status means. Look at both ends of the path it names: link, GID, routes, and counters of
loss and retransmission.

Source: NCCL src/transport/net_ib (work completions), InfiniBand Architecture 1.3, 11.6.2 (status codes).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric_audit.analysis.nccl.errors import judge_errors
from fabric_audit.checks.model import Scope
from fabric_audit.checks.nccl.jobs import job, of_fabric

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.findings import Finding

ON = Scope.HOSTS
RESTS_ON = ("nccl_log",)
ID = "nccl.no-errors"
COMPLETION = "completion_error"
"""Where work requests fail, later ones are flushed: the first failure is the cause."""


def check(
    nccl_event: "pd.DataFrame",
    nccl_env: "pd.DataFrame",
    nccl_log: "pd.DataFrame",
    fabric: "pd.DataFrame",
) -> "Iterator[Finding]":
    """One finding for each that does not hold, or one for the job."""
    told = job(nccl_event=nccl_event, nccl_env=nccl_env)
    found = list(of_fabric(judge_errors(told), fabric, nccl_log, "no error of the network in the job's log"))
    first = next((one for one in found if one.subject[-1].startswith(COMPLETION) and not one.explained_by), None)
    for one in found:
        cause = f"{ID}:{'/'.join(first.subject)}" if first and one.explained_by else ""
        yield replace(one, explained_by=cause)

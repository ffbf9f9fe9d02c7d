"""Links of the RDMA fabric have errors to spare before FEC gives up.

Why: error ratios fall off a cliff: a module that ages, or dirt on a connector, takes a link from no loss to constant
loss within weeks. A link whose effective bit error ratio can be measured at all is the next one to fail.

Fix: clean and reseat both ends at the next opportunity; plan a spare.

Source: IEEE 802.3 bit error objectives; the limit is the policy's `effective_ber_minor`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.checks.links.ratios import Limit, judged
from fabric_audit.checks.model import Scope

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.findings import Finding
    from fabric_audit.policy.model import Designs

ON = Scope.TARGETS
RESTS_ON = ("fabric_port",)


def check(
    transceiver: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric: "pd.DataFrame",
    design: "Designs",
) -> "Iterator[Finding]":
    """One finding a port that tells its effective bit error ratio."""
    limit = Limit(lambda target: design.of(target).effective_ber_minor, "is suspect")
    yield from judged(transceiver, fabric_port, rdma_port, fabric, limit)

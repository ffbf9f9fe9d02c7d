"""No link of the RDMA fabric has bit errors that FEC leaves over.

Why: at 400G an effective bit error ratio of 1e-12 is a damaged frame every few seconds. Each is a lost packet, each
lost packet a go-back-N window, and collectives wait for all of them. Congestion is blamed for it.

Fix: clean and reseat both ends, then replace module or cable; compare FEC at both ends.

Source: IEEE 802.3 clause 91 (FEC) and its bit error objectives; the limit is the policy's `effective_ber_major`. Ports
that tell no bit error ratio are covered by their error counters (counters.no-wire-errors).
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
    limit = Limit(lambda target: design.of(target).effective_ber_major, "is bad")
    yield from judged(transceiver, fabric_port, rdma_port, fabric, limit)

"""No leaf, and no leaf's uplinks, make the pairs that cross them slow.

Why: hosts below a sick leaf are all slow, and each of them looks guilty. Hosts whose leaf has sick uplinks are well
among themselves and slow with everybody else: half of the job's traffic, and no NIC at fault.

Fix: a leaf: its buffers, QoS profile, temperature and fans, its forwarding mode. Uplinks: how many are up, at which
speed, which take part in ECMP (`routing.ecmp-complete`), and what their counters show.

Source: at least three bad hosts below a leaf, or R-Pingmesh's error (SIGCOMM 2024): with two, one dead NIC condemns the
leaf. Uplinks are blamed only after the same pairs were slow again with other queue pairs, eight or more.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric_audit.analysis.blame import HOSTS_OF_A_LEAF, FabricBlame
from fabric_audit.checks.model import Scope
from fabric_audit.checks.performance.pairs import leaves, slow_pairs, subject_of
from fabric_audit.checks.rows import rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS
RESTS_ON = ("pair_result",)
_WAYS = {"sends": "up to the spines", "receives": "down from the spines", "both": "both ways"}


def check(
    pair_result: "pd.DataFrame", link: "pd.DataFrame", fabric: "pd.DataFrame", design: "Designs"
) -> Iterator[Finding]:
    """One finding a leaf below which enough hosts were tested, and one for sick uplinks."""
    blamed: dict[tuple[str, ...], Finding] = {}
    for (tool, memory), one in slow_pairs(pair_result, link, design.fabric.pod_bandwidth_floor).items():
        for culprit in one.verdict.fabric:
            blamed.setdefault(subject_of(culprit), _slow(culprit, f"{tool}, {memory} memory"))
    yield from blamed.values()
    hosts: dict[str, set[str]] = {}
    where = leaves(link)
    for row in rows(pair_result, outcome="ok"):
        for host, port in ((row.client, row.client_port), (row.server, row.server_port)):
            if (host, port) in where:
                hosts.setdefault(where[host, port], set()).add(host)
    for leaf in sorted(set(hosts) - {subject[0] for subject in blamed}):
        if len(hosts[leaf]) < HOSTS_OF_A_LEAF:
            few = f"{len(hosts[leaf])} hosts below it were tested; it takes {HOSTS_OF_A_LEAF} to tell it from them"
            yield skipped((leaf,), few)
        else:
            yield Finding(verdict=Verdict.PASS, subject=(leaf,), message="not slow with the hosts below it")
    if not hosts and not blamed:
        words = "no cable of a tested NIC could be resolved to a leaf"
        yield from (skipped((row.name,), words) for row in rows(fabric))


def _slow(culprit: FabricBlame, kind: str) -> Finding:
    if culprit.what == "leaf":
        words = f"the hosts below {culprit.leaf} are slow with every peer, near and far"
    else:
        words = f"traffic over {culprit.leaf}'s uplinks is slow {_WAYS[culprit.role]}, with any queue pairs"
    return Finding(
        verdict=Verdict.FAIL,
        subject=subject_of(culprit),
        message=f"{words} ({culprit.bad} of {culprit.seen} tests, {kind})",
        expected="as fast as other leaves",
        observed=f"{culprit.bad} of {culprit.seen} tests slow",
        remedy="compare state, speed and counters of its uplinks, and its buffers and QoS, with another leaf's",
    )

"""No pair is slow because its flows share an uplink with others by accident of a hash.

Why: leaves spread flows over their uplinks by a hash of addresses and ports. RDMA has few large flows, so two of them
meet on one uplink while another stands idle, and both halve. No component is sick; another connection, with other
queue pairs, is fast. Jobs see it as ranks that are slow today and fast after a restart.

Fix: more queue pairs a connection (`NCCL_IB_QPS_PER_CONNECTION`, `NCCL_IB_SPLIT_DATA_ON_QPS=1`), a hash that looks at
the UDP source port or the queue pair (`routing.entropy`), adaptive routing where NICs can reorder, as many uplinks as
hosts need.

Source: a test that is slow, and is not with other queue pairs (other UDP source ports: InfiniBand Architecture 1.3,
annex A17). Meta, SIGCOMM 2024: up to 40 % of all-reduce bandwidth came from more queue pairs and a better hash.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.sides import Observation
from fabric_audit.checks.model import Scope
from fabric_audit.checks.performance.pairs import slow_pairs
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS
RESTS_ON = ("pair_result",)


def check(
    pair_result: "pd.DataFrame", link: "pd.DataFrame", fabric: "pd.DataFrame", design: "Designs"
) -> Iterator[Finding]:
    """One finding a pair whose slowness moved, or one for the fabric where none did."""
    repeats: dict[tuple[str, str, int], list[Any]] = {}
    for row in rows(pair_result, outcome="ok"):
        if row.tool.endswith("_bw") and row.bandwidth_bps is not None:
            repeats.setdefault((row.client, row.server, row.rail), []).append(row)
    found: dict[tuple[str, str, int], tuple[str, str]] = {}
    for kind, one in slow_pairs(pair_result, link, design.fabric.pod_bandwidth_floor).items():
        for moved in one.verdict.moved:
            found.setdefault((moved.client, moved.server, moved.rail), kind)
            if found[moved.client, moved.server, moved.rail] == kind:
                yield _collided(moved, kind, repeats[moved.client, moved.server, moved.rail])
    if not found:
        for row in rows(fabric):
            words = "no test was slow with some queue pairs and fast with others"
            passed = Finding(verdict=Verdict.PASS, subject=(row.name,), message=words)
            yield passed if repeats else skipped((row.name,), "no test gave a result")


def _collided(moved: Observation, kind: tuple[str, str], repeats: list[Any]) -> Finding:
    tool, memory = kind
    mine = [row for row in repeats if (row.tool, row.memory) == kind]
    speeds = ", ".join(f"{row.bandwidth_bps / 1e9:.4g} Gb/s with {row.qps or 1} queue pairs" for row in mine)
    where = "" if moved.near is False else "; its cables are not resolved, so a disturbance at an end may do the same"
    return Finding(
        verdict=Verdict.FAIL,
        subject=(moved.client, f"rail {moved.rail}", moved.server),
        message=f"{moved.client} to {moved.server} on rail {moved.rail} is slow with some queue pairs only: {speeds}"
        f" ({tool}, {memory} memory){where}",
        expected="the same rate with any queue pairs",
        observed=speeds,
        remedy="more queue pairs a connection; a hash over the UDP source port; compare the loads of uplinks",
        evidence=evidence(*mine[:4]),
    )

"""Pair results as observations: who was slow, and which component explains it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.blame import FabricBlame
from fabric_audit.analysis.fabric_paths import fabric_paths
from fabric_audit.analysis.sides import Blame, Observation
from fabric_audit.analysis.slowness import Judged, Kind, judged
from fabric_audit.checks.rows import rows
from fabric_audit.findings import Finding
from fabric_audit.findings import Verdict as Answer

if TYPE_CHECKING:
    import pandas as pd

CHECK_OF = {"nic": "performance.slow-nic", "leaf": "performance.slow-leaf", "uplinks": "performance.slow-leaf"}


def leaves(link: "pd.DataFrame") -> dict[tuple[str, str], str]:
    """(host, interface) → the switch at the other end of its cable."""
    paths = fabric_paths(rows(link, role="host"))
    return {end: far[0] for end, far in paths.opposite.items()}


def slow_pairs(pair_result: "pd.DataFrame", link: "pd.DataFrame", share: float) -> dict[Kind, Judged]:
    """Who is to blame for tests below ``share`` of the median of their class, by (tool, memory)."""
    return judged(rows(pair_result), leaves(link), share)


def never_tested(pair_result: "pd.DataFrame") -> Iterator[Finding]:
    """UNKNOWN for every NIC that was to be tested and has no result, with any peer, in any direction."""
    planned, tested = set(), set()
    for row in rows(pair_result):
        ends = {(row.client, f"rail {row.rail}"), (row.server, f"rail {row.rail}")}
        planned |= ends
        if row.outcome == "ok":
            tested |= ends
    for subject in sorted(planned - tested):
        yield Finding(verdict=Answer.UNKNOWN, subject=subject, message="no test with it gave a result")


def subject_of(found: Blame | FabricBlame) -> tuple[str, ...]:
    """Subject of the finding about what is slow."""
    if isinstance(found, FabricBlame):
        return (found.leaf,) if found.what == "leaf" else (found.leaf, "uplinks")
    return (found.host, f"rail {found.rail}")


def blamed_for(row: Any, found: Mapping[Kind, Judged], where: Mapping[tuple[str, str], str]) -> str:
    """Id of the finding that explains a slow pair, empty where none does.

    A test that was slow only with some queue pairs is explained by the collision of their hashes.
    """
    if (row.tool, row.memory) not in found:
        return ""
    verdict = found[row.tool, row.memory].verdict
    one = Observation(
        client=row.client,
        server=row.server,
        rail=row.rail,
        bad=True,
        client_leaf=where.get((row.client, row.client_port), ""),
        server_leaf=where.get((row.server, row.server_port), ""),
    )
    culprit = verdict.blames(one)
    if culprit is not None:
        kind = culprit.what if isinstance(culprit, FabricBlame) else "nic"
        return f"{CHECK_OF[kind]}:{'/'.join(subject_of(culprit))}"
    if any((o.client, o.server, o.rail) == (row.client, row.server, row.rail) for o in verdict.moved):
        return f"performance.ecmp-collision:{row.client}/rail {row.rail}/{row.server}"
    return ""

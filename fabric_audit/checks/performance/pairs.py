"""Pair results as observations: who was slow, and which NIC explains it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.blame import Blame, Observation, Verdict, below_the_rest, blame
from fabric_audit.checks.rows import rows
from fabric_audit.findings import Finding
from fabric_audit.findings import Verdict as Answer

if TYPE_CHECKING:
    import pandas as pd

SLOW_NIC = "performance.slow-nic"


def slow_nics(pair_result: "pd.DataFrame", share: float) -> dict[tuple[str, str], tuple[Verdict, float]]:
    """(tool, memory) → who is to blame for pairs below ``share`` of the median, and that median in bits per second."""
    kinds: dict[tuple[str, str], list[Any]] = {}
    for row in rows(pair_result, outcome="ok"):
        if row.bandwidth_bps is not None and row.tool.endswith("_bw"):
            kinds.setdefault((row.tool, row.memory), []).append(row)
    found = {}
    for kind, results in kinds.items():
        slow, middle = below_the_rest([row.bandwidth_bps for row in results], share)
        observations = [
            Observation(client=row.client, server=row.server, rail=row.rail, bad=bad)
            for row, bad in zip(results, slow, strict=True)
        ]
        found[kind] = (blame(observations), middle)
    return found


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


def subject_of(found: Blame) -> tuple[str, ...]:
    """Subject of the finding about a slow NIC."""
    return (found.host, f"rail {found.rail}")


def blamed_for(row: Any, found: dict[tuple[str, str], tuple[Verdict, float]]) -> str:
    """Id of the finding that explains a slow pair, empty where none does."""
    if (row.tool, row.memory) not in found:
        return ""
    verdict, _ = found[row.tool, row.memory]
    observation = Observation(client=row.client, server=row.server, rail=row.rail, bad=True)
    culprit = verdict.blames(observation)
    return f"{SLOW_NIC}:{'/'.join(subject_of(culprit))}" if culprit else ""

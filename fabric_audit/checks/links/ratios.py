"""Effective bit error ratios against a limit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.links.modules import modules_of
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit by target, and the words for a link above it."""

    of: Callable[[str], float]
    words: str


def judged(
    transceiver: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    fabric: "pd.DataFrame",
    limit: Limit,
) -> Iterator[Finding]:
    """One finding a port of a target that tells ratios; a port without one runs no FEC, or is of another kind."""
    modules = modules_of(transceiver, rdma_port)
    tell = {target for (target, _), row in modules.items() if row.post_fec_ber is not None}
    for port in rows(fabric_port):
        end = (port.target, port.port)
        row = modules.get(end)
        if row is not None and row.post_fec_ber is not None:
            yield _finding(end, row, limit)
        elif port.target in tell:
            yield skipped(end, "tells no bit error ratio, as other ports here do")
    if not tell:
        words = "no target prints effective bit error ratios; counters.no-wire-errors judges what came of them"
        for row in rows(fabric):
            yield Finding(verdict=Verdict.NOT_VERIFIABLE, subject=(row.name,), message=words)


def _finding(end: tuple[str, str], row: Any, limit: Limit) -> Finding:
    most = limit.of(end[0])
    bad = row.post_fec_ber > most
    ratio = f"effective bit error ratio {row.post_fec_ber:.2g}"
    return Finding(
        verdict=Verdict.FAIL if bad else Verdict.PASS,
        subject=end,
        message=f"{ratio} {limit.words}" if bad else ratio,
        expected=f"at most {most:.2g} after FEC",
        observed=f"{row.post_fec_ber:.2g}" + (f", {row.pre_fec_ber:.2g} before FEC" if row.pre_fec_ber else ""),
        remedy="clean and reseat both ends, then replace module or cable" if bad else "",
        remedy_source="IEEE 802.3 clause 91",
        evidence=evidence(row),
    )

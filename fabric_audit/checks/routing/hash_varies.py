"""Switches of different tiers hash with different seeds.

Why: where leaf and spine hash alike, a spine only ever sees flows that the leaf's hash has picked for it, and picks the
same link for all of them: half of its links stay empty (polarisation).

Fix: another seed, or rotation, at each tier. EOS: `ip load-sharing ... seed`; NX-OS: `ip load-sharing address ...
universal-id`; Junos: `hash-seed`.

Source: RFC 2992; vendors derive the seed from the switch's own address where none is set, which is well.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.SWITCHES
BY_CONFIGURATION = True
RESTS_ON = ("load_balancing",)


def check(load_balancing: "pd.DataFrame", target: "pd.DataFrame", fabric: "pd.DataFrame") -> Iterator[Finding]:
    """One finding for each seed that several tiers share, or one for the fabric."""
    switches = {row.target: row for row in rows(target, kind="switch")}
    seeds: dict[tuple[str | None, str], list[Any]] = {}
    for row in rows(load_balancing):
        if row.seed is not None and row.target in switches:
            seeds.setdefault((switches[row.target].platform, row.seed), []).append(row)
    alike = {key: some for key, some in seeds.items() if len({switches[row.target].role for row in some}) > 1}
    for (platform, seed), some in alike.items():
        yield _alike(platform or "switch", seed, some)
    for name in (row.name for row in rows(fabric)):
        if seeds and not alike:
            yield Finding(verdict=Verdict.PASS, subject=(name,), message="no two tiers share a seed")
        elif not seeds:
            yield skipped((name,), "no switch sets a seed: each has its own")


def _alike(platform: str, seed: str, some: list[Any]) -> Finding:
    names = sorted({row.target for row in some})
    return Finding(
        verdict=Verdict.FAIL,
        subject=(names[0], f"seed {seed}"),
        message=f"{', '.join(names[:4])} of several tiers hash with seed {seed} ({platform})",
        expected="another seed at each tier",
        observed=f"seed {seed}",
        remedy="set another seed at each tier",
        remedy_source="RFC 2992",
        evidence=evidence(*some[:4]),
    )

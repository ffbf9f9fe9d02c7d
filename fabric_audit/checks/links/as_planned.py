"""Every cable of the cable plan is where the plan says.

Why: two cables swapped in one of a thousand ports leave every link up. The rail they belong to crosses to another leaf,
its traffic meets at a spine, and collectives of that host are slow, on the days when others use the spine.

Fix: move the cable back, or correct the plan.

Source: the inventory's cable plan against LLDP and learned addresses (IEEE 802.1AB). A link that only the plan tells
proves nothing: there is no evidence against it and none for it.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.LINKS
End: TypeAlias = tuple[str, str]


def check(link: "pd.DataFrame", cable: "pd.DataFrame", fabric: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a cable of the plan."""
    seen: dict[End, tuple[End, Any]] = {}
    for row in rows(link):
        a, b = (row.a_target, row.a_port), (row.b_target, row.b_port)
        if row.by != "cables":
            seen[a], seen[b] = (b, row), (a, row)
    planned = list(rows(cable))
    for row in planned:
        yield _judged((row.a_target, row.a_port), (row.b_target, row.b_port), seen)
    if not planned:
        yield from (skipped((row.name,), "the inventory has no cable plan") for row in rows(fabric))


def _judged(a: End, b: End, seen: Mapping[End, tuple[End, Any]]) -> Finding:
    subject = (*a, *b)
    if a not in seen and b not in seen:
        return unknown(subject, "no neighbour was seen at either end")
    wrong = [(end, *seen[end]) for end, other in ((a, b), (b, a)) if end in seen and seen[end][0] != other]
    told = [seen[end][1] for end in (a, b) if end in seen]
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=subject,
        message="; ".join(f"{' '.join(end)} leads to {' '.join(there)}" for end, there, _ in wrong) or "as planned",
        expected=f"{' '.join(a)} to {' '.join(b)}",
        observed="; ".join(f"{' '.join(end)} to {' '.join(seen[end][0])}" for end in (a, b) if end in seen),
        remedy="move the cable back, or correct the plan" if wrong else "",
        remedy_source="the inventory's cable plan",
        evidence=evidence(*told),
    )

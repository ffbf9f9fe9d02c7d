"""Both ends of every cable pause the same priorities.

Why: a priority that one end treats as lossless and the other does not is lossy. The end without PFC drops what the
other end would have stopped sending, RDMA retransmits, and every collective that crosses the cable waits. Nothing
shows it until the queue is full: links are up, counters are zero, training is slow on some days.

Fix: set the same priorities on both ports. SONiC: `pfc_enable` of the port in PORT_QOS_MAP. EOS:
`priority-flow-control priority N no-drop` and `priority-flow-control on`. NX-OS: `priority-flow-control mode on` and
the same `pause pfc-cos` in both network-qos policies. Cumulus: `nv set qos pfc`. Hosts: `mlnx_qos -i IF --pfc`.

Source: IEEE 802.1Qbb (PFC is negotiated or configured for each priority of a link, not of a device); ports where PFC
is off count as no priority.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.checks.model import Scope
from fabric_audit.checks.pfc.words import in_force, words
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.LINKS
End: TypeAlias = tuple[str, str]


def check(pfc_port: "pd.DataFrame", link: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a cable; where one end lacks a lossless priority, that end's own finding explains it."""
    ports = {(row.target, row.port): row for row in rows(pfc_port)}
    for cable in rows(link):
        ends = ((cable.a_target, cable.a_port), (cable.b_target, cable.b_port))
        yield _judged(ends, (ports.get(ends[0]), ports.get(ends[1])), design)


def _judged(ends: tuple[End, End], found: tuple[Any, Any], design: "Designs") -> Finding:
    subject = (*ends[0], *ends[1])
    said = [in_force(row) for row in found]
    silent = " and ".join(" ".join(end) for end, priorities in zip(ends, said, strict=True) if priorities is None)
    if silent:
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=f"PFC of {silent} is not known")
    a, b = (priorities or "" for priorities in said)
    at_fault = [end for end, has in zip(ends, (a, b), strict=True) if _lacks(has, design.of(end[0]))]
    return Finding(
        verdict=Verdict.PASS if a == b else Verdict.FAIL,
        subject=subject,
        message=f"{' '.join(ends[0])} pauses {words(a)}, {' '.join(ends[1])} {words(b)}",
        expected="the same priorities at both ends",
        observed=f"{words(a)} and {words(b)}",
        remedy="configure the same lossless priorities on both ports" if a != b else "",
        remedy_source="IEEE 802.1Qbb",
        evidence=evidence(*found),
        explained_by=f"pfc.enabled-on-lossless-priority:{'/'.join(at_fault[0])}" if a != b and at_fault else "",
    )


def _lacks(priorities: str, design: "Design") -> bool:
    """Whether the end itself fails: it does not pause a priority that it should."""
    return design.pfc_required and any(str(wanted) not in priorities for wanted in design.lossless_priorities)

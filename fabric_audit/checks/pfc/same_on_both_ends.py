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
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.LINKS


def check(pfc_port: "pd.DataFrame", link: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a cable."""
    ports = {(row.target, row.port): row for row in rows(pfc_port)}
    for cable in rows(link):
        ends = ((cable.a_target, cable.a_port), (cable.b_target, cable.b_port))
        yield _judged(ends, *(ports.get(end) for end in ends))


def _judged(ends: tuple[tuple[str, str], tuple[str, str]], a: Any, b: Any) -> Finding:
    (a_target, a_port), (b_target, b_port) = ends
    subject = (a_target, a_port, b_target, b_port)
    said = [_priorities(row) for row in (a, b)]
    if None in said:
        silent = " and ".join(f"{t} {p}" for (t, p), words in zip(ends, said, strict=True) if words is None)
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=f"PFC of {silent} is not known")
    same = said[0] == said[1]
    return Finding(
        verdict=Verdict.PASS if same else Verdict.FAIL,
        subject=subject,
        message=(
            f"both ends pause {_words(said[0])}"
            if same
            else f"{a_target} {a_port} pauses {_words(said[0])}, {b_target} {b_port} pauses {_words(said[1])}"
        ),
        expected="the same priorities at both ends",
        observed=f"{_words(said[0])} and {_words(said[1])}",
        remedy="configure the same lossless priorities on both ports" if not same else "",
        remedy_source="IEEE 802.1Qbb",
        evidence=evidence(a, b),
    )


def _priorities(row: Any) -> str | None:
    """Priorities in force, else those configured; off is none."""
    if row is None:
        return None
    if row.mode == "off":
        return ""
    said = row.oper_priorities if row.oper_priorities is not None else row.admin_priorities
    return None if said is None else str(said)


def _words(priorities: str | None) -> str:
    return f"priority {', '.join(priorities)}" if priorities else "no priority"

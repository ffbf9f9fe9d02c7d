"""Compute NICs are cabled to leaves in the pattern that the inventory declares.

Why: a rail-optimised fabric keeps traffic between GPUs of one rail on one leaf. A NIC on another rail's leaf sends all
of it through the spines; a bond with both cables on one leaf, or two planes on one, ends with that leaf.

Fix: move the cables of the NIC that is named; the finding says to which leaf.

Source: the inventory's `wiring`: rail (a leaf serves one rail of a unit), rack (a host's NICs share a leaf), dual-tor
(the members of a bond are on different leaves), dual-plane (a leaf serves one plane). NVIDIA DGX SuperPOD and Alibaba
HPN, SIGCOMM 2024. Which rail or plane a leaf serves is what most of its NICs say.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.fabric_paths import fabric_paths
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.LINKS
MOST = 2
"""A leaf serves the rail, or plane, that at least so many times more of its NICs have than the one in question."""


@dataclass(frozen=True, slots=True)
class _Cabled:
    """One compute NIC and the leaf its cable leads to."""

    host: str
    port: str
    leaf: str | None
    rail: int | None
    plane: int | None
    bond: str | None
    row: Any


def check(
    link: "pd.DataFrame", fabric_port: "pd.DataFrame", intended_nic: "pd.DataFrame", fabric: "pd.DataFrame"
) -> Iterator[Finding]:
    """One finding a compute NIC."""
    wiring = next((row.wiring for row in rows(fabric)), None) or "free"
    nics = list(_cabled(link, fabric_port, intended_nic))
    if not any(rows(intended_nic, role="compute")):
        yield from (skipped((row.name,), "the inventory names no compute NICs") for row in rows(fabric))
    elif wiring == "rail":
        yield from _by_majority(nics, "rail")
    elif wiring == "dual-plane":
        yield from _by_majority(nics, "plane")
    elif wiring == "rack":
        yield from _together(nics)
    elif wiring == "dual-tor":
        yield from _apart(nics)
    else:
        yield from (skipped((nic.host, nic.port), "the inventory declares no wiring (free)") for nic in nics)


def _cabled(link: "pd.DataFrame", fabric_port: "pd.DataFrame", intended_nic: "pd.DataFrame") -> Iterator[_Cabled]:
    opposite = fabric_paths(rows(link)).opposite
    meant = {(row.target, row.rail): row for row in rows(intended_nic, role="compute")}
    meant |= {(row.target, row.netdev): row for row in rows(intended_nic, role="compute") if row.netdev}
    for port in rows(fabric_port, side="nic"):
        there = opposite.get((port.target, port.port))
        nic = meant.get((port.target, port.port)) or meant.get((port.target, port.rail))
        plane, bond = (nic.plane, nic.bond) if nic else (None, None)
        yield _Cabled(port.target, port.port, there[0] if there else None, port.rail, plane, bond, port)


def _by_majority(nics: list[_Cabled], kind: str) -> Iterator[Finding]:
    """A leaf serves one rail, or plane: what the others on it say."""
    on: dict[str, Counter[Hashable]] = {}
    homes: dict[Hashable, Counter[str]] = {}
    for nic in nics:
        if nic.leaf is not None and getattr(nic, kind) is not None:
            on.setdefault(nic.leaf, Counter())[getattr(nic, kind)] += 1
            homes.setdefault(getattr(nic, kind), Counter())[nic.leaf] += 1
    for nic in nics:
        mine = getattr(nic, kind)
        if nic.leaf is None or mine is None:
            yield unknown((nic.host, nic.port), f"its leaf or its {kind} is not known", nic.row)
            continue
        served, count = on[nic.leaf].most_common(1)[0]
        wrong = served != mine and count >= MOST * on[nic.leaf][mine]
        words = f"{kind} {mine} is on {nic.leaf}" + (f", which serves {kind} {served}" if wrong else "")
        yield _finding(nic, words, f"{homes[mine].most_common(1)[0][0]}", wrong=wrong)


def _together(nics: list[_Cabled]) -> Iterator[Finding]:
    """All NICs of a host on the leaf that most of them are on."""
    leaves: dict[str, Counter[str]] = {}
    for nic in nics:
        if nic.leaf is not None:
            leaves.setdefault(nic.host, Counter())[nic.leaf] += 1
    for nic in nics:
        if nic.leaf is None:
            yield unknown((nic.host, nic.port), "its leaf is not known", nic.row)
            continue
        usual = leaves[nic.host].most_common(1)[0][0]
        wrong = nic.leaf != usual
        words = f"is on {nic.leaf}" + (f", the host's other NICs on {usual}" if wrong else "")
        yield _finding(nic, words, usual, wrong=wrong)


def _apart(nics: list[_Cabled]) -> Iterator[Finding]:
    """The members of each bond on different leaves."""
    bonds: dict[tuple[str, str], list[_Cabled]] = {}
    for nic in nics:
        if nic.bond is None:
            yield skipped((nic.host, nic.port), "no member of a bond")
        else:
            bonds.setdefault((nic.host, nic.bond), []).append(nic)
    for members in bonds.values():
        yield from _members(members)


def _members(members: Iterable[_Cabled]) -> Iterator[Finding]:
    seen: set[str] = set()
    for nic in members:
        if nic.leaf is None:
            yield unknown((nic.host, nic.port), "its leaf is not known", nic.row)
            continue
        wrong = nic.leaf in seen
        seen.add(nic.leaf)
        words = f"member of {nic.bond} is on {nic.leaf}" + (", as another member is" if wrong else "")
        yield _finding(nic, words, "a leaf of its own", wrong=wrong)


def _finding(nic: _Cabled, words: str, expected: str, *, wrong: bool) -> Finding:
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=(nic.host, nic.port),
        message=words,
        expected=expected,
        observed=nic.leaf or "",
        remedy=f"move its cable to {expected}" if wrong else "",
        remedy_source="the inventory's wiring",
        evidence=evidence(nic.row),
    )

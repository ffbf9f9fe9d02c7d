"""A healthy pod as facts, collected once, judged as often as wanted with some of them changed."""

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric_audit.audit import pair_results
from fabric_audit.audit.coverage import coverage_of
from fabric_audit.audit.reading import read_outputs, stamped_facts
from fabric_audit.capture.reader import Capture
from fabric_audit.checks.engine import Evidences, evaluate_all
from fabric_audit.checks.model import DERIVED, Check, all_checks
from fabric_audit.facts.fabric_ports import fabric_ports
from fabric_audit.facts.intended import intended
from fabric_audit.facts.merge import merged
from fabric_audit.facts.tables import Stamped, frames
from fabric_audit.facts.topology import links
from fabric_audit.findings import CoverageRow, Result
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Traffic
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.policy.load import load_policy
from tests.checks.proofs.model import Given, Proof
from tests.simulated import collected

if TYPE_CHECKING:
    import pandas as pd

TRAFFIC = Traffic(mode="tournament", tools=("ib_write_bw",), memory=("host", "gpu"), duration_s=5.0)
JOINED = frozenset({*DERIVED["link"], *DERIVED["fabric_port"], "intended_nic", "cable", "system", "address", "target"})
"""Tables of which links and the ports of the fabric are made."""
_CHECKS = {check.id: check for check in all_checks()}


class Healthy:
    """Two hosts, two leaves, two spines and what they told."""

    def __init__(self, folder: Path) -> None:
        capture: Capture = collected(folder, "clos-2x2", traffic=TRAFFIC)
        reads = tuple(read_outputs(capture))
        path = capture.folder / "inventory.yaml"
        self.inventory = load_inventory(path, platforms=tuple(switch_platforms()))
        self.policy = load_policy("roce-lossless")
        self.coverage = coverage_of(capture, reads)
        facts = [*merged(stamped_facts(capture, reads), "baseline"), *pair_results(capture, reads)]
        self.facts: dict[str, list[Stamped]] = {}
        for one in [*facts, *intended(self.inventory, "real")]:
            self.facts.setdefault(one.fact.TABLE, []).append(one)
        self.tables = frames(self._joined(self.facts))

    def judged(
        self,
        checks: Iterable[Check],
        proof: Proof,
        *,
        faulty: bool = False,
        coverage: Iterable[CoverageRow] | None = None,
    ) -> Mapping[str, Result]:
        """Results by check, of the healthy pod or of the faulty one."""
        rows = tuple(self.told(proof) if coverage is None else coverage)
        if proof.proven and not faulty:
            rows = tuple(replace(row, provenance="field") for row in rows)
        if proof.lost and faulty:
            rows = (replace(rows[0], state=proof.lost, reason="so it was"), *rows[1:])
        evidences = Evidences(
            inventory=self.inventory,
            tables=self._tables(proof, faulty=faulty),
            coverage=rows,
            traffic=True,
            cannot={},
            as_of=date(2026, 11, 30),
            reserves={s.name: "as documented" for s in self.inventory.switches if s.platform == "arista_eos"},
        )
        policy = replace(self.policy, design=replace(self.policy.design, **proof.design))
        return {result.check: result for result in evaluate_all(checks, evidences, policy)}

    def _tables(self, proof: Proof, *, faulty: bool) -> Mapping[str, "pd.DataFrame"]:
        """Tables of the healthy pod, those made anew that a proof changes or that are made of such."""
        changes = (*proof.base, *(proof.change if faulty else ()))
        given = [*map(_stamped, proof.given)]
        added = [*map(_stamped, proof.added if faulty else ())]
        changed = {change.table for change in changes} | {one.fact.TABLE for one in (*given, *added)}
        if not changed:
            return self.tables
        facts = {name: list(self.facts.get(name, ())) for name in {*changed, *JOINED}}
        for one in given:
            facts[one.fact.TABLE].append(one)
        for change in changes:
            facts[change.table] = list(change.of(facts[change.table]))
        for one in added:
            facts[one.fact.TABLE].append(one)
        again = self._joined(facts) if changed & JOINED else (one for some in facts.values() for one in some)
        made = frames(again)
        anew = changed | ({"link", "fabric_port"} if changed & JOINED else set())
        return ChainMap({name: made[name] for name in anew}, self.tables)  # type: ignore[arg-type]

    def _joined(self, facts: Mapping[str, list[Stamped]]) -> list[Stamped]:
        aliases = {name: platform.aliases for name, platform in switch_platforms().items()}
        found = [one for some in facts.values() for one in some]
        found += links([one for one in found if one.fact.TABLE in JOINED], self.inventory, aliases)
        return [*found, *fabric_ports(found)]

    def told(self, proof: Proof) -> tuple[CoverageRow, ...]:
        """What became of every question, those among them whose answers a proof brings with it."""
        tables: dict[str, set[str]] = {}
        for target, _, fact in (*proof.given, *proof.added):
            tables.setdefault(target, set()).add(fact.TABLE)
        return self.coverage + tuple(
            CoverageRow(target=t, phase="baseline", section="given", tables=tuple(sorted(some)), state="parsed")
            for t, some in tables.items()
        )


def touched_by(proof: Proof) -> tuple[Check, ...]:
    """Checks that read what a proof changes, the proven one among them, with those that they judge by."""
    tables: set[str] = {change.table for change in proof.change} | {fact.TABLE for _, _, fact in proof.added}
    tables |= {made for made, base in DERIVED.items() if not tables.isdisjoint(base)}
    wanted = {check.id for check in all_checks() if not tables.isdisjoint({*check.needs, *check.evidence})}
    return tuple(check for check in all_checks() if check.id in {*wanted, proof.check})


def _stamped(given: Given) -> Stamped:
    target, phase, fact = given
    return Stamped(target, phase, f"{phase}/{target}/given.out", fact, 1, 0.0 if phase == "baseline" else 30.0)


def lost(rows: Iterable[CoverageRow], check: Check, target: str) -> tuple[CoverageRow, ...]:
    """The coverage, had a target not answered anything that the check reads."""
    return tuple(
        replace(row, state="not_delivered", reason="nothing came")
        if row.target == target and not check.evidence.isdisjoint(row.tables)
        else row
        for row in rows
    )


def check_of(name: str) -> Any:
    """A check by its id."""
    return _CHECKS[name]

"""No evidence, no pass: whatever one section of one target told, without it no check that reads it passes."""

from collections.abc import Mapping

import pytest

from fabric_audit import audit as auditing
from fabric_audit.audit.reading import Read, read_outputs
from fabric_audit.capture.reader import Capture
from fabric_audit.checks.engine import examined_by
from fabric_audit.checks.model import Check, all_checks
from fabric_audit.findings import Audit
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Inventory
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Policy
from fabric_audit.simulator.pod import SimulatedPod
from tests.simulated import SMOKE, bench, inventory_of

TARGETS = ("gpu001", "gpu002", "leaf01", "spine01")


class Healthy:
    """A healthy capture, parsed once, audited as often as wanted with a part of it missing."""

    def __init__(self, capture: Capture, inventory: Inventory, policy: Policy) -> None:
        self.capture, self.inventory, self.policy = capture, inventory, policy
        self.reads = tuple(read_outputs(capture))
        verdicts = {result.check: str(result.verdict) for result in self.audit(self.reads, all_checks()).results}
        self.passing = tuple(check for check in all_checks() if verdicts[check.id] == "PASS")

    def audit(self, reads: tuple[Read, ...], checks: tuple[Check, ...]) -> Audit:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(auditing, "read_outputs", lambda _capture: reads)
            return auditing.audit_capture(self.capture, self.inventory, self.policy, checks)

    def sections(self, target: str) -> Mapping[str, tuple[str, ...]]:
        """Section → tables, of everything that a target told."""
        return {one.section.id: one.section.tables for one in self.reads if one.entry.target == target}

    def without(self, target: str, section: str) -> tuple[Read, ...]:
        return tuple(one for one in self.reads if (one.entry.target, one.section.id) != (target, section))

    def affected(self, target: str, tables: tuple[str, ...]) -> tuple[Check, ...]:
        reads = (check for check in self.passing if not check.evidence.isdisjoint(tables))
        return tuple(check for check in reads if target in examined_by(check, self.inventory))


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Healthy:
    folder = tmp_path_factory.mktemp("healthy")
    inventory = inventory_of("clos-2x2", folder)
    with bench(folder, SimulatedPod("clos-2x2", scale=0.0), inventory, SMOKE) as ready:
        capture = ready.collect()
    again = load_inventory(capture.folder / "inventory.yaml", platforms=tuple(switch_platforms()))
    return Healthy(capture, again, load_policy(str(capture.folder / "policy.yaml")))


def test_most_checks_pass_while_everything_is_there(healthy: Healthy) -> None:
    assert len(healthy.passing) > 70
    assert "chain.lossless" in {check.id for check in healthy.passing}


@pytest.mark.parametrize("target", TARGETS)
def test_without_a_section_no_check_that_reads_it_passes(healthy: Healthy, target: str) -> None:
    still_passing, judged = [], 0
    for section, tables in healthy.sections(target).items():
        checks = healthy.affected(target, tables)
        judged += len(checks)
        results = healthy.audit(healthy.without(target, section), checks).results if checks else ()
        still_passing += [(section, result.check) for result in results if result.verdict == "PASS"]
    assert still_passing == []
    assert judged > 100

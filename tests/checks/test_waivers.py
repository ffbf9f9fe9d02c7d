"""A waived failure is no failure until the waiver's day, and is told apart from what nobody asked for."""

from dataclasses import replace
from datetime import date

import pytest

from fabric_audit.checks.engine import Evidences, evaluate
from fabric_audit.checks.model import all_checks
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.tables import frames
from fabric_audit.findings import CoverageRow, Result
from fabric_audit.inventory.model import Inventory, Login, Switch
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Waiver
from tests.checks.judging import stamped

NAME = "pfc.enabled-on-lossless-priority"
CHECK = next(check for check in all_checks() if check.id == NAME)
SEEN = {"leaf1": [FabricPort(port="eth1", side="host"), PfcPort(port="eth1", mode="off")]}
UNTIL = date(2026, 12, 31)


def judged(waiver: Waiver | None, *, as_of: date = UNTIL, asked: bool = True) -> Result:
    policy = load_policy("roce-lossless")
    policy = replace(policy, design=replace(policy.design, pfc_required=asked), waivers=(waiver,) if waiver else ())
    tables = tuple(sorted(CHECK.evidence))
    evidences = Evidences(
        inventory=Inventory(
            fabric="pod", switches=(Switch(name="leaf1", login=Login(address="192.0.2.1"), platform="sonic"),)
        ),
        tables=frames(stamped(SEEN)),
        coverage=(CoverageRow(target="leaf1", phase="baseline", section="all", tables=tables, state="parsed"),),
        traffic=False,
        cannot={},
        as_of=as_of,
    )
    return evaluate(CHECK, evidences, policy)


def waived(subject: str = "leaf1/*") -> Waiver:
    return Waiver(check="pfc.*", subject=subject, reason="spare part ordered", owner="netops", expires=UNTIL)


def test_a_waiver_holds_on_its_last_day() -> None:
    result = judged(waived())
    (finding,) = result.findings
    assert (result.verdict.name, finding.verdict.name) == ("SKIPPED", "SKIPPED")
    assert finding.waiver == "waived until 2026-12-31 by netops: spare part ordered"


def test_an_expired_waiver_fails_and_says_so() -> None:
    result = judged(waived(), as_of=date(2027, 1, 1))
    (finding,) = result.findings
    assert result.verdict.name == "FAIL"
    assert "its waiver expired on 2026-12-31: spare part ordered" in finding.message
    assert finding.waiver == ""


@pytest.mark.parametrize("waiver", [None, waived("leaf2/*")])
def test_another_waiver_changes_nothing(waiver: Waiver | None) -> None:
    assert judged(waiver).verdict.name == "FAIL"


def test_what_the_policy_does_not_ask_for_is_not_waived() -> None:
    (finding,) = judged(waived(), asked=False).findings
    assert (finding.verdict.name, finding.waiver) == ("SKIPPED", "")

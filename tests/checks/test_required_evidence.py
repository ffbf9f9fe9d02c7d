"""What no job told is out of scope, unless the policy requires it."""

from dataclasses import replace
from datetime import date

import pytest

from fabric_audit.checks.engine import Evidences, evaluate
from fabric_audit.checks.model import all_checks
from fabric_audit.facts.tables import frames
from fabric_audit.findings import CoverageRow, Result
from fabric_audit.inventory.model import Host, Inventory, Login
from fabric_audit.policy.load import load_policy

OF_JOBS = [check for check in all_checks() if "nccl_log" in check.rests_on]
HOST = Host(name="gpu1", login=Login(address="192.0.2.1"), gpus=8)


def judged(name: str, *, required: tuple[str, ...] = (), state: str = "") -> Result:
    check = next(check for check in all_checks() if check.id == name)
    row = CoverageRow(target="gpu1", phase="baseline", section="nccl-log", tables=("nccl_log",), state=state)
    evidences = Evidences(
        inventory=Inventory(fabric="pod", hosts=(HOST,)),
        tables=frames([]),
        coverage=(row,) if state else (),
        traffic=False,
        cannot={},
        as_of=date(2026, 11, 30),
    )
    return evaluate(check, evidences, replace(load_policy("roce-lossless"), required_evidence=required))


@pytest.mark.parametrize("name", [check.id for check in OF_JOBS])
def test_without_a_job_there_is_nothing_to_judge(name: str) -> None:
    result = judged(name)
    assert result.verdict.name == "OUT_OF_SCOPE"
    assert "nccl_log" in result.reason
    assert judged(name, required=(name.partition(".")[0],)).verdict.name == "UNKNOWN"
    assert judged(name, required=(name,)).verdict.name == "UNKNOWN"


@pytest.mark.parametrize("name", [check.id for check in OF_JOBS])
def test_a_log_that_cannot_be_read_is_unknown(name: str) -> None:
    assert judged(name, state="parse_error").verdict.name == "UNKNOWN"

"""Without any fact no check fails, passes or breaks: there is no evidence."""

import sys

import pytest

from fabric_audit.checks.model import Check, all_checks
from tests.checks.judging import findings


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.id)
def test_no_evidence_no_verdict(check: Check) -> None:
    module = sys.modules[check.function.__module__]
    assert {f.verdict.name for f in findings(module, {})} <= {"UNKNOWN", "NOT_VERIFIABLE", "SKIPPED"}

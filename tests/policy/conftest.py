"""A policy of three layers: ours, a base beside it, a shipped profile."""

from pathlib import Path

import pytest

from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Policy
from tests.policy.texts import BASE, OURS


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "ours.yaml").write_text(OURS, encoding="utf-8")
    return load_policy("ours.yaml", base=tmp_path)

"""Bad policies beside the exact messages they must give; ``write_faults.py`` writes new ones for review."""

import os
from pathlib import Path

import pytest

from fabric_audit.errors import PolicyError, UsageError
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Policy

FAULTS = Path(__file__).parent / "faults"
CHECKS = ("ecn.marking", "pfc.watchdog", "qos.trust")


def load(name: str) -> Policy:
    """The file of that name, called by it in messages."""
    before = Path.cwd()
    os.chdir(FAULTS)
    try:
        return load_policy(name, checks=CHECKS)
    finally:
        os.chdir(before)


@pytest.mark.parametrize("bad", sorted(FAULTS.glob("*.yaml")), ids=lambda bad: bad.stem)
def test_a_bad_policy_gives_exactly_its_messages(bad: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        load(bad.name)
    assert str(caught.value).splitlines() == bad.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("roce-losless", "unknown policy 'roce-losless'; did you mean 'roce-lossless'"),
        ("nowhere.yaml", "nowhere.yaml: No such file or directory"),
    ],
)
def test_a_policy_that_does_not_exist_is_a_usage_error(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        load(name)

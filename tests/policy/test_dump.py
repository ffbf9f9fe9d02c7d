"""A dumped policy loads back as the same policy; a shown one says where each value is from."""

from dataclasses import asdict
from pathlib import Path

import pytest

from fabric_audit.policy.dump import dump_policy
from fabric_audit.policy.layers import shipped_policies
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Policy
from fabric_audit.policy.show import Row, policy_show


def reloaded(folder: Path, policy: Policy) -> Policy:
    path = folder / "dumped.yaml"
    path.write_text(dump_policy(policy), encoding="utf-8")
    return load_policy(str(path))


@pytest.mark.parametrize("name", shipped_policies())
def test_shipped_policies_survive_with_their_sources(tmp_path: Path, name: str) -> None:
    policy = load_policy(name)
    again = reloaded(tmp_path, policy)
    assert again == policy
    assert {key: origin.source for key, origin in policy.origins.items()}.items() <= {
        key: origin.source for key, origin in again.origins.items()
    }.items()


def test_a_policy_of_three_layers_survives_as_one(tmp_path: Path, policy: Policy) -> None:
    text = dump_policy(policy)
    assert "extends" not in text
    assert reloaded(tmp_path, policy) == policy


def test_every_value_that_holds_is_shown_once(policy: Policy, tmp_path: Path) -> None:
    rows = {row.name: row for row in policy_show(policy)}
    assert len(rows) == len(policy_show(policy))
    assert {f"design.{name}" for name in asdict(policy.design)} <= rows.keys()
    ours = str(tmp_path / "ours.yaml")
    assert rows["design.roce_dscp"] == Row("design.roce_dscp", "24", "change 4711", f"{ours}:5")
    assert rows["design.cnp_priority"].value == "not judged"
    assert rows["design.lossless_priorities"].value == "3"
    assert rows["checks.gdr.works.enabled"].value == "false"
    assert rows["checks.counters.loss.options.velocity"].source == "ours"
    assert rows["severities.pfc"].value == "critical"
    assert rows["overrides.role=spine"].value == "switch_mtu_bytes=9216"
    assert rows["waivers.links.*"].value == "gpu017/* until 2027-03-31 by ops: new optics ordered"
    assert rows["traffic.mode"].value == "tournament"

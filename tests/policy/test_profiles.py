"""The shipped profiles: complete, consistent, each value with its source."""

from dataclasses import asdict
from pathlib import Path

import pytest

from fabric_audit.policy.consistency import conflicts
from fabric_audit.policy.layers import layers_of, shipped_policies
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.schema import said


@pytest.mark.parametrize("name", shipped_policies())
def test_a_profile_loads_and_does_not_contradict_itself(name: str) -> None:
    policy = load_policy(name)
    assert policy.name == name
    assert policy.title
    assert not list(conflicts(policy.design))


@pytest.mark.parametrize("name", shipped_policies())
def test_every_value_of_a_profile_has_a_source(name: str) -> None:
    origins = load_policy(name).origins
    assert not [key for key, origin in origins.items() if not origin.source]


@pytest.mark.parametrize("name", [name for name in shipped_policies() if name != "roce-lossless"])
def test_a_profile_says_of_the_design_only_what_it_changes(name: str) -> None:
    *parents, leaf = layers_of(name, Path())
    assert parents
    parent = asdict(load_policy(parents[-1].stem).design)
    own = said(leaf.file().design)
    assert own
    assert not [field for field, value in own.items() if parent[field] == value]


def test_the_neutral_profile_is_priority_3_dscp_26_cnp_48() -> None:
    design = load_policy("roce-lossless").design
    assert (design.lossless_priorities, design.roce_dscp, design.roce_traffic_class) == ((3,), 26, 106)
    assert (design.cnp_dscp, design.cnp_priority) == (48, 6)
    assert design.pfc_required
    assert design.ecn_required
    assert design.watchdog_required

"""What a policy becomes: its own words over those it extends."""

from dataclasses import fields
from datetime import date
from pathlib import Path

from fabric_audit.findings import Severity
from fabric_audit.inventory.model import Host, Login, Switch
from fabric_audit.policy.design import Design
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import CheckPolicy, Origin, Override, Policy, Waiver
from tests.policy.texts import BASE


def test_the_last_to_say_something_is_right(policy: Policy) -> None:
    design = policy.design
    assert (policy.name, policy.title) == ("ours", "our pod")
    assert (design.roce_dscp, design.roce_traffic_class, design.gdr_floor) == (24, 98, 0.9)
    assert (design.watchdog_actions, design.cnp_priority) == (("drop",), None)
    assert design.roce_mtu_bytes == 4096


def test_the_most_specific_severity_wins(policy: Policy) -> None:
    assert policy.severity("pfc.counters") is Severity.MINOR
    assert policy.severity("pfc.watchdog") is Severity.CRITICAL
    assert policy.severity("links.mtu") is Severity.INFO
    assert policy.severity("counters.loss") is Severity.CRITICAL
    assert policy.severity("qos.trust") is Severity.MAJOR


def test_checks_merge_option_by_option(policy: Policy) -> None:
    assert policy.checks == {
        "gdr.works": CheckPolicy(enabled=False, reason="no CUDA here"),
        "counters.loss": CheckPolicy(severity=Severity.CRITICAL, options={"velocity": 3, "window_s": 60}),
    }


def test_waivers_end_on_a_day(policy: Policy) -> None:
    assert policy.waivers == (
        Waiver(
            check="links.*",
            subject="gpu017/*",
            reason="new optics ordered",
            owner="ops",
            expires=date(2027, 3, 31),
        ),
    )


def test_traffic_and_evidence_are_gathered(policy: Policy) -> None:
    assert (policy.traffic.mode, policy.traffic.qps, policy.traffic.size_bytes) == ("tournament", 16, 8 * 1024**2)
    assert policy.required_evidence == ("pfc", "gdr")


def test_the_class_of_traffic_is_that_of_the_design(policy: Policy) -> None:
    assert policy.traffic.traffic_class == 98


def test_each_value_knows_where_it_was_written_and_why(policy: Policy, tmp_path: Path) -> None:
    assert policy.origins["design.roce_dscp"] == Origin(str(tmp_path / "ours.yaml"), 5, "change 4711")
    assert policy.origins["design.gdr_floor"] == Origin(str(tmp_path / "base.yaml"), 5)
    assert policy.origins["checks.counters.loss.options.velocity"].source == "ours"
    assert policy.origins["checks.counters.loss.options.window_s"].file == str(tmp_path / "base.yaml")
    assert policy.origins["design.roce_mtu_bytes"].file == "profiles/roce-lossless.yaml"
    assert {f"design.{field.name}" for field in fields(Design)} <= policy.origins.keys()


def test_overrides_change_the_design_of_the_targets_they_match(policy: Policy) -> None:
    login = Login(address="a")
    spine = Switch(name="spine1", login=login, platform="sonic", role="spine")
    leaf = Switch(name="leaf1", login=login, platform="sonic", role="leaf", unit="old")
    old = Host(name="gpu1", login=login, unit="old")
    assert policy.design_of(spine).switch_mtu_bytes == 9216
    assert policy.design_of(leaf) == policy.design
    assert (policy.design_of(old).watchdog_required, policy.design_of(old).watchdog_detect_ms) == (False, 900)


def test_an_override_matches_only_what_has_the_value() -> None:
    login = Login(address="a")
    override = Override(values={}, model="hgx-*")
    assert override.matches(Host(name="a", login=login, model="hgx-h100"))
    assert not override.matches(Host(name="a", login=login))
    assert not override.matches(Switch(name="a", login=login, platform="sonic"))


def test_a_path_is_found_beside_the_file_that_extends_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "deep" / "leaf.yaml").write_text("extends: ../base.yaml\ndesign: {roce_traffic_class: 122}", "utf-8")
    assert load_policy(str(tmp_path / "deep" / "leaf.yaml")).design.roce_dscp == 30

"""Hosts of a model are alike, and the NICs of a host are of one kind."""

from typing import Any

from fabric_audit.checks.topology import one_generation, same_shape
from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import GpuLink, GpuNicPath
from fabric_audit.facts.intent import FabricPort, Target
from fabric_audit.facts.rdma import RdmaDevice, RdmaPort
from tests.checks.judging import findings, verdicts


def host(nic: str = "PIX", gpus: str = "NV18", model: str = "hgx") -> list[Fact]:
    return [
        Target(kind="host", model=model),
        GpuLink(gpu=0, peer=1, path=gpus, nvlinks=18),
        GpuNicPath(gpu=0, nic="mlx5_0", path=nic),
    ]


def test_hosts_alike() -> None:
    assert set(verdicts(same_shape, {"h1": host(), "h2": host(), "h3": host()}).values()) == {"PASS"}


def test_a_card_in_another_slot() -> None:
    found = {f.subject[0]: f for f in findings(same_shape, {"h1": host(), "h2": host(), "h3": host("SYS")})}
    assert [found[name].verdict.name for name in ("h1", "h2", "h3")] == ["PASS", "PASS", "FAIL"]
    assert "GPU0 to mlx5_0 SYS" in found["h3"].message


def test_a_card_that_is_missing() -> None:
    found = {f.subject[0]: f for f in findings(same_shape, {"h1": host(), "h2": host(), "h3": host()[:2]})}
    assert found["h3"].message == "is of another shape than its model: has no GPU0 to mlx5_0 PIX"


def test_models_are_compared_apart() -> None:
    seen = {"h1": host(), "h2": host(), "b1": host("SYS", model="b"), "b2": host("SYS", model="b")}
    assert set(verdicts(same_shape, seen).values()) == {"PASS"}


def test_a_shape_that_is_not_known() -> None:
    assert verdicts(same_shape, {"h1": host(), "h2": [Target(kind="host", model="hgx")]})["h2"] == "UNKNOWN"
    assert verdicts(same_shape, {"h1": host()}) == {"h1": "SKIPPED"}


def nics(*parts: tuple[str | None, int], state: str = "ACTIVE") -> list[Fact]:
    found: list[Fact] = [Target(kind="host", model="hgx")]
    for rail, (part, gigabits) in enumerate(parts):
        told: dict[str, Any] = {"rate_bps": gigabits * 10**9, "state": state}
        found += [
            FabricPort(port=f"rdma{rail}", side="nic", rail=rail),
            RdmaPort(device=f"mlx5_{rail}", port=1, netdev=f"rdma{rail}", **told),
            RdmaDevice(device=f"mlx5_{rail}", part=part),
        ]
    return found


CX7, CX6 = ("MT4129", 400), ("MT4123", 200)


def test_one_kind() -> None:
    assert set(verdicts(one_generation, {"h1": nics(CX7, CX7), "h2": nics(CX7, CX7)}).values()) == {"PASS"}


def test_a_host_that_mixes_generations() -> None:
    found = {f.subject[0]: f for f in findings(one_generation, {"h1": nics(CX7, CX7), "h2": nics(CX7, CX6)})}
    assert found["h1"].verdict.name == "PASS"
    assert found["h2"].message.startswith("mixes kinds of compute NICs: rdma1 is MT4123 at 200G")


def test_a_host_of_another_generation_than_its_model() -> None:
    seen = {"h1": nics(CX7, CX7), "h2": nics(CX7, CX7), "h3": nics(CX6, CX6)}
    assert verdicts(one_generation, seen) == {"h1": "PASS", "h2": "PASS", "h3": "FAIL"}


def test_the_rate_of_a_port_that_is_down_means_nothing() -> None:
    assert verdicts(one_generation, {"h1": nics(CX7, ("MT4129", 10), state="DOWN")}) == {"h1": "PASS"}


def test_a_kind_that_is_not_known() -> None:
    assert verdicts(one_generation, {"h1": nics(CX7, (None, 400))}) == {"h1": "UNKNOWN"}

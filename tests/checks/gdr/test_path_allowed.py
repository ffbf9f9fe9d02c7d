"""NCCL's level and the distance of the nearest NIC."""

import pytest

from fabric_audit.checks.gdr import path_allowed
from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu, GpuNicPath
from fabric_audit.facts.intent import IntendedNic
from fabric_audit.facts.nccl import NcclEnv
from tests.checks.judging import findings, verdicts


def host(path: str | None, level: str | None = None, model: str = "NVIDIA H100 80GB HBM3") -> dict[str, list[Fact]]:
    facts: list[Fact] = [
        Gpu(gpu=0, model=model),
        IntendedNic(nic="mlx5_0", device="mlx5_0", role="compute"),
        GpuNicPath(gpu=0, nic="mlx5_9", path="PIX"),
    ]
    if path:
        facts.append(GpuNicPath(gpu=0, nic="mlx5_0", path=path))
    if level is not None:
        facts.append(NcclEnv(host="", pid=-1, name="NCCL_NET_GDR_LEVEL", value=level, source="/etc/nccl.conf"))
    return {"h1": facts}


@pytest.mark.parametrize(
    ("path", "level", "verdict"),
    [
        ("PIX", None, "PASS"),
        ("PXB", None, "PASS"),
        ("PHB", None, "FAIL"),
        ("SYS", "SYS", "PASS"),
        ("NODE", "PHB", "PASS"),
        ("PXB", "PIX", "FAIL"),
        ("PIX", "LOC", "FAIL"),
        ("PHB", "phb", "FAIL"),
        ("PHB", '"PHB"', "FAIL"),
        ("SYS", "4", "PASS"),
        (None, None, "UNKNOWN"),
    ],
)
def test_the_level_reaches_the_nearest_nic(path: str | None, level: str | None, verdict: str) -> None:
    assert verdicts(path_allowed, host(path, level)) == {"h1/GPU0": verdict}


def test_a_level_that_nccl_does_not_understand_is_told() -> None:
    (found,) = findings(path_allowed, host("PHB", "phb"))
    assert "upper case only" in found.message
    assert found.remedy == "write NCCL_NET_GDR_LEVEL=PHB"


def test_grace_reaches_its_nic_by_the_cpu() -> None:
    assert verdicts(path_allowed, host("SYS", model="NVIDIA GB200")) == {"h1/GPU0": "SKIPPED"}


def test_a_policy_without_gdr() -> None:
    assert verdicts(path_allowed, host("SYS"), gdr_required=False) == {"h1/GPU0": "SKIPPED"}

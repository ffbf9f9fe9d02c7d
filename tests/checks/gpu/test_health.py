"""GPUs: brakes, memory, peer access, NVLinks as built."""

from typing import Any

import pytest

from fabric_audit.checks.gpu import memory_sound, not_throttled, nvlink_as_built, peer_access
from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu, GpuHealth, GpuLink, GpuP2p
from fabric_audit.facts.intent import Target
from tests.checks.judging import findings, verdicts


@pytest.mark.parametrize(
    ("reasons", "verdict"),
    [
        ("", "PASS"),
        ("sw_power_cap", "PASS"),
        ("hw_thermal_slowdown", "FAIL"),
        ("sw_power_cap,hw_slowdown", "FAIL"),
        (None, "UNKNOWN"),
    ],
)
def test_brakes(reasons: str | None, verdict: str) -> None:
    assert verdicts(not_throttled, {"h1": [GpuHealth(gpu=0, throttle=reasons)]}) == {"h1/GPU0": verdict}


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ({"ecc": True, "ecc_uncorrected": 0}, "PASS"),
        ({"ecc": True, "ecc_uncorrected": 2}, "FAIL"),
        ({"ecc": False}, "FAIL"),
        ({"ecc": True, "remap_pending": True}, "FAIL"),
        ({"ecc": True, "remap_failed": True}, "FAIL"),
        ({"ecc": True, "remapped_rows_uncorrected": 3}, "PASS"),
        ({"sram_threshold_exceeded": True}, "FAIL"),
        ({}, "SKIPPED"),
    ],
)
def test_memory(told: dict[str, Any], verdict: str) -> None:
    assert verdicts(memory_sound, {"h1": [GpuHealth(gpu=0, **told)]}) == {"h1/GPU0": verdict}


def pair(path: str, *ways: tuple[str, bool | None, str]) -> list[Fact]:
    link = GpuLink(gpu=0, peer=1, path=path, nvlinks=18 if path == "NV18" else 0)
    return [link, *(GpuP2p(gpu=1, peer=0, capability=c, allowed=a, status=s) for c, a, s in ways)]


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        (pair("NV18", ("read", True, "OK"), ("write", True, "OK")), "PASS"),
        (pair("NV18", ("read", True, "OK"), ("write", False, "GNS")), "FAIL"),
        (pair("PIX", ("read", False, "CNS")), "FAIL"),
        (pair("SYS", ("read", False, "CNS")), "SKIPPED"),
        (pair("NV18", ("atomics", False, "NS"), ("read", True, "OK")), "PASS"),
        (pair("NV18", ("read", None, "U")), "UNKNOWN"),
        (pair("NV18"), "UNKNOWN"),
    ],
)
def test_peer_access(facts: list[Fact], verdict: str) -> None:
    assert verdicts(peer_access, {"h1": facts}) == {"h1/GPU0/GPU1": verdict}


def test_one_gpu_has_no_peer() -> None:
    assert verdicts(peer_access, {"h1": [Target(kind="host", gpus=1)]}) == {"h1": "SKIPPED"}


def board(*paths: str, **target: Any) -> list[Fact]:
    """Three H100 SXM modules and the paths of their three pairs."""
    pairs = ((0, 1), (0, 2), (1, 2))
    links = [
        GpuLink(gpu=a, peer=b, path=path, nvlinks=int(path[2:]) if path.startswith("NV") else 0)
        for (a, b), path in zip(pairs, paths, strict=True)
    ]
    return [Target(kind="host", **target), *(Gpu(gpu=n, model="NVIDIA H100 80GB HBM3") for n in range(3)), *links]


def test_links_as_built() -> None:
    assert verdicts(nvlink_as_built, {"h1": board("NV18", "NV18", "NV18")}) == {"h1/GPUs": "PASS"}


def test_a_pair_with_fewer_links() -> None:
    found = findings(nvlink_as_built, {"h1": board("NV18", "NV16", "NV18")})
    assert [(f.subject, f.verdict.name) for f in found] == [(("h1", "GPU0", "GPU2"), "FAIL")]


def test_what_the_inventory_promises_is_judged_elsewhere() -> None:
    assert verdicts(nvlink_as_built, {"h1": board("NV18", "SYS", "NV18", nvlinks=18)}) == {"h1": "SKIPPED"}
    assert verdicts(nvlink_as_built, {"h1": [Target(kind="host")]}) == {"h1": "SKIPPED"}
    assert verdicts(nvlink_as_built, {"h1": [Target(kind="host", gpus=0)]}) == {}

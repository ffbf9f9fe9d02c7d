"""PCIe of NICs and GPUs: links, read requests, ordering, ACS, IOMMU."""

from typing import Any

import pytest

from fabric_audit.checks.host import acs, iommu, pcie_link, read_request, relaxed_ordering
from fabric_audit.facts import Fact
from fabric_audit.facts.intent import FabricPort
from fabric_audit.facts.system import KernelSetting
from tests.checks.host.machine import GPU, ROOT, SWITCH, TO_GPU, TO_NIC, machine
from tests.checks.host.machine import acs as bridge
from tests.checks.judging import findings, verdicts


@pytest.mark.parametrize(
    ("nic", "slot", "verdict"),
    [
        ({}, {}, "PASS"),
        ({"width": 8}, {}, "FAIL"),
        ({"speed_gts": 16.0}, {}, "FAIL"),
        ({"speed_gts": 16.0}, {"max_speed_gts": 16.0}, "PASS"),
        ({"width": 8}, {"max_width": 8}, "PASS"),
        ({"width": None}, {}, "UNKNOWN"),
        ({"speed_gts": None}, {}, "UNKNOWN"),
    ],
)
def test_the_link_of_a_nic(nic: dict[str, Any], slot: dict[str, Any], verdict: str) -> None:
    assert verdicts(pcie_link, {"h1": machine(nic, slot)}) == {"h1/rdma0": verdict, "h1/GPU0": "PASS"}


def test_an_idle_gpu_lowers_its_speed_but_keeps_its_lanes() -> None:
    assert verdicts(pcie_link, {"h1": machine(speed_gts=2.5)})["h1/GPU0"] == "PASS"
    assert verdicts(pcie_link, {"h1": machine(width=8)})["h1/GPU0"] == "FAIL"


def test_a_nic_without_an_address() -> None:
    assert verdicts(pcie_link, {"h1": [FabricPort(port="rdma0", side="nic")]}) == {"h1/rdma0": "UNKNOWN"}


@pytest.mark.parametrize(("size", "verdict"), [(4096, "PASS"), (512, "FAIL"), (None, "UNKNOWN")])
def test_read_requests(size: int | None, verdict: str) -> None:
    assert verdicts(read_request, {"h1": machine({"max_read_request_bytes": size})}) == {"h1/rdma0": verdict}


def test_a_policy_that_asks_for_less() -> None:
    seen = {"h1": machine({"max_read_request_bytes": 512})}
    assert verdicts(read_request, seen, max_read_request_bytes=512) == {"h1/rdma0": "PASS"}


@pytest.mark.parametrize(("relaxed", "verdict"), [(True, "PASS"), (False, "FAIL"), (None, "UNKNOWN")])
def test_ordering(relaxed: bool | None, verdict: str) -> None:
    assert verdicts(relaxed_ordering, {"h1": machine({"relaxed_ordering": relaxed})}) == {"h1/rdma0": verdict}


BETWEEN = (TO_NIC, TO_GPU)


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ([bridge(one) for one in BETWEEN], "PASS"),
        ([bridge(TO_NIC, request_redirect=True), bridge(TO_GPU)], "FAIL"),
        ([bridge(TO_NIC), bridge(TO_GPU, upstream_forwarding=True)], "FAIL"),
        ([bridge(TO_NIC, source_validation=True), bridge(TO_GPU)], "PASS"),
        ([*map(bridge, BETWEEN), bridge(SWITCH, request_redirect=True), bridge(ROOT, request_redirect=True)], "PASS"),
        ([bridge(TO_NIC)], "UNKNOWN"),
        ([], "UNKNOWN"),
    ],
)
def test_acs_between_nic_and_gpu(told: list[Fact], verdict: str) -> None:
    assert verdicts(acs, {"h1": [*machine(), *told]}) == {"h1/rdma0": verdict}


def test_a_gpu_behind_another_root_is_reached_through_the_root_anyway() -> None:
    seen = {"h1": [*machine(upstream=None), *map(bridge, BETWEEN)]}
    assert verdicts(acs, seen) == {"h1/rdma0": "SKIPPED"}


def test_acs_that_the_policy_allows() -> None:
    seen = {"h1": [*machine(), bridge(TO_NIC, request_redirect=True)]}
    assert verdicts(acs, seen, acs_redirect_allowed=True) == {"h1/rdma0": "SKIPPED"}


@pytest.mark.parametrize(
    ("domain", "settings", "verdict"),
    [
        ("identity", {}, "PASS"),
        ("DMA", {}, "FAIL"),
        ("DMA-FQ", {"cmdline:iommu": "pt"}, "FAIL"),
        (None, {"iommu:units": ""}, "PASS"),
        (None, {"iommu:units": "dmar0", "cmdline:iommu": "pt"}, "PASS"),
        (None, {"iommu:units": "dmar0"}, "UNKNOWN"),
        (None, {}, "UNKNOWN"),
    ],
)
def test_the_iommu(domain: str | None, settings: dict[str, str], verdict: str) -> None:
    told = [KernelSetting(name=name, value=value) for name, value in settings.items()]
    assert verdicts(iommu, {"h1": [*machine({"iommu_type": domain}), *told]}) == {"h1": verdict}


def test_an_iommu_that_the_policy_allows() -> None:
    seen = {"h1": machine({"iommu_type": "DMA"})}
    assert verdicts(iommu, seen, iommu_translation_allowed=True) == {"h1": "SKIPPED"}


def test_the_bridges_that_redirect_are_named() -> None:
    (found,) = findings(acs, {"h1": [*machine(), bridge(TO_NIC, request_redirect=True), bridge(TO_GPU)]})
    assert f"{TO_NIC} (ReqRedir)" in found.message
    assert GPU not in found.message

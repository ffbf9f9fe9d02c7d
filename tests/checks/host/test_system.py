"""What a host runs, allows and reports."""

import pytest

from fabric_audit.checks.gpu import no_errors
from fabric_audit.checks.host import kernel_log, memlock, same_software
from fabric_audit.facts import Fact
from fabric_audit.facts.events import KernelEvent
from fabric_audit.facts.intent import Target
from fabric_audit.facts.rdma import RdmaDevice
from fabric_audit.facts.system import KernelModule, KernelSetting, System
from fabric_audit.findings import CoverageRow
from tests.checks.judging import findings, verdicts

HOST = Target(kind="host", model="hgx")


@pytest.mark.parametrize(
    ("value", "verdict"),
    [("unlimited", "PASS"), (str(2**40), "PASS"), ("65536", "FAIL"), ("?", "UNKNOWN"), (None, "UNKNOWN")],
)
def test_locked_memory(value: str | None, verdict: str) -> None:
    limit = KernelSetting(name="limit:max locked memory", value=value)
    assert verdicts(memlock, {"h1": [HOST, limit]}) == {"h1": verdict}


def host(kernel: str | None = "6.8.0", firmware: str = "28.39", module: str = "24.04") -> list[Fact]:
    return [
        HOST,
        System(name="h", kernel=kernel),
        RdmaDevice(device="mlx5_0", part="MT4129", firmware=firmware),
        KernelModule(name="mlx5_core", version=module),
        KernelModule(name="something", version=firmware),
    ]


@pytest.mark.parametrize(
    ("third", "words"),
    [
        (host(), ""),
        (host(kernel="5.15.0"), "kernel 5.15.0, most have 6.8.0"),
        (host(firmware="28.37"), "firmware of MT4129 28.37, most have 28.39"),
        (host(module="23.10"), "module mlx5_core 23.10, most have 24.04"),
        (host(kernel=None), ""),
    ],
)
def test_hosts_of_a_model_run_the_same(third: list[Fact], words: str) -> None:
    found = {f.subject[0]: f for f in findings(same_software, {"h1": host(), "h2": host(), "h3": third})}
    assert found["h1"].verdict.name == "PASS"
    assert found["h3"].verdict.name == ("FAIL" if words else "PASS")
    assert words in found["h3"].message


def test_a_host_that_says_nothing_and_one_alone() -> None:
    assert verdicts(same_software, {"h1": host(), "h2": host(), "h3": [HOST]})["h3"] == "UNKNOWN"
    assert verdicts(same_software, {"h1": host()}) == {"h1": "SKIPPED"}


READ = (CoverageRow(target="h1", phase="baseline", section="kmsg", tables=("kernel_event",), state="parsed"),)


def event(code: str, event_class: str, part: str | None = None, time: str = "9.0") -> KernelEvent:
    return KernelEvent(
        time=time, source="mlx5_core", code=code, subject="0000:1a:00.0", event_class=event_class, part=part
    )


@pytest.mark.parametrize(
    ("code", "event_class", "verdict"),
    [
        ("firmware_error", "nic", "FAIL"),
        ("bus_error", "pcie", "FAIL"),
        ("dma_fault", "iommu", "FAIL"),
        ("corrected", "pcie", "PASS"),
        ("plugged", "module", "PASS"),
        ("link_down", "link", "PASS"),
        ("79", "gpu", "PASS"),
    ],
)
def test_faults_in_the_kernel_log(code: str, event_class: str, verdict: str) -> None:
    found = verdicts(kernel_log, {"h1": [HOST, event(code, event_class)]}, coverage=READ)
    assert set(found.values()) == {verdict}


def test_a_fault_that_comes_again_is_one_finding() -> None:
    again = [event("firmware_error", "nic", time=f"{n}.0") for n in range(5)]
    (found,) = findings(kernel_log, {"h1": [HOST, *again]}, coverage=READ)
    assert "5 times, last at 4.0" in found.message


def test_a_log_that_was_not_read_passes_nothing() -> None:
    assert verdicts(kernel_log, {"h1": [HOST]}) == {}
    assert verdicts(no_errors, {"h1": [HOST]}) == {}


@pytest.mark.parametrize(
    ("code", "part", "verdict"),
    [("79", "pcie", "FAIL"), ("48", "memory", "FAIL"), ("13", "application", "PASS"), ("999", None, "FAIL")],
)
def test_errors_of_gpus(code: str, part: str | None, verdict: str) -> None:
    found = verdicts(no_errors, {"h1": [HOST, event(code, "gpu", part)]}, coverage=READ)
    assert set(found.values()) == {verdict}


def test_errors_of_nvswitches_have_their_own_name() -> None:
    (found,) = findings(no_errors, {"h1": [HOST, event("12028", "nvswitch", "fabric")]}, coverage=READ)
    assert found.message.startswith("SXid 12028 of")

"""What a job's log says, as findings of checks."""

from typing import Any

import pytest

from fabric_audit.checks.gdr import used_by_nccl
from fabric_audit.checks.nccl import near_nics, no_errors, rdma_network, settings, traffic_class, within_hosts
from fabric_audit.facts import Fact
from fabric_audit.facts.gpu import Gpu, GpuNicPath
from fabric_audit.facts.intent import Fabric, FabricPort, Target
from fabric_audit.facts.nccl import NcclChannel, NcclEnv, NcclEvent, NcclLog, NcclRank
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.findings import CoverageRow
from tests.checks.judging import findings, verdicts

LOG = NcclLog(version="2.21.5", ranks=2)
POD = [Fabric(name="pod")]


def channel(gdr: bool = True, nic: str = "mlx5_0", **other: Any) -> NcclChannel:
    told: dict[str, Any] = {
        "host": "h1",
        "pid": 7,
        "device": 0,
        "comm": "0x1",
        "rank": 0,
        "peer": 8,
        "direction": "send",
        "connection": 0,
        "path": "NET/IB/0/GDRDMA" if gdr else "NET/IB/0",
        "channels": "0 1",
        "transport": "net",
        "network": "IB",
        "net_device": 0,
        "nic": nic,
        "gdr": gdr,
        "gpu": "0",
    }
    return NcclChannel(**(told | other))


RANK = NcclRank(host="h1", pid=7, device=0, comm="0x1", rank=0, ranks=16, gpu=0, network="IB")


def job(*facts: Fact) -> dict[str, list[Fact]]:
    return {"pod": list(POD), "h1": [LOG, RANK, *facts]}


@pytest.mark.parametrize(("gdr", "verdict"), [(True, "PASS"), (False, "FAIL")])
def test_gdr_is_used(gdr: bool, verdict: str) -> None:
    (found,) = findings(used_by_nccl, job(channel(gdr)))
    assert found.verdict.name == verdict
    assert found.subject[0] == "pod"


@pytest.mark.parametrize(("nic", "verdict"), [("mlx5_0", "PASS"), ("mlx5_1", "FAIL")])
def test_ranks_leave_by_near_nics(nic: str, verdict: str) -> None:
    paths = [GpuNicPath(gpu=0, nic="mlx5_0", path="PIX"), GpuNicPath(gpu=0, nic="mlx5_1", path="SYS")]
    found = verdicts(near_nics, job(channel(nic=nic), Gpu(gpu=0), *paths))
    assert set(found.values()) == {verdict}


@pytest.mark.parametrize(("network", "verdict"), [("IB", "PASS"), ("Socket", "FAIL")])
def test_rdma_is_used(network: str, verdict: str) -> None:
    assert set(verdicts(rdma_network, job(channel(network=network))).values()) == {verdict}


@pytest.mark.parametrize(("transport", "verdict"), [("p2p", "PASS"), ("shm", "FAIL")])
def test_gpus_of_a_host_reach_each_other(transport: str, verdict: str) -> None:
    disabled = NcclEnv(host="h1", pid=7, name="NCCL_P2P_DISABLE", value="1", source="log")
    facts = [channel(transport=transport, path="x"), *([disabled] if transport == "shm" else [])]
    assert set(verdicts(within_hosts, job(*facts)).values()) == {verdict}


def failure(status: int) -> NcclEvent:
    return NcclEvent(
        host="h1", pid=7, device=0, kind="completion_error", status=status, nic="mlx5_0:1", peer="192.0.2.9", what=""
    )


def test_a_flushed_request_is_explained_by_the_failure_before() -> None:
    found = {f.subject[-1].split()[-2]: f for f in findings(no_errors, job(failure(12), failure(5)))}
    assert found["12"].explained_by == ""
    assert found["5"].explained_by == f"nccl.no-errors:{'/'.join(found['12'].subject)}"


def test_no_errors() -> None:
    assert set(verdicts(no_errors, job()).values()) == {"PASS"}


@pytest.mark.parametrize("module", [used_by_nccl, near_nics, rdma_network, within_hosts, no_errors])
def test_without_a_log_nothing_passes(module: Any) -> None:
    assert verdicts(module, {"pod": POD}) == {}


READ = tuple(
    CoverageRow(target=name, phase="baseline", section="nccl-conf", tables=("nccl_env",), state="parsed")
    for name in ("h1", "h2", "h3")
)


def conf(**values: str) -> list[Fact]:
    told = [NcclEnv(host="", pid=-1, name=name, value=value, source="/etc/nccl.conf") for name, value in values.items()]
    return [Target(kind="host"), *told]


def test_no_settings_at_all() -> None:
    assert verdicts(settings, {"pod": POD, "h1": conf(), "h2": conf()}, coverage=READ) == {"h1": "PASS", "h2": "PASS"}


def test_a_setting_that_is_not_what_it_says() -> None:
    level = {"NCCL_NET_GDR_LEVEL": "phb"}
    found = verdicts(settings, {"pod": POD, "h1": conf(**level), "h2": conf(**level)}, coverage=READ)
    assert found == {"h1/NCCL_NET_GDR_LEVEL": "FAIL"}


def test_a_host_that_is_set_otherwise() -> None:
    seen = {"pod": POD, "h1": conf(NCCL_IB_TC="106"), "h2": conf(NCCL_IB_TC="106"), "h3": conf()}
    found = findings(settings, seen, coverage=READ)
    failing = [f for f in found if f.verdict.name == "FAIL"]
    assert [f.subject for f in failing] == [("h3", "nccl.conf", "NCCL_IB_TC")]
    assert "has no NCCL_IB_TC, most hosts have NCCL_IB_TC=106" in failing[0].message


def nic(override: int | None = None) -> list[Fact]:
    return [
        FabricPort(port="rdma0", side="nic", rail=0),
        RdmaPort(device="mlx5_0", port=1, netdev="rdma0", traffic_class=override),
    ]


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ([*nic(), *conf(NCCL_IB_TC="106")], "PASS"),
        ([*nic(), *conf(NCCL_IB_TC="104")], "PASS"),
        ([*nic(), *conf(NCCL_IB_TC="0")], "FAIL"),
        ([*nic(), LOG], "FAIL"),
        ([*nic(106), LOG], "SKIPPED"),
        ([*nic(0), *conf(NCCL_IB_TC="106")], "SKIPPED"),
        (nic(), "SKIPPED"),
    ],
)
def test_the_class_of_jobs(facts: list[Fact], verdict: str) -> None:
    assert verdicts(traffic_class, {"h1": facts}) == {"h1": verdict}


def test_what_a_job_said_comes_before_the_file() -> None:
    logged = NcclEnv(host="h1", pid=7, name="NCCL_IB_TC", value="0", source="log")
    assert verdicts(traffic_class, {"h1": [*nic(), *conf(NCCL_IB_TC="106"), logged, LOG]}) == {"h1": "FAIL"}

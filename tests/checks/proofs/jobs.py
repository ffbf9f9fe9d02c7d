"""What jobs said: NCCL's log and settings, and nccl-tests."""

from typing import Any

from fabric_audit.facts import Fact
from fabric_audit.facts.gpu_traffic import NcclTest
from fabric_audit.facts.nccl import NcclChannel, NcclEnv, NcclEvent, NcclLog, NcclRank
from tests.checks.proofs.model import Given, Proof, set_


def _told(*facts: Fact) -> tuple[Given, ...]:
    return tuple(("gpu001", "baseline", fact) for fact in facts)


def _channel(**other: Any) -> NcclChannel:
    told: dict[str, Any] = {
        "host": "gpu001",
        "pid": 7,
        "device": 0,
        "comm": "0x1",
        "rank": 0,
        "peer": 2,
        "direction": "send",
        "connection": 0,
        "path": "NET/IB/0/GDRDMA",
        "channels": "0 1",
        "transport": "net",
        "network": "IB",
        "net_device": 0,
        "nic": "mlx5_0",
        "gdr": True,
        "gpu": "0",
    }
    return NcclChannel(**(told | other))


LOG = NcclLog(version="2.21.5", ranks=4)
RANK = NcclRank(host="gpu001", pid=7, device=0, comm="0x1", rank=0, ranks=4, gpu=0, network="IB")
CLASS = NcclEnv(host="gpu001", pid=7, name="NCCL_IB_TC", value="106", source="log")
CLASSES = tuple(
    (f"gpu{number:03d}", "baseline", NcclEnv(host="", pid=-1, name="NCCL_IB_TC", value="106", source="/etc/nccl.conf"))
    for number in (1, 2)
)
NET = _told(LOG, RANK, CLASS, _channel())
WITHIN = _told(LOG, RANK, CLASS, _channel(peer=1, transport="p2p", path="P2P/CUMEM", network=None, nic=None, gdr=None))
FAILED = NcclEvent(
    host="gpu001", pid=7, device=0, kind="completion_error", status=12, nic="mlx5_0:1", peer="192.0.2.9", what=""
)
RUN = _told(NcclTest(run=1, collective="all_reduce", outcome="ok", wrong=0, hosts=2, busbw_bps=7.7e11))

PROOFS = (
    Proof(
        check="gdr.used-by-nccl",
        given=NET,
        change=(set_("nccl_channel", {"target": "gpu001"}, gdr=False, path="NET/IB/0"),),
    ),
    Proof(
        check="gdr.path-allowed",
        added=_told(NcclEnv(host="", pid=-1, name="NCCL_NET_GDR_LEVEL", value="LOC", source="/etc/nccl.conf")),
        also=("nccl.settings",),
    ),
    Proof(check="nccl.near-nics", given=NET, change=(set_("nccl_channel", {"target": "gpu001"}, nic="mlx5_1"),)),
    Proof(
        check="nccl.rdma-network",
        given=NET,
        change=(set_("nccl_channel", {"target": "gpu001"}, network="Socket", gdr=None, path="NET/Socket/0"),),
        also=("gdr.used-by-nccl",),
    ),
    Proof(
        check="nccl.within-hosts",
        given=WITHIN,
        change=(set_("nccl_channel", {"target": "gpu001"}, transport="shm", path="SHM/direct/direct"),),
    ),
    Proof(check="nccl.no-errors", given=NET, added=_told(FAILED)),
    Proof(
        check="nccl.settings",
        given=CLASSES,
        added=_told(NcclEnv(host="", pid=-1, name="NCCL_NET_GDR_LEVEL", value="phb", source="/etc/nccl.conf")),
    ),
    Proof(
        check="nccl.traffic-class",
        given=CLASSES,
        change=(set_("nccl_env", {"name": "NCCL_IB_TC"}, value="0"),),
    ),
    Proof(check="collective.correct", given=RUN, change=(set_("nccl_test", {"target": "gpu001"}, wrong=3),)),
    Proof(check="collective.bandwidth", given=RUN, change=(set_("nccl_test", {"target": "gpu001"}, busbw_bps=1e11),)),
)

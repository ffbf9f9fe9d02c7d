"""Do GPUs of one host reach each other directly?"""

from collections.abc import Iterator

from fabric_audit.analysis.gpu_models import Wiring
from fabric_audit.analysis.nccl.job import Connection, Job, channels, connections, named, subject
from fabric_audit.findings import Finding, Verdict

_REMEDY = (
    "nvidia-smi topo -m and nvidia-smi topo -p2p r show whether the pair has a direct path; see that "
    "NCCL_P2P_DISABLE and NCCL_P2P_LEVEL are unset, and in a container that the GPUs share /dev/shm and IPC"
)


def judge_within_hosts(job: Job) -> Iterator[Finding]:
    """A finding for each rank whose data goes through host memory to a GPU of its own host."""
    direct = connections(job, "p2p")
    slow = connections(job, "shm")
    for one in slow:
        model = job.model(one.rank)
        wired = model is not None and model.wiring in (Wiring.MESH, Wiring.CUBE)
        others = [other for other in direct if other.rank.host == one.rank.host]
        if job.setting(one.rank.process, "NCCL_P2P_DISABLE") == "1":
            yield _staged(job, one, Verdict.FAIL, "NCCL_P2P_DISABLE=1 is set")
        elif wired:
            yield _staged(job, one, Verdict.FAIL, "its model has NVLink to every GPU of the host")
        elif others and model is None:
            yield _staged(job, one, Verdict.FAIL, "other pairs of this host use peer access")
        elif model is None:
            yield _staged(job, one, Verdict.UNKNOWN, "normal for PCIe cards across a host bridge; the model decides")
    if direct and not slow:
        number = sum(len(one.numbers) for one in direct)
        yield Finding(
            verdict=Verdict.PASS,
            subject=("job", "peer access"),
            message=f"all {number} channels within hosts use peer access between GPUs",
            expected="P2P between GPUs of a host",
            observed=", ".join(sorted({one.fact.path or "" for one in direct})),
        )


def _staged(job: Job, one: Connection, verdict: Verdict, why: str) -> Finding:
    return Finding(
        verdict=verdict,
        subject=subject(one.rank),
        message=f"{named(job, one.rank, one.fact.gpu)} reaches rank {one.fact.peer} through host memory "
        f"({channels([one])}): {why}",
        expected="P2P between GPUs of a host",
        observed=one.fact.path or "",
        remedy=_REMEDY,
        remedy_source="NCCL user guide, 'GPU-to-GPU communication'",
        evidence=(one.evidence,),
        reproduce="nvidia-smi topo -m",
    )

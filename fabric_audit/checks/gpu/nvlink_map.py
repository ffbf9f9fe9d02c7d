"""Every pair of GPUs is joined by the NVLinks that the host's model promises.

Why: `Running` says nothing of how GPUs reach each other. One pair on PCIe, where NV18 belongs, moves tensor-parallel
traffic at a fifteenth of its speed, and every step waits for it.

Fix: a row of SYS is a GPU that fell off its NVSwitch: look at fabric manager and `nvidia-smi nvlink -s`; one pair with
fewer links is a failing link: Xid 74 in the kernel log, then the baseboard.

Source: the model's links in the inventory; NVIDIA `nvidia-smi topo -m` legend: NV# is the number of bonded links.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS


def check(gpu_link: "pd.DataFrame", target: "pd.DataFrame", gpu: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a pair of GPUs, and one for a host whose GPUs are not as many as promised."""
    gpus: dict[str, list[Any]] = {}
    pairs: dict[str, list[Any]] = {}
    for kind, frame in ((gpus, gpu), (pairs, gpu_link)):
        for row in rows(frame):
            kind.setdefault(row.target, []).append(row)
    for host in rows(target, kind="host"):
        found = gpus.get(host.target, [])
        if host.gpus and found and len(found) != host.gpus:
            yield Finding(
                verdict=Verdict.FAIL,
                subject=(host.target, "GPUs"),
                message=f"{len(found)} GPUs, the inventory promises {host.gpus}",
                expected=str(host.gpus),
                observed=str(len(found)),
                evidence=evidence(*found),
            )
        if host.gpus == 1 or len(found) == 1:
            yield skipped((host.target,), "it has one GPU")
        elif host.nvlinks:
            for pair in pairs.get(host.target, []):
                yield _judged(pair, host.nvlinks)


def _judged(pair: Any, promised: int) -> Finding:
    subject = (pair.target, f"GPU{pair.gpu}", f"GPU{pair.peer}")
    if pair.path is None or pair.nvlinks is None:
        known = f"by PCIe it is {pair.path}, by NVLink it" if pair.path else "it"
        words = f"the path of GPU{pair.gpu} and GPU{pair.peer}: {known} is not known"
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=words, evidence=evidence(pair))
    right = (pair.nvlinks or 0) >= promised
    return Finding(
        verdict=Verdict.PASS if right else Verdict.FAIL,
        subject=subject,
        message=pair.path if right else f"GPU{pair.gpu} and GPU{pair.peer} are joined by {pair.path}, not NV{promised}",
        expected=f"NV{promised}",
        observed=pair.path,
        remedy="" if right else "look at fabric manager, nvidia-smi nvlink -s and Xid 74, then at the baseboard",
        evidence=evidence(pair),
    )

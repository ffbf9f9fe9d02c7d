"""NCCL's settings mean what they say, and are the same on every host.

Why: NCCL reads nccl.conf and the environment to the letter. A blank, a quote or a word it does not know makes it ignore
a setting without a message; `mlx5_1` lets in mlx5_10 as well. Settings that differ between hosts make ranks wait for
each other, or hang.

Fix: as the finding says; keep one nccl.conf for all hosts.

Source: NCCL src/misc/param.cc, src/graph/paths.cc, src/misc/utils.cc; NCCL user guide, "Environment Variables".
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.nccl.settings import judge_settings
from fabric_audit.checks.model import Scope
from fabric_audit.checks.nccl.jobs import job, of_fabric
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.told import told
from fabric_audit.findings import CoverageRow, Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.HOSTS
RESTS_ON = ("nccl_env",)
FILE_PID = -1


def check(
    nccl_env: "pd.DataFrame",
    nccl_device: "pd.DataFrame",
    nccl_log: "pd.DataFrame",
    target: "pd.DataFrame",
    fabric: "pd.DataFrame",
    coverage: Sequence[CoverageRow],
) -> Iterator[Finding]:
    """One finding for each setting that is not what it says, or differs between hosts; else one for the fabric."""
    job_told = job(nccl_env=nccl_env, nccl_device=nccl_device, nccl_log=nccl_log)
    hosts = [row.target for row in rows(target, kind="host")]
    read = told(coverage, "nccl_env")
    found = [*judge_settings(job_told), *_files(nccl_env, [host for host in hosts if host in read])]
    yield from of_fabric(
        found, fabric, nccl_env, "every setting of NCCL means what it says, and is the same on all hosts"
    )
    set_somewhere = {row.target for row in rows(nccl_env)}
    for host in hosts:
        if host in read and host not in set_somewhere:
            yield Finding(verdict=Verdict.PASS, subject=(host,), message="its nccl.conf sets nothing")


def _files(nccl_env: "pd.DataFrame", hosts: list[str]) -> Iterator[Finding]:
    """Settings in the files of hosts that most other hosts do not have so."""
    files: dict[str, dict[str, Any]] = {}
    for row in rows(nccl_env, pid=FILE_PID):
        files.setdefault(row.name, {})[row.target] = row
    for name, by_host in files.items():
        values = {host: by_host[host].value if host in by_host else None for host in sorted({*hosts, *by_host})}
        usual = Counter(values.values()).most_common(1)[0][0]
        for host, value in values.items():
            if value != usual:
                yield _other(host, name, (value, usual), by_host.get(host))


def _other(host: str, name: str, values: tuple[str | None, str | None], row: Any) -> Finding:
    mine, usual = (f"{name}={value}" if value is not None else f"no {name}" for value in values)
    return Finding(
        verdict=Verdict.FAIL,
        subject=(host, "nccl.conf", name),
        message=f"its nccl.conf has {mine}, most hosts have {usual}",
        expected=usual,
        observed=mine,
        remedy="keep one nccl.conf for all hosts",
        remedy_source="NCCL user guide, Environment Variables",
        evidence=evidence(row),
    )

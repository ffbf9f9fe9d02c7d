"""NCCL's logs and settings in a capture, put together as a job."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.nccl import Job, job_of
from fabric_audit.checks.rows import rows
from fabric_audit.facts import Fact, all_tables, columns
from fabric_audit.facts.gpu import Gpu, GpuNicPath
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd


def job(gpu: "pd.DataFrame | None" = None, gpu_nic_path: "pd.DataFrame | None" = None, **tables: "pd.DataFrame") -> Job:
    """The job that NCCL's tables tell of; what a file of a host holds belongs to that host.

    Args:
        gpu: GPUs of the hosts.
        gpu_nic_path: distances of GPUs and NICs.
        tables: tables of :mod:`fabric_audit.facts.nccl` by their names.
    """
    told = [(str(row.evidence), fact) for name, frame in tables.items() for row, fact in _facts(name, frame)]
    return job_of(
        told,
        gpus=_by_host(_facts(Gpu.TABLE, gpu)) if gpu is not None else None,
        nic_paths=_by_host(_facts(GpuNicPath.TABLE, gpu_nic_path)) if gpu_nic_path is not None else None,
    )


def _facts(name: str, frame: "pd.DataFrame") -> Iterator[tuple[Any, Any]]:
    kind = all_tables()[name]
    names = [column.name for column in columns(kind)]
    for row in rows(frame):
        values = {name: getattr(row, name) for name in names}
        if values.get("host") == "":
            values["host"] = row.target
        yield row, kind(line=row.evidence_line or None, **values)


def _by_host(told: Iterable[tuple[Any, Any]]) -> Mapping[str, list[Any]]:
    found: dict[str, list[Fact]] = {}
    for row, fact in told:
        found.setdefault(row.target, []).append(fact)
    return found


def of_fabric(
    findings: Iterable[Finding], fabric: "pd.DataFrame", evidence: "pd.DataFrame", holds: str
) -> Iterator[Finding]:
    """Findings of a job under the name of the fabric; one that passes, ``holds``, where there is evidence and none."""
    name = next((row.name for row in rows(fabric)), "job")
    found = list(findings)
    for one in found:
        subject = (name, *one.subject[1:]) if one.subject[0] == "job" else one.subject
        yield replace(one, subject=subject)
    if not found and len(evidence):
        yield Finding(verdict=Verdict.PASS, subject=(name, "job"), message=holds)

"""Are NCCL's variables what somebody meant, and the same in every process?"""

from collections.abc import Iterator

from fabric_audit.analysis.nccl.job import Job, Seen
from fabric_audit.analysis.nccl_env import Effective, gdr_level, ib_hcas, integer_setting, p2p_level
from fabric_audit.facts.nccl import NcclEnv
from fabric_audit.findings import Finding, Verdict

_SOURCE = "NCCL user guide, 'Environment Variables'; NCCL src/graph/paths.cc, src/misc/param.cc"
_OF_ONE_PROCESS = frozenset({"NCCL_DEBUG_FILE", "NCCL_TOPO_FILE", "NCCL_COMM_ID", "NCCL_GRAPH_FILE"})


def judge_settings(job: Job) -> Iterator[Finding]:
    """A finding for each setting that is not in force as written, and for each that differs between processes."""
    by_name: dict[str, dict[str, Seen[NcclEnv]]] = {}
    for seen in job.settings:
        if seen.fact.value is not None:
            by_name.setdefault(seen.fact.name, {}).setdefault(seen.fact.value, seen)
    for name, values in sorted(by_name.items()):
        for value, seen in values.items():
            yield from _in_force(job, name, value, seen)
        logged = {value: seen for value, seen in values.items() if seen.fact.source == "log"}
        if len(logged) > 1 and name not in _OF_ONE_PROCESS:
            yield _different(name, logged)


def _in_force(job: Job, name: str, value: str, seen: Seen[NcclEnv]) -> Iterator[Finding]:
    found = effective(name, value, job.version)
    concerns = [(found.concern, found.advice)] if found and found.concern else []
    if name == "NCCL_IB_HCA":
        devices = sorted({device.name for device in job.devices if device.name and device.layer})
        concerns = [(concern, "") for concern in (ib_hcas(value, devices).concerns if devices else ())]
    for concern, advice in concerns:
        yield Finding(
            verdict=Verdict.FAIL,
            subject=(seen.fact.host or "job", name),
            message=f"{name}={value!r}: {concern}",
            expected=advice,
            observed=found.value if found else value,
            remedy=advice,
            remedy_source=_SOURCE,
            evidence=(seen.evidence,),
        )


def effective(name: str, value: str | None, version: str) -> Effective | None:
    """A variable as NCCL reads it; None for one whose value is taken as it stands."""
    if name == "NCCL_NET_GDR_LEVEL":
        return gdr_level(value, version)
    if name == "NCCL_P2P_LEVEL":
        return p2p_level(value, version)
    return integer_setting(name, value, version)


def _different(name: str, values: dict[str, Seen[NcclEnv]]) -> Finding:
    listed = [f"{value!r} on {seen.fact.host or seen.path}" for value, seen in values.items()]
    return Finding(
        verdict=Verdict.FAIL,
        subject=("job", name),
        message=f"{name} is not the same in all processes: {', '.join(listed)}",
        expected="one value in the whole job",
        observed=", ".join(map(repr, values)),
        remedy="set it in one place for all hosts: the launcher's environment, or the same /etc/nccl.conf",
        remedy_source=_SOURCE,
        evidence=tuple(seen.evidence for seen in values.values()),
    )

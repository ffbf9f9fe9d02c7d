"""What an NCCL log means: is the job on the paths the machine was bought for, and if not, which part keeps it off."""

from collections.abc import Iterator

from fabric_audit.analysis.nccl.errors import judge_errors
from fabric_audit.analysis.nccl.gdr import judge_gdr
from fabric_audit.analysis.nccl.job import Job, job_of
from fabric_audit.analysis.nccl.networks import judge_networks
from fabric_audit.analysis.nccl.nics import judge_nics
from fabric_audit.analysis.nccl.settings import judge_settings
from fabric_audit.analysis.nccl.within_host import judge_within_hosts
from fabric_audit.findings import Finding

__all__ = ["Job", "job_of", "judge_job"]


def judge_job(job: Job) -> Iterator[Finding]:
    """Everything that one or several logs of a job let conclude."""
    yield from judge_networks(job)
    yield from judge_gdr(job)
    yield from judge_nics(job)
    yield from judge_within_hosts(job)
    yield from judge_errors(job)
    yield from judge_settings(job)

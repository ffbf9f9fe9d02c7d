"""``fabric-audit nccl-log``: what a job's NCCL log says, for a person."""

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import click

from fabric_audit.cli import ExitCode
from fabric_audit.cli._telling import UnreadableError, code_of, console, explaining, facts_of, tell, text_of

if TYPE_CHECKING:
    from rich.console import Console

    from fabric_audit.analysis.nccl import Job
    from fabric_audit.facts import Fact
    from fabric_audit.facts.gpu import Gpu, GpuNicPath

_MOST_ROWS = 64  # ranks shown one by one


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option("--topo", "topos", metavar="[HOST=]FILE", multiple=True, help="nvidia-smi topo -m of a host, or of all.")
@click.option("--model", metavar="NAME", help="GPU model, such as 'Tesla V100-PCIE-32GB', where the log has none.")
@click.option("--conf", metavar="FILE", help="The nccl.conf that the job read.")
@explaining
def command(files: tuple[str, ...], topos: tuple[str, ...], model: str | None, conf: str | None) -> int:
    """Explain NCCL's debug log: which paths a job uses, what keeps it off the fast ones, what to do.

    FILE is what a job printed with NCCL_DEBUG=INFO, alone or with everything else; several files (one a rank, say)
    are one job; - is stdin; .gz is read as it is.
    """
    from fabric_audit.analysis.nccl import job_of, judge_job

    facts: list[tuple[str, Fact]] = []
    for file in files or ("-",):
        facts += _read(file)
    if conf:
        from fabric_audit.platforms.workloads.nccl_log.conf import parse_nccl_conf

        facts += [(conf, fact) for fact in facts_of(parse_nccl_conf, text_of(conf, f"--conf {conf}"), conf)]
    hosts = sorted({str(getattr(fact, "host", "")) for _, fact in facts})
    gpus, nic_paths = _topologies(topos, hosts, model)
    job = job_of(facts, gpus=gpus, nic_paths=nic_paths)
    findings = list(judge_job(job))
    out = console()
    _head(out, job)
    _ranks(out, job)
    _settings(out, job)
    if not findings:
        out.print("nothing in the log tells of a path: run with NCCL_DEBUG=INFO")
        return ExitCode.INCOMPLETE
    tell(out, findings)
    return code_of(findings)


def _read(file: str) -> "list[tuple[str, Fact]]":
    from fabric_audit.facts.nccl import NcclLog
    from fabric_audit.platforms.model import Missing, Skipped
    from fabric_audit.platforms.workloads.nccl_log.reader import read_log

    found: list[tuple[str, Fact]] = []
    with _opened(file) as lines:
        for answer in read_log(lines):
            if isinstance(answer, NcclLog) and not answer.nccl_lines:
                raise UnreadableError(f"{file}: no line of NCCL in {answer.lines} lines; run with NCCL_DEBUG=INFO")
            if not isinstance(answer, Skipped | Missing):
                found.append((file, answer))
    return found


@contextmanager
def _opened(file: str) -> Iterator[IO[str]]:
    if file == "-":
        if sys.stdin.isatty():
            raise click.UsageError("name a log, or pipe it in")
        sys.stdin.reconfigure(errors="replace", newline="\n")  # type: ignore[union-attr]  # stdin is a text file
        yield sys.stdin
        return
    opener = gzip.open if file.endswith(".gz") else open
    try:
        with opener(file, "rt", encoding="utf-8", errors="replace", newline="\n") as lines:
            yield lines
    except (OSError, EOFError) as error:
        raise click.UsageError(f"{file}: {getattr(error, 'strerror', None) or error}") from None


def _topologies(
    topos: tuple[str, ...], hosts: list[str], model: str | None
) -> "tuple[dict[str, list[Gpu]], dict[str, list[GpuNicPath]]]":
    from fabric_audit.facts.gpu import Gpu, GpuNicPath
    from fabric_audit.platforms.gpus.nvidia.topo import parse_topo

    gpus: dict[str, list[Gpu]] = {host: [Gpu(gpu=0, model=model)] for host in hosts} if model else {}
    paths: dict[str, list[GpuNicPath]] = {}
    for topo in topos:
        host, equals, file = topo.rpartition("=")
        facts = facts_of(parse_topo, text_of(file, "nvidia-smi topo -m"), file)
        for name in [host] if equals else hosts:
            gpus.setdefault(name, []).extend(fact for fact in facts if isinstance(fact, Gpu))
            paths[name] = [fact for fact in facts if isinstance(fact, GpuNicPath)]
    return gpus, paths


def _head(out: "Console", job: "Job") -> None:
    sizes = {fact.ranks for fact in job.ranks.values() if fact.ranks}
    heard = {(rank.host, rank.comm, rank.rank) for rank in job.ranks}
    heard = heard or {(seen.fact.host, seen.fact.comm, seen.fact.rank) for seen in job.channels}
    seen = len({(comm, rank) for _host, comm, rank in heard})
    hosts = {host for host, _comm, _rank in heard}
    lines, torn = (sum(getattr(log, name) or 0 for log in job.logs) for name in ("lines", "torn_lines"))
    out.print(
        f"NCCL {job.version or 'of unknown version'}: {lines} lines, {seen} ranks on {len(hosts)} hosts heard"
        f"{f', the largest communicator has {max(sizes)}' if sizes else ''}"
    )
    if torn:
        out.print(f"{torn} lines of NCCL are torn or in unknown words and left out: a rank may lack channels by that")
    out.print()


def _ranks(out: "Console", job: "Job") -> None:
    from rich.table import Table
    from rich.text import Text

    from fabric_audit.analysis.nccl.summary import Path, summaries

    told = summaries(job)
    if not told:
        return
    grid = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("rank", "host", "GPU", "NICs", *(str(path) for path in Path)):
        grid.add_column(name, no_wrap=True)
    for one in told[:_MOST_ROWS]:
        counts = [Text(str(one.channels[path]) if one.channels[path] else "", path.colour) for path in Path]
        grid.add_row(str(one.rank.rank), one.rank.host, one.gpu, ", ".join(one.nics), *counts)
    out.print(grid)
    if len(told) > _MOST_ROWS:
        out.print(f"... and {len(told) - _MOST_ROWS} more ranks")
    out.print()


def _settings(out: "Console", job: "Job") -> None:
    from fabric_audit.analysis.nccl.settings import effective

    values: dict[str, set[str]] = {}
    for seen in job.settings:
        values.setdefault(seen.fact.name, set()).add(seen.fact.value or "")
    for name, some in sorted(values.items()):
        for value in sorted(some):
            found = effective(name, value, job.version)
            in_force = f" -> {found.value}" if found and found.value != value else ""
            out.print(f"{name}={value}{in_force}{_class_of(value) if name == 'NCCL_IB_TC' else ''}")
    if values:
        out.print()


def _class_of(written: str) -> str:
    from fabric_audit.analysis.nccl_env import traffic_class

    found = traffic_class(written)
    return f" (DSCP {found.dscp}{'' if found.ecn_capable else ', not ECN capable'})"

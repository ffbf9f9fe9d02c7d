"""How fast host outputs and NCCL logs are parsed: ``python -m benchmarks.parse [--megabytes N] [--hosts N]``.

The NCCL log is a job's output of which most lines are not NCCL's, or say nothing of paths; it is read as a stream, and
the growth of memory over the whole of it is told. The same lines go through TextFSM, with a rule for the lines of
channels, and through a loop that only looks for the word NCCL.

A host answers every section there is, with eight NICs and GPUs: in the words of the simulator, or of the parser's
golden text where the simulator has no such program. Sections that walk devices have an answer for each. The capture
holds the answers of 16 simulated hosts again and again; what differs on every real host is read as another answer.
"""

import argparse
import io
import itertools
import re
import resource
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import textfsm

from benchmarks.measuring import cpu, quantity, table
from benchmarks.simulated_answers import host_outputs, inventory_of
from fabric_audit.audit.reading import read_outputs
from fabric_audit.capture.frames import Frame
from fabric_audit.capture.model import Entry, Manifest
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.writer import CaptureWriter
from fabric_audit.platforms.model import Each, Output, Section, When
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections
from fabric_audit.platforms.workloads.nccl_log.reader import read_log
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.testing import golden_output

RANKS, GPUS, CHANNELS = 64, 8, 16
RELEVANT_SHARE = 10
"""One line in so many is NCCL's announcement of a path."""
TEXTFSM_LINES = 100_000
POD = "clos-16x8"
OF_ONE_HOST = re.compile(
    r"nvidia-smi-q|nvidia-smi-gpus|nvidia-smi-nvlink-errors|kmsg|fabricmanager-log|mlxlink|ethtool-(S|m|a-stats|fec-stats)|clock"
    r"|hw_counters|perfquery|ibqueryerrors|rdma-(statistic|dev|qp|resource)|net-statistics|tc-qdisc|sysfs-(net|carrier|rdma|gids)"
    r"|show_gids|ibstat|ibstatus|ibv_devinfo|ibv_devices|iblinkinfo|ibnetdiscover|ip-.*|lldp.*|dcb-pfc|dcb|uname|system|lspci-acs"
)
"""Sections that no two hosts answer in the same words: readings, counters, addresses, serial numbers, events."""
STARTED = "2031-03-02T08:00:00+00:00"
MANIFEST = Manifest(run="benchmark", tool_version="0", fabric="benchmark", origin="simulated", started=STARTED)
ANSWER = Entry(target="", phase="baseline", command="host", text="", started=STARTED, duration_s=1.0, path="", rc=0)
GOLDENS = Path(__file__).parents[1] / "tests" / "platforms"
TEMPLATE = r"""Value host (\S+)
Value pid (\d+)
Value device (\d+)
Value channel (\d+)
Value left (\d+)
Value right (\d+)
Value direction (send|receive)
Value path (\S+)

Start
  ^${host}:${pid}:\d+ \[${device}\] NCCL INFO Channel ${channel}/\d+ : ${left}\[\d+\] -> ${right}\[\d+\] -> Continue
  ^.* \[${direction}\] via ${path}$$ -> Record
  ^.* NCCL INFO Channel .* via ${path}$$ -> Record
"""


def relevant() -> Iterator[str]:
    """What the ranks of a job say of their channels."""
    for rank, channel in itertools.product(range(RANKS), range(CHANNELS)):
        host, gpu = divmod(rank, GPUS)
        peer, far = (rank + 1) % RANKS, (rank + GPUS) % RANKS
        head = f"gpu{host:03d}:{7000 + gpu}:{7100 + gpu} [{gpu}] NCCL INFO Channel {channel:02d}/0 :"
        yield f"{head} {rank}[{gpu}] -> {peer}[{peer % GPUS}] via P2P/CUMEM/read\n"
        yield f"{head} {rank}[{gpu}] -> {far}[{gpu}] [send] via NET/IB/{gpu}/GDRDMA\n"


def irrelevant() -> Iterator[str]:
    """What else stands in such a log."""
    for step in range(RANKS * CHANNELS):
        rank = step % RANKS
        host, gpu = divmod(rank, GPUS)
        head = f"gpu{host:03d}:{7000 + gpu}:{7100 + gpu} [{gpu}] NCCL INFO"
        yield f"{head} AllReduce: opCount {step:x} sendbuff 0x7f0a20000000 count 2097152 datatype 9 op 0 comm 0x55aa0\n"
        yield f"{rank:2d}: step {step} | loss 2.{step:04d} | grad norm 1.02 | tokens/s 18233 | mfu 41.2 %\n"
        yield f"{head} 16 coll channels, 16 collnet channels, 0 nvls channels, 16 p2p channels per peer\n"


def mixed() -> list[str]:
    """A part of a log that may be repeated."""
    others = itertools.cycle(irrelevant())
    return [line for path in relevant() for line in (path, *itertools.islice(others, RELEVANT_SHARE - 1))]


def nccl_log(megabytes: int) -> str:
    """Lines of NCCL's log a second, and memory."""
    rows = [
        _rate("lines that say nothing of paths", list(irrelevant())),
        _rate("lines that announce a path", list(relevant())),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.log"
        lines = _written(path, megabytes * 10**6)
        before = _peak_mb()
        with path.open("rt", encoding="utf-8", errors="replace", newline="\n") as log:
            _, seconds = cpu(lambda: sum(1 for _ in read_log(log)))
        grown = _peak_mb() - before
        with path.open("rt", encoding="utf-8", errors="replace", newline="\n") as log:
            plain, looped = cpu(lambda: sum("NCCL " in line for line in log))
    name = f"{megabytes:,} MB of both, {lines / 1e6:.1f} M lines, from disk ({grown:.0f} MB of memory more)"
    rows.append([name, quantity(lines / seconds), quantity(lines / looped), quantity(seconds / looped), ""])
    rows.append(_by_textfsm(list(relevant())))
    assert plain
    header = ("NCCL log", "lines/s", "plain loop, lines/s", "times a plain loop", "times faster than TextFSM")
    return table(header, rows)


def _written(path: Path, size: int) -> int:
    part = mixed()
    data = "".join(part).encode()
    times = max(1, size // len(data))
    with path.open("wb") as log:
        for _ in range(times):
            log.write(data)
    return times * len(part)


def _rate(name: str, lines: list[str]) -> list[str]:
    many = lines * (400_000 // len(lines))
    _, seconds = cpu(lambda: sum(1 for _ in read_log(iter(many))), best_of=3)
    _, looped = cpu(lambda: sum("NCCL " in line for line in many), best_of=3)
    return [name, quantity(len(many) / seconds), quantity(len(many) / looped), quantity(seconds / looped), ""]


def _by_textfsm(lines: list[str]) -> list[str]:
    many = lines * (TEXTFSM_LINES // len(lines))
    machine = textfsm.TextFSM(io.StringIO(TEMPLATE))
    rows, seconds = cpu(lambda: machine.ParseText("".join(many)))
    assert len(rows) == len(many)
    _, ours = cpu(lambda: sum(1 for _ in read_log(iter(many))), best_of=3)
    return ["the same announcements by TextFSM", quantity(len(many) / seconds), "", "", quantity(seconds / ours)]


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def hosts(count: int) -> str:
    """A capture of so many hosts and every section, read as the audit reads it."""
    sections = tuple(
        s
        for s in all_sections().values()
        if s.kind in ("hosts", "gpus", "nics") and s.ask is not None and s.when is not When.REQUEST
    )
    pod = SimulatedPod(POD)
    simulated = [list(_every(told, sections)) for told in host_outputs(pod, inventory_of(POD).hosts, sections)]
    with tempfile.TemporaryDirectory() as folder:
        capture = _captured(Path(folder), simulated, count)
        facts, seconds = cpu(lambda: sum(len(one.reading.facts) for one in read_outputs(capture)))
    _, anew = cpu(lambda: sum(len(read(*one).facts) for outputs in simulated for one in outputs))
    texts = [output.stdout for outputs in simulated for _, output in outputs]
    lines, looped = cpu(lambda: sum(1 for text in texts for _ in text.splitlines()), best_of=3)
    share = count / len(simulated)
    each = f"{len(texts) // len(simulated)} answers, {sum(map(len, texts)) // len(simulated) // 1000} kB a host"
    rows = []
    for name, took in (
        (f"a capture of {count:,} hosts ({each})", seconds),
        ("the same, each answer anew", anew * share),
    ):
        rates = (quantity(facts / took), quantity(lines * share / took), quantity(took / (looped * share)))
        rows.append([name, quantity(took, "s"), *rates])
    return table(("all sections of hosts", "CPU", "facts/s", "lines/s", "times a plain loop"), rows)


def _captured(folder: Path, simulated: Sequence[Sequence[tuple[Section, Output]]], count: int) -> Capture:
    """A capture of so many hosts, on which the answers of the simulated ones come round."""
    writer = CaptureWriter(folder, MANIFEST, inventory="", policy="")
    for number, outputs in zip(range(count), itertools.cycle(simulated), strict=False):
        data, frames = bytearray(), []
        for section, output in outputs:
            text = output.stdout.encode()
            span = (len(data), len(data) + len(text))
            item = f"{output.item}-{number}" if OF_ONE_HOST.fullmatch(section.name) else output.item
            frames.append(Frame(section=section.name, item=item, rc=output.rc, out=span))
            data += text
        name = f"gpu{number:04d}"
        path = writer.path_for("baseline", name, "host")
        writer.add(replace(ANSWER, target=name, path=path, frames=tuple(frames)), bytes(data), b"")
    writer.seal(MANIFEST.started)
    return Capture.open(folder)


def _every(outputs: Iterable[tuple[Section, Output]], sections: Iterable[Section]) -> Iterator[tuple[Section, Output]]:
    """The outputs that hold something, and golden texts for sections that have none."""
    found = [(section, output) for section, output in outputs if read(section, output).facts]
    yield from found
    there = {section.id for section, _ in found}
    for section in sections:
        goldens = sorted((GOLDENS / section.kind / section.platform / section.name).glob("*.txt"))
        healthy = [text for text in goldens if text.stem.startswith("healthy")] or goldens
        if section.id not in there and healthy:
            yield from [golden_output(healthy[0])] * (GPUS if isinstance(section.ask, Each) else 1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the parsers of hosts and of NCCL's log")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=1024)
    wanted = parser.parse_args()
    print(nccl_log(wanted.megabytes), end="\n\n")
    print(hosts(wanted.hosts))


if __name__ == "__main__":
    main()

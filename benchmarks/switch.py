"""How fast switch outputs are parsed and collected: ``python -m benchmarks.switch [--switches N] [--sessions N]``.

A full collection is every command that an audit asks of a platform, answered by a simulated switch of 64 ports. Of
platforms that the simulator lacks, the golden text of each command is parsed, and its time is told for as many ports
as make 64 of those in the text.

Collecting asks so many simulated switches over SSH on loopback, all with 64 ports, by the tool and by plain netmiko:
a session each, the same commands, ``send_command``. The server of all of them is a process of its own with one core.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import netmiko

from benchmarks.measuring import cpu, quantity, table
from benchmarks.served_switches import LEAF, PASSWORD_VARIABLE, served
from fabric_audit.platforms.model import Cli, Output, Section, When
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import sections_of, switch_platforms
from fabric_audit.simulator.cabling import PLATFORMS
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.simulator.server import LOOPBACK, USER
from fabric_audit.testing import golden_output

PORTS = 64
POD = "clos-56x2"
"""A pod whose leaves have 64 ports: eight of them lead to spines."""
GOLDENS = Path(__file__).parents[1] / "tests" / "platforms" / "switches"
CONFIG_DB_MB = 2.0


def asked(platform: str) -> list[tuple[Section, Cli]]:
    """The commands of an audit."""
    found = (
        (section, section.ask) for section in sections_of("switches", platform) if section.when is not When.REQUEST
    )
    return [(section, ask) for section, ask in found if isinstance(ask, Cli)]


def collections() -> str:
    """CPU time to parse everything that one switch of 64 ports says."""
    rows = []
    for platform in switch_platforms():
        answers = list(_simulated(platform) if platform in PLATFORMS else _golden(platform))
        facts, seconds = 0, 0.0
        for section, output, times in answers:
            reading, took = cpu(partial(read, section, output), best_of=5)
            facts, seconds = facts + round(len(reading.facts) * times), seconds + took * times
        size = sum(len(output.stdout) * times for _, output, times in answers)
        source = "simulated" if platform in PLATFORMS else "golden texts, in proportion"
        rows.append([platform, source, str(len(answers)), quantity(size / 1000), f"{facts:,}", quantity(seconds, "s")])
    return table((f"{PORTS} ports", "answers", "commands", "kB", "facts", "CPU"), rows)


def _simulated(platform: str) -> Iterator[tuple[Section, Output, float]]:
    pod = SimulatedPod(POD, platforms={"leaf": platform})
    assert len(pod.fabric.switches[LEAF].ports) == PORTS
    for section, ask in asked(platform):
        yield section, Output(pod.cli(LEAF, ask.text), rc=None), 1.0


def _golden(platform: str) -> Iterator[tuple[Section, Output, float]]:
    for section, _ in asked(platform):
        texts = sorted((GOLDENS / platform / section.name).glob("*.txt"))
        text = next((text for text in texts if text.stem.startswith("healthy")), texts[0])
        _, output = golden_output(text)
        ports = {port for fact in read(section, output).facts if (port := getattr(fact, "port", ""))}
        yield section, output, PORTS / max(1, len(ports))


def config_db() -> str:
    """CPU time to resolve a large CONFIG_DB to its ports."""
    section, ask = next((section, ask) for section, ask in asked("sonic") if section.name == "config-db")
    few = len(SimulatedPod("clos-100x1").cli(LEAF, ask.text))
    hosts = int(CONFIG_DB_MB * 1e6 / few * 100)
    text = SimulatedPod(f"clos-{hosts}x1").cli(LEAF, ask.text)
    facts, seconds = cpu(lambda: len(read(section, Output(text, rc=None)).facts), best_of=3)
    row = [f"{len(text) / 1e6:.1f} MB, {text.count('etp'):,} ports", f"{facts:,}", quantity(seconds, "s")]
    return table(("CONFIG_DB", "facts", "CPU"), [row])


def collecting(switches: int, sessions: int) -> str:
    """Wall and CPU time to collect so many switches, and the same by plain netmiko."""
    with tempfile.TemporaryDirectory() as folder, served(switches, Path(folder)) as (inventory, ports):
        ours = _timed(lambda: _by_us(inventory, Path(folder) / "run", sessions))
        plain = _timed(lambda: _by_netmiko(ports, sessions))
    each = f"{switches} switches, {sessions} sessions, {len(asked('sonic'))} commands each"
    rows = [
        ["fabric-audit collect", *(quantity(one, "s") for one in ours), quantity(plain[0] / ours[0])],
        ["netmiko send_command", *(quantity(one, "s") for one in plain), ""],
    ]
    return table((each, "wall", "CPU", "wall of netmiko / ours"), rows)


def _timed(work: Callable[[], None]) -> tuple[float, float]:
    """Seconds by the wall clock, and of CPU of this process and its ended children."""
    began, used = time.monotonic(), os.times()
    work()
    now = os.times()
    spent = sum(now[i] - used[i] for i in range(4))
    return time.monotonic() - began, spent


def _by_us(inventory: Path, output: Path, sessions: int) -> None:
    words = [sys.executable, "-m", "fabric_audit", "collect", str(inventory), "--yes", "--traffic", "none"]
    words += ["--jobs", str(sessions), "--output", str(output), "--quiet"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def _by_netmiko(ports: list[int], sessions: int) -> None:
    with ThreadPoolExecutor(sessions) as pool:
        list(pool.map(_by_netmiko_alone, ports))


def _by_netmiko_alone(port: int) -> None:
    login = {"device_type": switch_platforms()["sonic"].driver, "host": LOOPBACK, "port": port, "username": USER}
    with netmiko.ConnectHandler(**login, password=os.environ[PASSWORD_VARIABLE]) as connection:
        for _, ask in asked("sonic"):
            connection.send_command(ask.text)


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the parsers and of the collection of switches")
    parser.add_argument("--switches", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=32)
    wanted = parser.parse_args()
    print(collections(), end="\n\n")
    print(config_db(), end="\n\n")
    print(collecting(wanted.switches, wanted.sessions))


if __name__ == "__main__":
    main()

"""The installed program, run as a user runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = Path(sys.executable).with_name("fabric-audit")
ROOT = Path(__file__).parents[2]
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Ran:
    """What a run of the program left behind."""

    rc: int
    out: str
    err: str

    @property
    def last_line(self) -> str:
        return self.out.strip().splitlines()[-1] if self.out.strip() else ""


@dataclass(frozen=True)
class Program:
    """The console script in a folder of its own. ``environment`` goes over the test's."""

    folder: Path
    environment: Mapping[str, str]
    path: Path = PROGRAM

    @property
    def whole_environment(self) -> dict[str, str]:
        """The test's own environment with the program's over it."""
        return {**os.environ, **self.environment}

    def run(self, *words: str, typed: str | None = None, **environment: str) -> Ran:
        """Run it to its end, without a terminal."""
        done = subprocess.run(
            [self.path, *words],
            cwd=self.folder,
            env=self.whole_environment | environment,
            input=typed,
            stdin=None if typed is not None else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def started(self, *words: str, **environment: str) -> "subprocess.Popen[str]":
        """Start it; its stderr is a pipe."""
        return subprocess.Popen(
            [self.path, *words],
            cwd=self.folder,
            env=self.whole_environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def inventory(self, pod: str, *faults: str, traffic: str = "smoke", fabric: str = "pod") -> str:
        """Write an inventory of a simulated pod; its name."""
        path = self.folder / f"{fabric}.yaml"
        planted = ", ".join(f'"{fault}"' for fault in faults)
        sent = f"{{mode: {traffic}, tools: [ib_write_bw], memory: [host, gpu], duration: 5s}}"
        simulated = f"{{pod: {pod}, seed: 1, faults: [{planted}]}}"
        lines = (f"fabric: {fabric}", "policy: roce-lossless", f"simulated: {simulated}", f"traffic: {sent}")
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path.name

    def findings(self, run: str) -> Any:
        """findings.json of a run folder."""
        return json.loads((self.folder / run / "findings.json").read_text("utf-8"))


def verdicts(findings: Any) -> dict[str, str]:
    """Check → verdict."""
    return {result["check"]: result["verdict"] for result in findings["results"]}


def all_findings(findings: Any) -> list[dict[str, Any]]:
    """Every finding, with its check."""
    return [finding | {"check": r["check"]} for r in findings["results"] for finding in r["findings"]]


def children_of(pod: str) -> list[int]:
    """Simulated pods of that name which still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"fabric_audit.simulator" in words and pod.encode() in words:
            found.append(int(entry.name))
    return found


def wait_for(process: "subprocess.Popen[str]", words: str) -> None:
    """Read stderr until a line holds the words."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(f"{words!r} never came; ended with {process.wait(10)}")


def ended(process: "subprocess.Popen[str]", number: signal.Signals) -> Ran:
    """Send a signal and wait for the end."""
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return Ran(process.returncode, out, err)


def eventually(condition: Any, within_s: float = 20.0) -> bool:
    """Whether a condition comes true in time."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())

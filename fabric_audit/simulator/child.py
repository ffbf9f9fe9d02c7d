"""A pod as a child process: it ends when its stdin closes, so it never outlives its parent."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from fabric_audit.errors import UsageError
from fabric_audit.inventory.model import Simulated

PASSWORD_VARIABLE = "FABRIC_AUDIT_SIM_PASSWORD"  # noqa: S105 - the name of a variable
SCALE_VARIABLE = "FABRIC_AUDIT_SIM_SCALE"
DEFAULT_SCALE = "0.02"
"""A 10 s test takes a fifth of a second."""


@contextmanager
def running_pod(simulated: Simulated) -> Iterator[Path]:
    """Start the pod; yields the path of the inventory that leads to it.

    Raises:
        UsageError: the pod or one of its faults does not exist.
    """
    os.environ.setdefault(PASSWORD_VARIABLE, secrets.token_urlsafe(12))
    argv = [sys.executable, "-m", "fabric_audit.simulator", simulated.pod, "--seed", str(simulated.seed)]
    argv += ["--scale", os.environ.get(SCALE_VARIABLE, DEFAULT_SCALE)]
    for fault in simulated.faults:
        argv += ["--fault", fault]
    for switches, platform in simulated.platforms.items():
        argv += ["--platform", f"{switches}={platform}"]
    with TemporaryFile("w+") as complaints, _started(argv, complaints) as child:
        line = child.stdout.readline() if child.stdout else ""
        if not line.startswith("inventory "):
            child.wait(timeout=10)
            complaints.seek(0)
            words = complaints.read().strip().removeprefix("fabric-audit: ")
            raise UsageError(f"simulated pod: {words or 'it did not start'}")
        yield Path(line.removeprefix("inventory ").strip())


@contextmanager
def _started(argv: list[str], complaints: IO[str]) -> Iterator["subprocess.Popen[str]"]:
    """The child, until the block ends. What it complains about goes to a file: a pipe that nobody reads would fill."""
    pipe = subprocess.PIPE
    child = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=complaints, text=True, start_new_session=True)
    try:
        yield child
    finally:
        _end(child)


def _end(child: "subprocess.Popen[str]") -> None:
    if child.stdin and not child.stdin.closed:
        child.stdin.close()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if child.stdout:
        child.stdout.close()

"""A pod as a child process: it ends when its stdin closes, so it never outlives its parent."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabric_audit.errors import UsageError
from fabric_audit.inventory.model import Simulated

PASSWORD_VARIABLE = "FABRIC_AUDIT_SIM_PASSWORD"  # noqa: S105 - the name of a variable
SCALE_VARIABLE = "FABRIC_AUDIT_SIM_SCALE"
DEFAULT_SCALE = "0.05"
"""A 10 s test takes half a second."""


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
    child = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        line = child.stdout.readline() if child.stdout else ""
        if not line.startswith("inventory "):
            words = child.communicate(timeout=10)[1].strip().removeprefix("fabric-audit: ")
            raise UsageError(f"simulated pod: {words or 'it did not start'}")
        yield Path(line.removeprefix("inventory ").strip())
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
    for stream in (child.stdout, child.stderr):
        if stream:
            stream.close()

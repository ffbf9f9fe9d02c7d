"""Programs of the user's own that run here, on the machine of the tool."""

import subprocess
from collections.abc import Mapping

GUARD_S = 300.0
"""How long a guard may take: a scheduler may have to drain a node first."""


def refusal(command: str, environment: Mapping[str, str]) -> str:
    """Run a command of the shell; why it said no, or an empty string where it ended with 0."""
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=GUARD_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"took longer than {GUARD_S:g} s"
    words = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return "" if done.returncode == 0 else f"ended with {done.returncode}" + (f": {words[-1]}" if words else "")

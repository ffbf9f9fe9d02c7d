"""``python -m fabric_audit.simulator``: serve a pod until stdin ends.

Prints one line ``inventory PATH`` when every port listens.
"""

import argparse
import asyncio
import os
import resource
import secrets
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import asyncssh

from fabric_audit.simulator.cabling import UnknownPodError
from fabric_audit.simulator.child import PASSWORD_VARIABLE
from fabric_audit.simulator.faults import UnknownFaultError
from fabric_audit.simulator.inventory import inventory_text
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.simulator.server import USER, serve

USAGE = 2


def main(words: Sequence[str] | None = None, until: TextIO | None = sys.stdin) -> int:
    """Read the arguments, serve until the stream ``until`` ends, or for ever where it is None, and clean up."""
    parser = argparse.ArgumentParser(prog="fabric-audit simulate")
    parser.add_argument("pod")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--platform", action="append", default=[], type=lambda said: tuple(said.split("=", 1)))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--output")
    arguments = parser.parse_args(words)
    try:
        pod = SimulatedPod(
            arguments.pod,
            seed=arguments.seed,
            faults=tuple(arguments.fault),
            scale=arguments.scale,
            platforms=dict(arguments.platform),
        )
    except (UnknownPodError, UnknownFaultError) as error:
        sys.stderr.write(f"fabric-audit: {error}\n")
        return USAGE
    os.umask(0o077)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if soft != resource.RLIM_INFINITY else soft, hard))
    with tempfile.TemporaryDirectory(prefix="fabric-audit-pod-") as folder:
        asyncio.run(_serve(pod, Path(folder), arguments.output, until))
    return 0


async def _serve(pod: SimulatedPod, folder: Path, output: str | None, until: TextIO | None) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(str(folder / "id_ed25519"))
    password = os.environ.get(PASSWORD_VARIABLE) or secrets.token_urlsafe(12)
    server = await serve(pod, folder, key.export_public_key().decode(), password)
    ports = dict(line.split() for line in (folder / "ports").read_text("utf-8").splitlines())
    numbers = {target: int(port) for target, port in ports.items()}
    text = inventory_text(pod.fabric, numbers, folder, user=USER, password_variable=PASSWORD_VARIABLE)
    path = Path(output) if output else folder / "inventory.yaml"
    path.write_text(text, "utf-8")
    sys.stdout.write(f"inventory {path}\n")
    sys.stdout.flush()
    if until is None:
        await asyncio.Event().wait()
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), until)
    await reader.read()
    server.close()


if __name__ == "__main__":
    sys.exit(main())

"""Many simulated SONiC switches behind SSH, in a process of their own: ``python -m benchmarks.served_switches``."""

import asyncio
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import asyncssh

from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.simulator.server import LOOPBACK, USER, serve

POD, LEAF = "clos-56x2", "leaf01"
"""A pod whose leaf has 64 ports."""
PASSWORD_VARIABLE = "FABRIC_AUDIT_BENCHMARK_PASSWORD"  # noqa: S105 - the name of a variable


@contextmanager
def served(count: int, folder: Path) -> Iterator[tuple[Path, list[int]]]:
    """Serve so many copies of the leaf; yields their inventory and their ports, and ends with the block."""
    os.environ[PASSWORD_VARIABLE] = secrets.token_urlsafe(12)
    argv = [sys.executable, "-m", "benchmarks.served_switches", str(count), str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdout
        assert child.stdin
        assert child.stdout.readline() == "ready\n"
        served_at = dict(line.split() for line in (folder / "ports").read_text("utf-8").splitlines())
        ports = [int(served_at[_name(number)]) for number in range(count)]
        yield _inventory(folder, ports), ports
        child.stdin.close()


def _inventory(folder: Path, ports: list[int]) -> Path:
    login = f"user: {USER}, known_hosts: {folder}/known_hosts, password: {{env: {PASSWORD_VARIABLE}}}"
    lines = ["fabric: benchmark", "policy: roce-lossless", "defaults:", f"  switches: {{{login}}}", "switches:"]
    for number, port in enumerate(ports):
        where = f"address: {LOOPBACK}, port: {port}"
        lines.append(f"  - {{name: {_name(number)}, {where}, platform: sonic, role: leaf}}")
    path = folder / "inventory.yaml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


class _Copies(SimulatedPod):
    """A pod with copies of its leaf, whose answers are made once: how fast that goes is not what is measured."""

    def __init__(self, count: int) -> None:
        super().__init__(POD, scale=0.0)
        leaf = self.fabric.switches[LEAF]
        self.fabric.switches.update({name: replace(leaf, name=name) for name in map(_name, range(count))})
        self._said: dict[str, str] = {}

    def cli(self, target: str, command: str) -> str:
        """What the leaf prints for one command."""
        del target
        if command not in self._said:
            self._said[command] = super().cli(LEAF, command)
        return self._said[command]


def _name(number: int) -> str:
    return f"switch{number:03d}"


async def _serve(count: int, folder: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    server = await serve(_Copies(count), folder, key, os.environ[PASSWORD_VARIABLE])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), Path(sys.argv[2])))

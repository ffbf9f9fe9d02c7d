"""One perftest run between two hosts, as a person would do it by hand."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .fabric import MESSAGE_BYTES
from .lab import Lab
from .requirements import LabError

_TCP_PORT = 18515
_GID = 1  # Soft-RoCE: 0 is the link-local address, 1 the IPv4 address
_TRIES = 3


@dataclass(frozen=True)
class Pair:
    """Who sends to whom."""

    client: str
    server: str


def send(lab: Lab, pair: Pair, seconds: int = 4, tool: str = "ib_write_bw") -> float:
    """Mbit/s of payload that the client measured.

    A perftest that could not make sense of its clock reports zero; that is no measurement, so it runs again.
    """
    for _ in range(_TRIES):
        with listening(lab, pair.server, tool, seconds):
            address = lab.fabric.host(pair.server).rail_address(0)
            output = lab.ssh(pair.client, f"{_command(lab, tool, seconds)} {address}", limit_s=seconds + 60)
        rate = _average(output)
        if rate:
            return rate
    raise LabError(f"{tool} measured nothing in {_TRIES} runs: {output}")


@contextmanager
def listening(lab: Lab, host: str, tool: str = "ib_write_bw", seconds: int = 4) -> Iterator[None]:
    """A server that takes one client; what is left of it afterwards is ended."""
    server = subprocess.Popen(
        lab.ssh_command(host, _command(lab, tool, seconds)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        lab.ssh(host, f"until grep -q ':{_TCP_PORT:04X} [0-9A-F:]* 0A ' /proc/net/tcp; do sleep 0.1; done")
        yield
        server.wait(timeout=20)
    finally:
        if server.poll() is None:
            lab.ssh(host, f"pkill {tool} || true")
            server.kill()
        server.wait()


def _command(lab: Lab, tool: str, seconds: int) -> str:
    options = f"-d {lab.fabric.device(0)} -x {_GID} -p {_TCP_PORT} -s {MESSAGE_BYTES} -D {seconds} -F --report_gbits"
    return f"timeout {seconds + 30} {tool} {options}"


def _average(output: str) -> float:
    """The fourth column of the row of results, in Mbit/s."""
    rows = [line.split() for line in output.splitlines() if line.split()[:1] == [str(MESSAGE_BYTES)]]
    if len(rows) != 1:
        raise LabError(f"no row of results: {output}")
    return float(rows[0][3]) * 1000

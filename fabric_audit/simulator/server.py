"""The pod behind real SSH: one server a target, on loopback, ports chosen by the kernel, keys made for the day."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncssh

from fabric_audit.simulator.pod import SimulatedPod

LOOPBACK = "127.0.0.1"
USER = "audit"
_SILENT = {
    "terminal length 0": "Pagination disabled.\n",
    "terminal width 511": "Width set to 511 columns.\n",
    "terminal width 32767": "Width set to 32767 columns.\n",
}
"""What EOS answers to the commands that netmiko's driver sends when a session opens."""


@dataclass(frozen=True, slots=True)
class Served:
    """Where a target listens."""

    target: str
    port: int
    host_key: str
    """Public key in OpenSSH form: what known_hosts should hold."""


class PodServer:
    """All SSH servers of one pod."""

    def __init__(self, pod: SimulatedPod, client_key: str, password: str) -> None:
        self._pod = pod
        self._client_key = asyncssh.import_authorized_keys(client_key)
        self._password = password
        self._servers: list[asyncio.Server | asyncssh.SSHAcceptor] = []

    async def start(self) -> list[Served]:
        """Open every target's port; a target that is down gets a port where nothing listens."""
        fabric = self._pod.fabric
        return [await self._serve(target) for target in (*fabric.hosts, *fabric.switches)]

    async def _serve(self, target: str) -> Served:
        key = asyncssh.generate_private_key("ssh-ed25519")
        shown = asyncssh.generate_private_key("ssh-ed25519")
        public = key.export_public_key().decode().strip()
        refusal = self._pod.fabric.refusals.get(target, "")
        if refusal in ("down", "silent"):
            quiet = await asyncio.start_server(_stay_silent, LOOPBACK, 0)
            port = quiet.sockets[0].getsockname()[1]
            if refusal == "down":
                quiet.close()
            else:
                self._servers.append(quiet)
            return Served(target, port, public)
        is_host = target in self._pod.fabric.hosts
        acceptor = await asyncssh.listen(
            LOOPBACK,
            0,
            server_host_keys=[shown if refusal == "host_key" else key],
            server_factory=lambda: _Login("" if refusal == "login" else self._password, is_host=is_host),
            authorized_client_keys=None if refusal == "login" or not is_host else self._client_key,
            process_factory=self._host(target) if is_host else self._switch(target),
            encoding=None if is_host else "utf-8",
            line_editor=False,
        )
        self._servers.append(acceptor)
        return Served(target, acceptor.get_port(), public)

    def _host(self, target: str) -> Any:
        async def run(process: "asyncssh.SSHServerProcess[bytes]") -> None:
            text, lines = await _script(process)
            async for kind, data in self._pod.answer(target, text, lines):
                if kind == "rc":
                    process.exit(int(data))
                    return
                (process.stdout if kind == "out" else process.stderr).write(bytes(data))
            process.exit(0)

        return run

    def _switch(self, target: str) -> Any:
        async def run(process: "asyncssh.SSHServerProcess[str]") -> None:
            prompt = self._pod.prompt(target)
            process.stdout.write(f"\r\n{prompt}")
            async for line in _typed(process):
                said = _SILENT.get(line.strip())
                if line.strip() in ("exit", "logout"):
                    break
                if said is None:
                    said = self._pod.cli(target, line) if line.strip() else ""
                process.stdout.write(f"{line}\r\n{said.replace(chr(10), chr(13) + chr(10))}{prompt}")
            process.exit(0)

        return run

    def close(self) -> None:
        """Close all ports."""
        for server in self._servers:
            server.close()


class _Login(asyncssh.SSHServer):
    """Switches take the password, hosts the key."""

    def __init__(self, password: str, *, is_host: bool) -> None:
        self._password = password
        self._is_host = is_host

    def password_auth_supported(self) -> bool:
        """Only switches."""
        return not self._is_host

    def validate_password(self, username: str, password: str) -> bool:
        """Compare with the pod's password."""
        return username == USER and bool(self._password) and password == self._password


async def _stay_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def _script(process: "asyncssh.SSHServerProcess[bytes]") -> tuple[str, Any]:
    """The script on stdin, up to its last line, and what still comes as lines."""
    text = ""
    while not re.search(r"^main\n", text, re.MULTILINE):
        line = await process.stdin.readline()
        if not line:
            break
        text += line.decode("utf-8", "replace")

    async def hear() -> str | None:
        try:
            line = await process.stdin.readline()
        except (asyncssh.BreakReceived, asyncssh.TerminalSizeChanged):
            return None
        return line.decode().rstrip("\n") if line else None

    return text, hear


async def _typed(process: "asyncssh.SSHServerProcess[str]") -> AsyncIterator[str]:
    """Lines typed on a terminal without an editor."""
    pending = ""
    while True:
        try:
            data = await process.stdin.read(4096)
        except asyncssh.TerminalSizeChanged:
            continue
        except asyncssh.BreakReceived:
            return
        if not data:
            return
        pending += data.replace("\r\n", "\n").replace("\r", "\n")
        while "\n" in pending:
            line, _, pending = pending.partition("\n")
            yield line


async def serve(pod: SimulatedPod, folder: Path, client_key: str, password: str) -> "PodServer":
    """Start all servers and write ``known_hosts`` into ``folder``."""
    server = PodServer(pod, client_key, password)
    served = await server.start()
    known = "".join(f"[{LOOPBACK}]:{one.port} {one.host_key}\n" for one in served)
    (folder / "known_hosts").write_text(known, "utf-8")
    (folder / "ports").write_text("".join(f"{one.target} {one.port}\n" for one in served), "utf-8")
    return server

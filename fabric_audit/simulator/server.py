"""The pod behind real SSH: one server a target, on loopback, ports chosen by the kernel, keys made for the day."""

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncssh

from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.simulator.terminal import Terminal

LOOPBACK = "127.0.0.1"
USER = "audit"


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
        self._logins: set[asyncssh.SSHServerConnection] = set()

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
            server_factory=lambda: _Login(self._logins, "" if refusal == "login" else self._password, is_host=is_host),
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
            terminal = Terminal(self._pod.fabric.switches[target], self._pod.prompt(target))
            keyboard = _Keyboard(process)
            process.stdout.write(terminal.greeting())
            while (line := await keyboard.line()) not in (None, "exit", "logout"):
                process.stdout.write(f"{line}\r\n")
                said = terminal.setup(line) if line else ""
                async for part, held in terminal.said(self._pod.cli(target, line) if said is None else said):
                    process.stdout.write(part)
                    if held:
                        await keyboard.key()
                process.stdout.write(terminal.prompt)
            process.exit(0)

        return run

    def close(self) -> None:
        """Close all ports, and the connections that are open."""
        for server in self._servers:
            server.close()
        for connection in tuple(self._logins):
            connection.abort()


class _Login(asyncssh.SSHServer):
    """Switches take the password, hosts the key."""

    def __init__(self, logins: set[asyncssh.SSHServerConnection], password: str, *, is_host: bool) -> None:
        self._logins = logins
        self._password = password
        self._is_host = is_host

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Keep count of it."""
        self._logins.add(conn)
        self._own = conn

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        del exc
        self._logins.discard(self._own)

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


class _Keyboard:
    """What is typed on a terminal without an editor."""

    def __init__(self, process: "asyncssh.SSHServerProcess[str]") -> None:
        self._process = process
        self._typed = ""

    async def line(self) -> str | None:
        """The next line; None when nothing more comes."""
        while "\n" not in self._typed:
            if not await self._more():
                return None
        line, _, self._typed = self._typed.partition("\n")
        return line.strip()

    async def key(self) -> None:
        """Wait for one key."""
        while not self._typed and await self._more():
            pass
        self._typed = self._typed[1:]

    async def _more(self) -> bool:
        try:
            data = await self._process.stdin.read(4096)
        except asyncssh.TerminalSizeChanged:
            return True
        except asyncssh.BreakReceived:
            return False
        self._typed += data.replace("\r\n", "\n").replace("\r", "\n")
        return bool(data)


async def serve(pod: SimulatedPod, folder: Path, client_key: str, password: str) -> "PodServer":
    """Start all servers and write ``known_hosts`` into ``folder``."""
    server = PodServer(pod, client_key, password)
    served = await server.start()
    known = "".join(f"[{LOOPBACK}]:{one.port} {one.host_key}\n" for one in served)
    (folder / "known_hosts").write_text(known, "utf-8")
    (folder / "ports").write_text("".join(f"{one.target} {one.port}\n" for one in served), "utf-8")
    return server

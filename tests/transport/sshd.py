"""SSH servers of the tests' own, on loopback, each as good or bad as a test wants it."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import asyncssh

ResultT = TypeVar("ResultT")
Process: TypeAlias = "asyncssh.SSHServerProcess[bytes]"
Behaviour: TypeAlias = Callable[[Process], Awaitable[None]]
LOOPBACK = "127.0.0.1"
USER = "ops"
WORD = "not-a-secret"


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _loop, _context: None)  # clients break off on purpose
        self._thread = threading.Thread(target=self._loop.run_forever, name="sshd", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def call(self, work: Callable[[], object]) -> None:
        """Something that only the loop's own thread may do."""

        async def called() -> None:
            work()

        self.run(called())

    def stop(self) -> None:
        self.run(_wound_up())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _wound_up() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0.1)  # transports close in a later turn of the loop


@dataclass(slots=True)
class Sshd:
    """One server. ``connections`` are all it ever had, ``logins`` how many got in, ``sessions`` how many run."""

    port: int
    key: asyncssh.SSHKey
    acceptor: Any
    connections: list[asyncssh.SSHServerConnection] = field(default_factory=list)
    logins: int = 0
    sessions: int = 0

    def close(self) -> None:
        """Called in the loop: end the port and everybody on it."""
        self.acceptor.close()
        for connection in self.connections:
            connection.abort()

    def known(self, port: int = 0) -> str:
        """Its line in known_hosts, under its own port or another."""
        return f"[{LOOPBACK}]:{port or self.port} {self.key.export_public_key().decode().strip()}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How a server treats who logs in."""

    key: bytes | None = None
    """Public key that it takes; None for none."""
    password: str = ""
    questions: str = ""
    """Answer to keyboard-interactive; empty: not offered."""
    sessions: int = 1000
    """Most sessions at once."""
    runs_commands: bool = True
    slow_auth_s: float = 0.0
    forwards: bool = False
    strict: bool = False
    """Takes one request for the login service, as asyncssh does, where OpenSSH takes one before each attempt."""
    breaks_off: bool = False
    """Breaks the connection in the middle of a login."""
    attempts: int = 20


class _Login(asyncssh.SSHServer):
    def __init__(self, manners: Manners, behaviour: Behaviour, sshd: list[Sshd]) -> None:
        self._manners = manners
        self._behaviour = behaviour
        self._sshd = sshd
        self._tries = 0
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._sshd[0].connections.append(conn)

    async def begin_auth(self, _username: str) -> bool:
        await asyncio.sleep(self._manners.slow_auth_s)
        if self._manners.breaks_off and self._connection:
            self._connection.abort()
        return True

    def auth_completed(self) -> None:
        self._sshd[0].logins += 1

    def password_auth_supported(self) -> bool:
        if self._connection and not self._manners.strict:
            self._connection._next_service = b"ssh-userauth"
        return bool(self._manners.password)

    def validate_password(self, username: str, password: str) -> bool:
        return self._allowed(username == USER and password == self._manners.password)

    def public_key_auth_supported(self) -> bool:
        return self._manners.key is not None

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return self._allowed(username == USER and key.export_public_key() == self._manners.key)

    def kbdint_auth_supported(self) -> bool:
        return bool(self._manners.questions)

    def get_kbdint_challenge(self, *_: str) -> Any:
        return "Two steps", "", "", [("User: ", True), ("Password: ", False)]

    def validate_kbdint_response(self, _username: str, responses: Any) -> bool:
        return self._allowed(list(responses) == ["", self._manners.questions])

    def connection_requested(self, *_: str | int) -> bool:
        return self._manners.forwards

    def session_requested(self) -> Any:
        if self._sshd[0].sessions >= self._manners.sessions:
            return False
        return _Session(self._counted, None, 3, allow_scp=False, runs_commands=self._manners.runs_commands)

    async def _counted(self, process: Process) -> None:
        self._sshd[0].sessions += 1
        try:
            await self._behaviour(process)
        finally:
            self._sshd[0].sessions -= 1

    def _allowed(self, right: bool) -> bool:
        self._tries += 1
        if not right and self._tries >= self._manners.attempts and self._connection:
            self._connection.disconnect(2, "Too many authentication failures")
        return right


class _Session(asyncssh.SSHServerProcess[bytes]):
    def __init__(self, *arguments: Any, runs_commands: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._runs_commands = runs_commands

    def exec_requested(self, command: str) -> bool:
        return self._runs_commands and super().exec_requested(command)


async def listen(manners: Manners, behaviour: Behaviour, algorithm: str = "ssh-ed25519", port: int = 0) -> Sshd:
    """Start a server."""
    holder: list[Sshd] = []
    key = asyncssh.generate_private_key(algorithm)
    acceptor = await asyncssh.listen(
        LOOPBACK,
        port,
        server_host_keys=[key],
        server_factory=lambda: _Login(manners, behaviour, holder),
        encoding=None,
        line_editor=False,
    )
    holder.append(Sshd(acceptor.get_port(), key, acceptor))
    return holder[0]


async def shell(process: Process) -> None:
    """A real shell carries the command out."""
    child = await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        process.command or "exit 3",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    feeding = asyncio.create_task(_pump(process.stdin, child.stdin))
    try:
        await asyncio.gather(_copy(child.stdout, process.stdout), _copy(child.stderr, process.stderr))
        process.exit(await child.wait())
    finally:
        feeding.cancel()
        if child.returncode is None:
            child.kill()
            await child.wait()


def says(text: bytes, then: Callable[[Process], Awaitable[None]]) -> Behaviour:
    """Print, then do something else."""

    async def behave(process: Process) -> None:
        process.stdout.write(text)
        await process.stdout.drain()
        await asyncio.sleep(0.1)
        await then(process)

    return behave


async def silence(_process: Process) -> None:
    await asyncio.sleep(3600)


async def cut(process: Process) -> None:
    """The connection breaks, without a word."""
    process.channel.get_connection().abort()
    await asyncio.sleep(0)


async def raw(words: bytes, port: int = 0) -> Any:
    """A TCP server that says something of its own and then stays silent."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(words)
        try:
            await reader.read()
            await asyncio.sleep(3600)
        finally:
            writer.close()

    return await asyncio.start_server(answer, LOOPBACK, port)


async def dropping(times: int, to_port: int) -> Any:
    """A TCP server that closes the first connections without a word and leads the later ones to another port."""
    left = times

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal left
        if left:
            left -= 1
            writer.close()
            return
        there_reader, there_writer = await asyncio.open_connection(LOOPBACK, to_port)
        await asyncio.gather(_pump(reader, there_writer), _pump(there_reader, writer))

    return await asyncio.start_server(answer, LOOPBACK, 0)


async def _pump(reader: Any, writer: Any) -> None:
    await _copy(reader, writer)
    writer.close()


async def _copy(reader: Any, writer: Any) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()

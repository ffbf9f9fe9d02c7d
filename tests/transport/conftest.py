"""What the tests of the transport share: a loop for servers, a key, and ways to log in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from fabric_audit.inventory.model import Host, Login, Secret, Switch
from fabric_audit.transport.dialler import Dialler, Timeouts
from fabric_audit.transport.endpoints import UserConfig
from fabric_audit.transport.host_ssh import HostSsh
from fabric_audit.transport.hostkeys import KnownHosts
from fabric_audit.transport.secrets import Secrets
from tests.transport.sshd import LOOPBACK, USER, Behaviour, Loop, Manners, Sshd, listen, shell

QUICK = Timeouts(connect_s=2.0, banner_s=0.5, auth_s=0.5, channel_s=1.0, retries=0)
PATIENT = Timeouts(connect_s=5.0, banner_s=5.0, auth_s=5.0, channel_s=5.0, retries=2)


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.stop()


@dataclass
class Bench:
    """One test's servers and the ways to them; everything it opened is closed at its end."""

    loop: Loop
    folder: Path
    key: asyncssh.SSHKey = field(default_factory=lambda: asyncssh.generate_private_key("ssh-ed25519"))
    _servers: list[Any] = field(default_factory=list)
    _closers: list[Callable[[], None]] = field(default_factory=list)

    @property
    def key_file(self) -> str:
        path = self.folder / "id_ed25519"
        if not path.exists():
            path.write_bytes(self.key.export_private_key())
            path.chmod(0o600)
        return str(path)

    @property
    def public(self) -> bytes:
        return self.key.export_public_key()

    def serve(self, behaviour: Behaviour = shell, *, algorithm: str = "ssh-ed25519", port: int = 0, **how: Any) -> Sshd:
        how.setdefault("key", self.public)
        sshd = self.loop.run(listen(Manners(**how), behaviour, algorithm, port))
        self._servers.append(sshd)
        return sshd

    def keep(self, server: Any) -> Any:
        self._servers.append(server)
        return server

    def known(self, *servers: Sshd) -> str:
        path = self.folder / "known_hosts"
        path.write_text("".join(server.known() for server in servers), "utf-8")
        return str(path)

    def login(self, port: int, **more: Any) -> Login:
        more.setdefault("known_hosts", str(self.folder / "known_hosts"))
        more.setdefault("identity_file", self.key_file)
        return Login(**{"address": LOOPBACK, "port": port, "user": USER, **more})

    def host(self, port: int, **more: Any) -> Host:
        return Host(name="gpu001", login=self.login(port, **more))

    def switch(self, port: int, platform: str, **more: Any) -> Switch:
        more.setdefault("password", Secret("env", "TEST_SWITCH_WORD"))
        return Switch(name="leaf01", login=self.login(port, identity_file=None, **more), platform=platform)

    def dialler(self, timeouts: Timeouts = PATIENT, *, accept_new: bool = False) -> Dialler:
        made = Dialler(KnownHosts(accept_new=accept_new), Secrets(), timeouts)
        self._closers.append(made.close)
        return made

    def config(self, text: str = "") -> UserConfig:
        path = self.folder / "ssh_config"
        path.write_text(text, "utf-8")
        return UserConfig(path)

    def ssh(self, timeouts: Timeouts = PATIENT, *, accept_new: bool = False, config: str = "") -> HostSsh:
        return HostSsh(self.dialler(timeouts, accept_new=accept_new), self.config(config))

    def at_end(self, close: Callable[[], None]) -> None:
        self._closers.append(close)

    def close(self) -> None:
        for close in reversed(self._closers):
            close()
        for server in self._servers:
            self.loop.call(server.close)


@pytest.fixture
def bench(loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    made = Bench(loop, tmp_path)
    yield made
    made.close()

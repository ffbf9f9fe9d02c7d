"""Start, find again and stop a lab."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from .access import write_access
from .fabric import SWITCH_ADDRESS, SWITCH_NAME, Fabric, Host
from .image import Image, obtain_image
from .keys import new_key
from .machine import Process, boot, console_of, messages_of
from .requirements import CannotRunError, LabError, require_to_run
from .seed import write_seed

_BOOT_LIMIT_S = 180  # eight hosts take about 20 s on two idle cores, sixteen about 30 s
_TRIES = 3  # with two emulated CPUs about one boot in fourteen panics early, in the kernel's self-patching
_RECORD = "lab.json"
_READY = "lab: ready"
_TEMPORARY = "softroce."


class GuestDiedError(LabError):
    """The machine ended while it booted."""


@dataclass(frozen=True)
class Lab:
    """A running lab. Everything it has on disk is in ``folder``.

    Attributes:
        folder: keys, ``known_hosts``, ``ssh_config``, console; readable by its owner alone.
        fabric: what was started.
        port: SSH port of every host, at the host's address.
        machine: its qemu.
    """

    folder: Path
    fabric: Fabric
    port: int
    machine: Process

    @property
    def identity_file(self) -> Path:
        return self.folder / "id_ed25519"

    @property
    def known_hosts(self) -> Path:
        return self.folder / "known_hosts"

    def ssh(self, host: str, command: str, *, user: str = "root", limit_s: float = 60) -> str:
        """Run a shell command on a host (or the switch) and return its output; LabError if it fails."""
        done = self.ssh_unchecked(host, command, user=user, limit_s=limit_s)
        if done.returncode:
            raise LabError(f"{host}: `{command}` ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def ssh_unchecked(
        self, host: str, command: str, *, user: str = "root", limit_s: float = 60
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.ssh_command(host, command, user=user), check=False, capture_output=True, text=True, timeout=limit_s
        )

    def ssh_command(self, host: str, command: str, *, user: str = "root") -> list[str]:
        """For callers who want the process: OpenSSH's client, strict about host keys, never asking."""
        return ["ssh", "-n", "-F", str(self.folder / "ssh_config"), "-l", user, host, command]

    def on_switch(self, *commands: str) -> str:
        """Run shell commands in the guest's first namespace, where the switch is; the first that fails ends them."""
        return self.ssh(SWITCH_NAME, "\n".join(("set -e", *commands)))

    def stop(self) -> None:
        """End the machine and delete the folder; stopping twice is no error."""
        self.machine.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def start(fabric: Fabric, folder: Path, *, port: int = 0, image: Image | None = None, outlive: bool = True) -> Lab:
    """Start a lab and wait until every host answers.

    Args:
        fabric: which hosts.
        folder: made by this call; a lab that is there already is an error.
        port: SSH port; 0 takes one that is free at all addresses.
        image: what to boot; default the cached one, built if absent.
        outlive: whether the lab goes on when the calling thread ends.

    Raises:
        CannotRunError: this machine lacks something.
        LabError: it should have worked.
    """
    require_to_run()
    image = image or obtain_image()
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        raise LabError(f"{folder} already exists: stop the lab there first, or name another folder") from None
    try:
        return _start_patiently(fabric, folder, port, image, outlive=outlive)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _start_patiently(fabric: Fabric, folder: Path, port: int, image: Image, *, outlive: bool) -> Lab:
    for _ in range(_TRIES - 1):
        with contextlib.suppress(GuestDiedError):
            return _start_once(fabric, folder, port or _free_port(fabric), image, outlive=outlive)
    return _start_once(fabric, folder, port or _free_port(fabric), image, outlive=outlive)


@contextmanager
def running(fabric: Fabric, folder: Path | None = None, *, port: int = 0) -> Iterator[Lab]:
    """A lab for the length of a ``with`` block, and no longer, whatever ends it."""
    with contextlib.ExitStack() as stack:
        if folder is None:
            _sweep()
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=_TEMPORARY))) / "lab"
        lab = start(fabric, folder, port=port, outlive=False)
        stack.callback(lab.stop)
        yield lab


def _sweep() -> None:
    """Delete the temporary folders that killed runs left: those whose machine is gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_TEMPORARY}*/lab"):
        with contextlib.suppress(LabError, OSError, ValueError):
            if not find(folder).machine.alive:
                shutil.rmtree(folder.parent)


def find(folder: Path) -> Lab:
    """The lab that was started in ``folder``; LabError if there is none."""
    try:
        record = json.loads((folder / _RECORD).read_text(encoding="ascii"))
    except FileNotFoundError:
        raise LabError(f"no lab in {folder}") from None
    hosts = tuple(Host(**host) for host in record["fabric"].pop("hosts"))
    fabric = Fabric(hosts, **record["fabric"])
    return Lab(folder, fabric, record["port"], Process(**record["machine"]))


def _start_once(fabric: Fabric, folder: Path, port: int, image: Image, *, outlive: bool) -> Lab:
    user_key = new_key()
    sshd_keys = {name: new_key() for name in (SWITCH_NAME, *(host.name for host in fabric.hosts))}
    write_access(folder, fabric, port, user_key, sshd_keys)
    seed = folder / "seed.tar"
    write_seed(seed, fabric, user_key, sshd_keys)
    machine = boot(image, seed, fabric, port, outlive=outlive)
    try:
        record = {"fabric": asdict(fabric), "port": port, "machine": asdict(machine)}
        (folder / _RECORD).write_text(json.dumps(record, indent=1), encoding="ascii")
        lab = Lab(folder, fabric, port, machine)
        _wait_until_ready(lab, seed)
    except BaseException:
        machine.end()
        raise
    return lab


def _wait_until_ready(lab: Lab, seed: Path) -> None:
    deadline = time.monotonic() + _BOOT_LIMIT_S
    silent = [SWITCH_ADDRESS, *(host.address for host in lab.fabric.hosts)]
    while silent or _READY not in _tail(console_of(seed)):
        if not lab.machine.alive:
            raise GuestDiedError(f"the guest died: {_tail(messages_of(seed))} {_tail(console_of(seed))}")
        if time.monotonic() > deadline:
            raise LabError(f"not ready after {_BOOT_LIMIT_S} s, silent: {silent}: {_tail(console_of(seed))}")
        _refuse_faults(console_of(seed))
        silent = [address for address in silent if not _greets(address, lab.port)]
        time.sleep(0.2)
    _refuse_faults(console_of(seed))


def _refuse_faults(console: Path) -> None:
    words = [line for line in _tail(console).splitlines() if line.startswith("lab:") and line != _READY]
    if words:
        raise LabError(f"the guest is incomplete: {'; '.join(words)}\n{_tail(console)}")


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-4000:].strip() if log.exists() else ""


def _greets(address: str, port: int) -> bool:
    """Whether an sshd is there: qemu takes a connection long before anyone listens in the guest."""
    try:
        with socket.create_connection((address, port), timeout=2) as connection:
            return connection.recv(4) == b"SSH-"
    except OSError:
        return False


def _free_port(fabric: Fabric) -> int:
    """A port that no one has at any of the lab's addresses."""
    addresses = [SWITCH_ADDRESS, *(host.address for host in fabric.hosts)]
    for _ in range(20):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            port = 0
            for address in addresses:
                listener = stack.enter_context(socket.socket())
                listener.bind((address, port))
                port = listener.getsockname()[1]
            return int(port)
    raise CannotRunError("no port is free at all of 127.0.1.1 to 127.0.1.16")


def default_folder() -> Path:
    """Where a lab started by hand keeps its state."""
    base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    return Path(base) / f"fabric-audit-softroce-{os.getuid()}"

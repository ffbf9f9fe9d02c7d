"""The one qemu process of a lab: its command line, its life, and its identity after this program is gone."""

import contextlib
import os
import select
import signal
from dataclasses import dataclass
from pathlib import Path

from .fabric import GUEST_PORT, SWITCH_ADDRESS, SWITCH_GUEST_ADDRESS, Fabric
from .image import Image

_KERNEL_OPTIONS = (
    # Any oops ends the guest at once; the lab then starts another.
    *("console=ttyS0", "quiet", "oops=panic", "panic=-1"),
    # The emulated CPU needs no mitigations, and its clock is the host's.
    *("mitigations=off", "nokaslr", "tsc=reliable", "net.ifnames=0"),
)
_GRACE_S = 5


@dataclass(frozen=True)
class Process:
    """A process that cannot be mistaken for a later one with the same number.

    Attributes:
        pid: process number.
        started: field 22 of ``/proc/PID/stat``: clock ticks after boot (proc_pid_stat(5)).
    """

    pid: int
    started: int

    @classmethod
    def of(cls, pid: int) -> "Process":
        """Raises ProcessLookupError if there is none."""
        return cls(pid, _start_time(pid))

    @property
    def alive(self) -> bool:
        try:
            return _start_time(self.pid) == self.started and _state(self.pid) not in "ZX"
        except ProcessLookupError:
            return False

    def end(self) -> None:
        """Ask, then insist; returns when the process is over. Ending what is over is no error."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return
        try:
            for order in (signal.SIGTERM, signal.SIGKILL):
                if not self.alive:
                    return
                signal.pidfd_send_signal(handle, order)
                select.select([handle], [], [], _GRACE_S)
        finally:
            os.close(handle)
            _reap(self.pid)


def _stat(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        raise ProcessLookupError(pid) from None
    return text.rpartition(")")[2].split()  # from field 3 on: the name in field 2 may hold anything


def _state(pid: int) -> str:
    return _stat(pid)[0]


def _start_time(pid: int) -> int:
    return int(_stat(pid)[19])


def _reap(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def boot(image: Image, seed: Path, fabric: Fabric, port: int, *, outlive: bool) -> Process:
    """Start a machine whose console and messages are files beside its ``seed`` disk.

    Args:
        image: what it boots; several machines may share it.
        seed: the lab's disk for this machine.
        fabric: decides memory and the forwarded SSH ports.
        port: SSH port at every host's address.
        outlive: False ties the machine to the calling thread: should that die, however it dies, so does qemu.
    """
    tie = [] if outlive else ["setpriv", "--pdeathsig", "KILL", "--"]
    command = [*tie, *_command(image, seed, fabric, port)]
    pid = os.posix_spawnp(
        command[0],
        command,
        {**os.environ, "TMPDIR": str(seed.parent)},  # snapshot=on keeps what the guest writes there, unlinked
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, messages_of(seed), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
    return Process.of(pid)


def console_of(seed: Path) -> Path:
    return seed.with_name("console.log")


def messages_of(seed: Path) -> Path:
    return seed.with_name("qemu.log")


def _command(image: Image, seed: Path, fabric: Fabric, port: int) -> list[str]:
    addresses = [(host.address, host.guest_address) for host in fabric.hosts]
    forwards = "".join(
        f",hostfwd=tcp:{outside}:{port}-{inside}:{GUEST_PORT}"
        for outside, inside in [*addresses, (SWITCH_ADDRESS, SWITCH_GUEST_ADDRESS)]
    )
    return [
        # Instructions beyond this plain model are emulated slower than the code that does without them.
        *("qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,thread=multi", "-cpu", "qemu64"),
        *("-smp", "2", "-m", str(_memory_mb(fabric)), "-nodefaults", "-no-user-config"),
        *("-display", "none", "-no-reboot", "-serial", f"file:{console_of(seed)}"),
        *("-kernel", str(image.kernel), "-initrd", str(image.initrd), "-append", " ".join(_KERNEL_OPTIONS)),
        *("-drive", f"file={image.root_disk},format=raw,if=virtio,snapshot=on"),
        *("-drive", f"file={seed},format=raw,if=virtio,readonly=on"),
        *("-device", "virtio-rng-pci"),
        *("-netdev", f"user,id=management,restrict=on{forwards}", "-device", "virtio-net-pci,netdev=management"),
    ]


def _memory_mb(fabric: Fabric) -> int:
    """Eight hosts used 0.2 GB at rest; RDMA buffers and page cache want room above that."""
    return 512 + 128 * len(fabric.hosts)

"""The lab's disk: a tar file that tells one guest what to become (scripts, layout, keys)."""

import io
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from .fabric import SWITCH_NAME, Fabric, Host, host_commands, switch_commands
from .keys import KeyPair
from .recipe import GUEST, Recipe
from .shaping import healthy_commands

_HOST_KEY = "ssh_host_ed25519_key"


def write_seed(path: Path, fabric: Fabric, user_key: KeyPair, sshd_keys: Mapping[str, KeyPair]) -> None:
    """Write the disk of one guest; ``sshd_keys`` are by host name and include the switch's."""
    with tarfile.open(path, "w") as disk:
        for script in sorted((GUEST / "seed").iterdir()):
            _add(disk, script.name, script.read_text(encoding="ascii"), 0o755)
        for name, text in _files(fabric, user_key, sshd_keys).items():
            _add(disk, name, text, 0o600 if name.endswith(_HOST_KEY) else 0o644)


def _files(fabric: Fabric, user_key: KeyPair, sshd_keys: Mapping[str, KeyPair]) -> dict[str, str]:
    devices = " ".join(fabric.device(rail) for rail in range(fabric.rails))
    files = {
        "modules": _lines(Recipe().run_modules),
        "hosts": _lines(f"{host.name} {devices}" for host in fabric.hosts),
        "names": _lines(["127.0.0.1 localhost", *(f"{host.rail_address(0)} {host.name}" for host in fabric.hosts)]),
        "authorized_keys": f"{user_key.public} lab\n",
        "switch.ip": _lines(switch_commands(fabric)),
        "shape": _lines(healthy_commands(fabric)),
        f"{SWITCH_NAME}/{_HOST_KEY}": sshd_keys[SWITCH_NAME].private,
    }
    for host in fabric.hosts:
        files[f"{host.name}/ip"] = _lines(host_commands(fabric, host))
        files[f"{host.name}/alter"] = _lines(_alterations(host))
        files[f"{host.name}/{_HOST_KEY}"] = sshd_keys[host.name].private
    return files


def _alterations(host: Host) -> list[str]:
    """Shell commands, run in the host's future root folder, for what sets this host apart."""
    commands = [f"sed -i 's,:/bin/bash$,:{host.shell},' etc/passwd"] if host.shell != Host.shell else []
    if not host.perftest:
        commands.append("rm -f usr/bin/ib_*_bw usr/bin/ib_*_lat usr/bin/raw_ethernet_*")
    return commands


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _add(disk: tarfile.TarFile, name: str, text: str, mode: int) -> None:
    content = text.encode("ascii")
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    disk.addfile(entry, io.BytesIO(content))

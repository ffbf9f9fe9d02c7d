"""The files by which others reach a lab: key, known_hosts, ssh_config, and an inventory for fabric-audit."""

from collections.abc import Mapping
from pathlib import Path

from .fabric import SWITCH_ADDRESS, SWITCH_NAME, Fabric
from .keys import KeyPair, known_host

_SSH_CONFIG = """\
Host *
    User root
    Port {port}
    IdentityFile {folder}/id_ed25519
    IdentitiesOnly yes
    UserKnownHostsFile {folder}/known_hosts
    GlobalKnownHostsFile none
    StrictHostKeyChecking yes
    BatchMode yes
    LogLevel ERROR
"""


def write_access(folder: Path, fabric: Fabric, port: int, user_key: KeyPair, sshd_keys: Mapping[str, KeyPair]) -> None:
    """Write all of them into ``folder``."""
    places = {SWITCH_NAME: SWITCH_ADDRESS} | {host.name: host.address for host in fabric.hosts}
    identity = folder / "id_ed25519"
    identity.touch(mode=0o600)
    identity.write_text(user_key.private, encoding="ascii")
    (folder / "known_hosts").write_text(
        "".join(known_host(places[name], port, key) for name, key in sshd_keys.items()), encoding="ascii"
    )
    (folder / "ssh_config").write_text(
        "".join(f"Host {name}\n    HostName {address}\n" for name, address in places.items())
        + _SSH_CONFIG.format(folder=folder, port=port),
        encoding="ascii",
    )

"""The ordinary inventory that leads to a simulated pod."""

from collections.abc import Mapping
from pathlib import Path

from fabric_audit.errors import UsageError
from fabric_audit.simulator.cabling import USUAL, UnknownPodError, build
from fabric_audit.simulator.fabric import Fabric


def planned_text(pod: str, platforms: Mapping[str, str] = USUAL) -> str:
    """The inventory of a pod that is not running, for plans; ``platforms`` says what its switches run.

    Raises:
        UsageError: no such pod, switch or operating system.
    """
    try:
        fabric = build(pod, platforms)
    except UnknownPodError as error:
        raise UsageError(f"simulated pod: {error}") from None
    ports = {target: number for number, target in enumerate((*fabric.hosts, *fabric.switches), 1024)}
    return inventory_text(fabric, ports, Path("~/.ssh"), user="audit", password_variable="UNUSED")  # noqa: S106 - a name


def inventory_text(fabric: Fabric, ports: dict[str, int], folder: Path, *, user: str, password_variable: str) -> str:
    """An inventory in YAML: every host and switch on its loopback port."""
    hosts = list(fabric.hosts.values())
    login = f"user: {user}, known_hosts: {folder}/known_hosts"
    nics = [
        f"      - {{rail: {nic.rail}, device: {nic.device}, netdev: {nic.netdev}, speed: 400G}}"
        for nic in hosts[0].nics
    ]
    lines = [
        f"fabric: {fabric.pod}",
        "policy: roce-lossless",
        f"wiring: {fabric.wiring}",
        "defaults:",
        f"  hosts: {{{login}, identity_file: {folder}/id_ed25519}}",
        f"  switches: {{{login}, password: {{env: {password_variable}}}}}",
        "models:",
        "  simulated-host:",
        f"    gpus: {hosts[0].gpus}",
        f"    nvlink: {hosts[0].nvlinks}",
        "    nics:",
        *nics,
        "hosts:",
    ]
    for host in hosts:
        where = f"address: 127.0.0.1, port: {ports[host.name]}"
        lines.append(f"  - {{name: {host.name}, {where}, model: simulated-host}}")
    lines.append("switches:")
    for switch in fabric.switches.values():
        where = f"address: 127.0.0.1, port: {ports[switch.name]}"
        lines.append(f"  - {{name: {switch.name}, {where}, platform: {switch.platform}, role: {switch.role}}}")
    lines.append("traffic: {mode: tournament, tools: [ib_write_bw, ib_send_bw], memory: [host, gpu]}")
    return "\n".join(lines) + "\n"

"""The inventory of a lab, as a user of fabric-audit would write it."""

from .fabric import MESSAGE_BYTES, rail_interface
from .lab import Lab


def inventory_text(lab: Lab, *, user: str = "root", policy: str = "roce-lossless", duration_s: int = 5) -> str:
    """Every host on its loopback address; no switch, because the lab's has no management that the tool knows.

    One queue pair: with more, Soft-RoCE keeps so many packets on the way that acknowledgements come too late.
    """
    login = f"user: {user}, port: {lab.port}, identity_file: {lab.identity_file}, known_hosts: {lab.known_hosts}"
    speed = f"{lab.fabric.rate_mbit:g}M"
    nics = (
        f"{{rail: {rail}, device: {lab.fabric.device(rail)}, netdev: {rail_interface(rail)}, speed: {speed}}}"
        for rail in range(lab.fabric.rails)
    )
    return "\n".join(
        [
            "fabric: softroce-lab",
            f"policy: {policy}",
            "wiring: free",
            f"defaults: {{hosts: {{{login}}}}}",
            "models:",
            f"  softroce: {{gpus: 0, nics: [{', '.join(nics)}]}}",
            "hosts:",
            *(f"  - {{name: {host.name}, address: {host.address}, model: softroce}}" for host in lab.fabric.hosts),
            "traffic:",
            "  {mode: tournament, tools: [ib_write_bw, ib_send_bw], memory: [host],",
            f"   size: {MESSAGE_BYTES}, qps: 1, duration: {duration_s}s}}",
            "",
        ]
    )

"""NICs that share a subnet answer ARP for their own address alone.

Why: Linux answers ARP for any address of the host on any interface. With two NICs in one subnet a peer learns one NIC's
address behind another's MAC (ARP flux): rails mix, one NIC carries two rails' traffic, the other none.

Fix: sysctl net.ipv4.conf.IF.arp_ignore=1 (or 2), arp_announce=2, rp_filter=2 (or 0); or give each rail its own subnet.

Source: Linux Documentation/networking/ip-sysctl.rst: the greater of `all` and the interface's own value holds for
arp_ignore, arp_announce and rp_filter.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fabric_audit.checks.addressing.nics import End, addressed, sharing_subnets
from fabric_audit.checks.folding import by_target
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import rows
from fabric_audit.checks.silence import skipped, unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.NICS
RESTS_ON = ("kernel_setting", "address", "fabric_port")
RIGHT = {"arp_ignore": (1, 2), "arp_announce": (2,), "rp_filter": (0, 2)}


def check(address: "pd.DataFrame", kernel_setting: "pd.DataFrame", fabric_port: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a compute NIC."""
    sharing = sharing_subnets(addressed(address, fabric_port))
    values = {(row.target, row.name): row.value for row in rows(kernel_setting)}
    ends = [(port.target, port.port) for port in rows(fabric_port, side="nic")]
    yield from by_target(
        (
            _judged(end, values)
            if end[0] in sharing
            else skipped(end, "no two compute NICs of this host share a subnet")
            for end in ends
        ),
        "compute NICs",
    )


def _judged(end: End, values: Mapping[tuple[str, str], str | None]) -> Finding:
    found = {name: _in_force(end, name, values) for name in RIGHT}
    wrong = {name: value for name, value in found.items() if value is not None and value not in RIGHT[name]}
    if not wrong and None in found.values():
        return unknown(end, "how it answers ARP is not known")
    words = ", ".join(f"{name}={value}" for name, value in (wrong or found).items() if value is not None)
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=end,
        message=f"shares a subnet with another NIC of its host, and has {words}",
        expected="arp_ignore 1 or 2, arp_announce 2, rp_filter 0 or 2",
        observed=words,
        remedy="set " + ", ".join(f"{name}={RIGHT[name][-1]}" for name in wrong) if wrong else "",
        remedy_source="Linux Documentation/networking/ip-sysctl.rst",
        reproduce=f"sysctl net.ipv4.conf.{end[1]}.arp_ignore",
    )


def _in_force(end: End, name: str, values: Mapping[tuple[str, str], str | None]) -> int | None:
    told = [values.get((end[0], f"net.ipv4.conf.{port}.{name}")) for port in ("all", end[1])]
    numbers = [int(value) for value in told if value is not None and value.isdecimal()]
    return max(numbers) if len(numbers) == len(told) else None

"""Growth of counters by port of the RDMA fabric."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from fabric_audit.analysis.growth import Growth, growths
from fabric_audit.checks.rows import rows

if TYPE_CHECKING:
    import pandas as pd

READ_ONCE = "its counters were read once; with traffic or --observe they are read twice"
"""Why a port is not judged by growth."""

End: TypeAlias = tuple[str, str]


def by_port(
    counter: "pd.DataFrame", classes: Iterable[str], fabric_port: "pd.DataFrame", rdma_port: "pd.DataFrame"
) -> dict[End, list[Growth]]:
    """(target, port) of the fabric → growth of its counters of these classes, an RDMA device's under its interface.

    A port that was read once only is not in it: one reading says nothing of growth.
    """
    ports = {(row.target, row.port) for row in rows(fabric_port)}
    netdevs = {(row.target, row.device): row.netdev for row in rows(rdma_port)}
    found: dict[End, list[Growth]] = {}
    for one in growths(counter, classes):
        port = netdevs.get((one.target, one.port.split("/")[0]), one.port)
        if (one.target, port) in ports:
            found.setdefault((one.target, port), []).append(one)
    return found


def summed(signs: Iterable[Growth]) -> str:
    """What grew by how much over the whole capture, in words."""
    total: dict[str, int] = {}
    for sign in signs:
        total[sign.name] = total.get(sign.name, 0) + (sign.delta.value or 0)
    return ", ".join(f"{name} {value}" for name, value in sorted(total.items()))

"""What modules tell of the ports of the RDMA fabric."""

from typing import TYPE_CHECKING, Any

from fabric_audit.checks.rows import rows

if TYPE_CHECKING:
    import pandas as pd


def modules_of(transceiver: "pd.DataFrame", rdma_port: "pd.DataFrame") -> dict[tuple[str, str], Any]:
    """(target, port) → its module as it was read last; what a tool tells of an RDMA device is of its interface."""
    netdevs = {(row.target, row.device): row.netdev for row in rows(rdma_port)}
    found: dict[tuple[str, str], Any] = {}
    for row in rows(transceiver):
        found[row.target, netdevs.get((row.target, row.port.split("/")[0]), row.port)] = row
    return found

"""PCI functions of compute NICs and GPUs, and the bridges above them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.rows import rows

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Tree:
    """Every PCI function by (host, address)."""

    functions: Mapping[tuple[str, str], Any]

    def get(self, host: str, address: str | None) -> Any:
        """A function, None where it is not known."""
        return self.functions.get((host, address or ""))

    def above(self, host: str, address: str | None) -> list[str]:
        """Bridges above a function, nearest first; each once, whatever the facts say."""
        found: list[str] = []
        at = self.get(host, address)
        while at is not None and at.upstream is not None and at.upstream not in found:
            found.append(at.upstream)
            at = self.get(host, at.upstream)
        return found

    def slot(self, host: str, address: str | None) -> Any:
        """The bridge right above a function."""
        here = self.get(host, address)
        return None if here is None else self.get(host, here.upstream)


def tree(pci_device: "pd.DataFrame") -> Tree:
    """The functions of all hosts."""
    return Tree({(row.target, row.address): row for row in rows(pci_device)})


def nics(
    fabric_port: "pd.DataFrame", rdma_port: "pd.DataFrame", rdma_device: "pd.DataFrame"
) -> Iterator[tuple[tuple[str, str], str | None]]:
    """((host, interface), PCI address) of every compute NIC; None where the address is not known."""
    devices = {(row.target, row.netdev): row.device for row in rows(rdma_port) if row.netdev}
    addresses = {(row.target, row.device): row.pci for row in rows(rdma_device)}
    for port in rows(fabric_port, side="nic"):
        end = (port.target, port.port)
        yield end, addresses.get((port.target, devices.get(end, "")))

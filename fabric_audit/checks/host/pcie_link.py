"""Compute NICs and GPUs have the PCIe lanes and speed that card and slot can do together.

Why: a 400G NIC needs sixteen lanes of PCIe 5.0. A card that trained at eight lanes, or a generation lower, carries
half: the network link is up at 400G, every transfer of that GPU takes twice as long, and the NIC pauses the fabric.

Fix: reseat the card and its riser; look for `bandwidth` lines in dmesg; BIOS: slot bifurcation and link speed; replace
the riser. A card in a slot of a lower generation is as fast as the slot: move it.

Source: PCI Express Base 7.5.3 (LnkCap, LnkSta). What is expected is the lesser of the function's and the slot's best.
GPUs lower the speed of an idle link, so that of them only lanes are judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.folding import by_target
from fabric_audit.checks.host.functions import Tree, nics, tree
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.HOSTS
RESTS_ON = ("pci_device", "fabric_port")


def check(
    pci_device: "pd.DataFrame",
    rdma_device: "pd.DataFrame",
    rdma_port: "pd.DataFrame",
    gpu: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
) -> Iterator[Finding]:
    """One finding a compute NIC and a GPU."""
    functions = tree(pci_device)
    found = [_judged(end, functions, address, speed=True) for end, address in nics(fabric_port, rdma_port, rdma_device)]
    found += [_judged((row.target, f"GPU{row.gpu}"), functions, row.pci, speed=False) for row in rows(gpu)]
    yield from by_target(found, "NICs and GPUs")


def _judged(subject: tuple[str, str], functions: Tree, address: str | None, *, speed: bool) -> Finding:
    row, slot = functions.get(subject[0], address), functions.slot(subject[0], address)
    if (
        row is None
        or row.width is None
        or row.max_width is None
        or (speed and None in (row.speed_gts, row.max_speed_gts))
    ):
        return unknown(subject, "its PCIe link is not known", row)
    lanes = _least(row.max_width, slot.max_width if slot else None)
    rate = _least(row.max_speed_gts, slot.max_speed_gts if slot else None)
    narrow, slow = row.width < lanes, speed and row.speed_gts < rate
    return Finding(
        verdict=Verdict.FAIL if narrow or slow else Verdict.PASS,
        subject=subject,
        message=f"runs at {_words(row.width, row.speed_gts)}, card and slot can do {_words(lanes, rate)}",
        expected=_words(lanes, rate),
        observed=_words(row.width, row.speed_gts),
        remedy="reseat card and riser; see BIOS settings of the slot" if narrow or slow else "",
        remedy_source="PCI Express Base 7.5.3",
        evidence=evidence(row, slot),
    )


def _least(own: Any, slots: Any) -> Any:
    return own if slots is None else min(own, slots)


def _words(width: int, speed: float | None) -> str:
    return f"x{width}" + (f" {speed:g} GT/s" if speed is not None else "")

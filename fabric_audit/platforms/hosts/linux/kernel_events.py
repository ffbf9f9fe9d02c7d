"""Kernel messages that bear on the data plane, and what each is about.

The kinds stand in ``kernel_messages.tsv``: class and code of the event, what the message itself calls it (fatal or
non-fatal), its source where the pattern has no group ``source``, and the pattern, whose group ``subject`` is what
the message is about. The first that is found in a message wins. Short forms: ``{PCI}`` a PCI address as subject,
``{DRIVER}`` a driver before it, ``{NET}`` a driver, an address and an interface as subject, ``{AER}`` the port that
reports a PCIe error, ``{FUNCTION}`` the ``function:line:(pid N): `` of mlx5.

Sources: NVIDIA XID Errors and Fabric Manager User Guide for Xid and SXid; of the kernel ``drivers/net/ethernet/
mellanox/mlx5/core/{events,health,cmd,en_main}.c``, ``drivers/infiniband/hw/mlx5/cq.c``, ``drivers/net/ethernet/
broadcom/bnxt/bnxt.c``, ``drivers/net/ethernet/intel/ice/ice_main.c``, ``drivers/net/bonding/bond_main.c``,
``drivers/pci/pcie/{aer,dpc}.c``, ``drivers/pci/hotplug/pciehp_ctrl.c``, ``drivers/pci/pci.c``,
``drivers/iommu/{intel,amd}``, ``net/sched/sch_generic.c``.
"""

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fabric_audit.facts.events import EventClass, KernelEvent
from fabric_audit.platforms.gpus.nvidia.xid import Meaning, sxid, xid
from fabric_audit.platforms.hosts.linux.paths import PCI_ADDRESS

_SHORT = {
    "{PCI}": rf"(?P<subject>{PCI_ADDRESS})",
    "{DRIVER}": rf"(?P<source>[\w-]+) (?P<subject>{PCI_ADDRESS})",
    "{NET}": rf"(?P<source>mlx5_core|bnxt_en|ice|i40e|mlx4_en) {PCI_ADDRESS} (?P<subject>[^\s:]+)",
    "{AER}": rf"(?P<source>[\w-]+) {PCI_ADDRESS}: AER: (?:Multiple )?",
    "{FUNCTION}": r"(?:\w+:\d+:\(pid \d+\): )?",
}
_FATAL = {"fatal": True, "non-fatal": False, "": None}
_XID = re.compile(
    r"(?P<source>NVRM): Xid \((?:PCI:)?(?P<subject>[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2})[^)]*\): (?P<code>\d+)\b",
    re.IGNORECASE,
)
_SXID = re.compile(
    rf"(?P<source>nvidia-nvswitch\d+): SXid \(PCI:(?P<subject>{PCI_ADDRESS})\): "
    r"(?P<code>\d+), (?P<fatal>Fatal|Non-fatal)\b"
)
_WORDS = re.compile(
    r"Xid|NVRM|peermem|nv_peer_mem|Port module|emperature|insufficient power|health compromised|Fatal error|synd 0x"
    r"|timeout|transmit queue|WC error|error cqe|[Ll]ink|AER|PCIe|DPC|pciehp|DMAR|AMD-Vi|mce|EDAC"
)
"""One of these is in every message of a kind: most lines of a log are done with after one look."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of message."""

    pattern: re.Pattern[str]
    event_class: EventClass
    code: str
    fatal: bool | None
    source: str


@cache
def _kinds() -> tuple[_Kind, ...]:
    text = files("fabric_audit.platforms.hosts.linux").joinpath("kernel_messages.tsv").read_text("utf-8")
    return tuple(
        _Kind(_compiled(row["pattern"]), EventClass(row["class"]), row["code"], _FATAL[row["fatal"]], row["source"])
        for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    for short, long in _SHORT.items():
        pattern = pattern.replace(short, long)
    return re.compile(pattern)


def event(message: str, time: str, line: int) -> KernelEvent | None:
    """The event that a message tells; None for one that bears on nothing of ours."""
    if not _WORDS.search(message):
        return None
    if found := _XID.search(message):
        return _of_nvidia(found, EventClass.GPU, xid(int(found["code"])), (time, line))
    if found := _SXID.search(message):
        return _of_nvidia(found, EventClass.NVSWITCH, sxid(int(found["code"])), (time, line))
    for kind in _kinds():
        if found := kind.pattern.search(message):
            groups = found.groupdict()
            return KernelEvent(
                line=line,
                time=time,
                source=kind.source or groups["source"],
                code=kind.code,
                subject=groups.get("subject") or "",
                event_class=kind.event_class,
                fatal=kind.fatal,
                text=message,
                since_boot_s=_seconds(time),
            )
    return None


def _of_nvidia(
    found: re.Match[str], event_class: EventClass, meaning: Meaning | None, where: tuple[str, int]
) -> KernelEvent:
    time, line = where
    fatal = found.groupdict().get("fatal")
    function = "" if "." in found["subject"] else ".0"
    return KernelEvent(
        line=line,
        time=time,
        source=found["source"],
        code=found["code"],
        subject=f"{found['subject'].lower()}{function}",
        event_class=event_class,
        fatal=fatal == "Fatal" if fatal else None,
        cause=meaning.words if meaning else None,
        part=meaning.part if meaning else None,
        text=found.string,
        since_boot_s=_seconds(time),
    )


def _seconds(time: str) -> float | None:
    return float(time) if re.fullmatch(r"\d+\.\d+", time) else None

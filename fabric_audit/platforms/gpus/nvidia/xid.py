"""What Xid and SXid numbers mean, for kernel messages and the fabric manager's log.

An Xid (``NVRM: Xid (PCI:0000:1a:00): 79, ...``) is a GPU's, an SXid (``nvidia-nvswitch0: SXid (PCI:...): 20034,
Fatal, Link 30 LTSSM Fault Up``) an NVSwitch's. Sources: NVIDIA XID Errors, "Analyzing Xid Errors with the Xid
Catalog" (Ampere and later); NVIDIA Fabric Manager User Guide, tables of non-fatal, fatal, always fatal and other
notable SXids; families by NVIDIA open-gpu-kernel-modules, src/common/nvswitch/interface/ctrl_dev_nvswitch.h.
"""

from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """What an error points to."""

    APPLICATION = "application"
    """A program did something wrong; hardware is rarely to blame."""
    MEMORY = "memory"
    """The GPU's memory."""
    NVLINK = "nvlink"
    """A link between GPUs, or between GPU and NVSwitch."""
    PCIE = "pcie"
    """The GPU's connection to the host."""
    FIRMWARE = "firmware"
    """The GPU's own processors, or the driver."""
    POWER = "power"
    """Temperature or power."""
    FABRIC = "fabric"
    """Inside an NVSwitch."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a number points to, and what is done about it."""

    part: Part
    words: str
    action: str = ""


_RESET = "reset the GPU"
_REPLACE = "reset the GPU; replace it if it comes back"
_RESTART = "restart the program"
_UPDATE = "reset the GPU; update the driver if it comes back"
_LINK = "look at the states of both ends of the link; reset the GPU"

XID = {
    13: Meaning(Part.APPLICATION, "graphics engine exception: a program accessed what it may not", _RESTART),
    31: Meaning(Part.APPLICATION, "GPU memory page fault by a program", _RESTART),
    32: Meaning(Part.APPLICATION, "invalid or corrupted push buffer", _RESTART),
    38: Meaning(Part.FIRMWARE, "driver firmware error"),
    43: Meaning(Part.APPLICATION, "a program's work was stopped; the GPU goes on"),
    45: Meaning(Part.APPLICATION, "work was cleaned up: a program ended, or another error came before"),
    46: Meaning(Part.FIRMWARE, "the GPU stopped processing", _RESET),
    48: Meaning(Part.MEMORY, "uncorrectable (double bit) ECC error", _REPLACE),
    54: Meaning(Part.POWER, "auxiliary power is not connected to the board", "check the board's power cable"),
    61: Meaning(Part.FIRMWARE, "internal micro-controller breakpoint or warning (older GPUs)", _RESET),
    62: Meaning(Part.FIRMWARE, "internal micro-controller halt", _REPLACE),
    63: Meaning(Part.MEMORY, "a row was remapped or a page retired: takes effect at the next reset"),
    64: Meaning(Part.MEMORY, "a row could not be remapped, a page not retired", _REPLACE),
    69: Meaning(Part.APPLICATION, "graphics engine class error", _RESTART),
    74: Meaning(Part.NVLINK, "NVLink error on one of the GPU's links", _LINK),
    79: Meaning(Part.PCIE, "the GPU has fallen off the bus", "restart the host; reseat or replace the GPU"),
    92: Meaning(Part.MEMORY, "high rate of corrected ECC errors", "watch it; NVIDIA's support decides on replacement"),
    94: Meaning(Part.MEMORY, "uncorrectable memory error, contained to one program", _RESTART),
    95: Meaning(Part.MEMORY, "uncorrectable memory error, not contained", _RESET),
    109: Meaning(Part.FIRMWARE, "context switch timeout", _RESET),
    110: Meaning(Part.FIRMWARE, "security fault", _RESET),
    119: Meaning(Part.FIRMWARE, "the GPU's system processor (GSP) did not answer", _UPDATE),
    120: Meaning(Part.FIRMWARE, "the GPU's system processor (GSP) failed", _UPDATE),
    121: Meaning(Part.NVLINK, "error of the link between CPU and GPU (C2C)"),
    136: Meaning(Part.NVLINK, "NVLink training failed", "reset the GPU; check the link's signal if it comes back"),
    137: Meaning(
        Part.NVLINK, "NVLink privilege error: a remote access was refused", "look for an error at the far end"
    ),
    140: Meaning(Part.MEMORY, "uncorrected ECC error that was not recovered", _RESET),
    143: Meaning(Part.FIRMWARE, "the GPU could not be initialised", _REPLACE),
    144: Meaning(Part.NVLINK, "NVLink 5: SAW error", _LINK),
    145: Meaning(Part.NVLINK, "NVLink 5: RLW error", _LINK),
    146: Meaning(Part.NVLINK, "NVLink 5: TLW error", _LINK),
    147: Meaning(Part.NVLINK, "NVLink 5: TREX error", _LINK),
    148: Meaning(Part.NVLINK, "NVLink 5: NVLPW_CTRL error", _LINK),
    149: Meaning(Part.NVLINK, "NVLink 5: NETIR error", _LINK),
    150: Meaning(Part.NVLINK, "NVLink 5: MSE error", _LINK),
    154: Meaning(Part.FIRMWARE, "the driver asks for a recovery action, named in the message, because of another Xid"),
    155: Meaning(Part.NVLINK, "NVLink: error defined by software", _RESET),
    156: Meaning(Part.MEMORY, "a unit of the GPU was retired", _RESET),
    157: Meaning(Part.MEMORY, "a unit of the GPU could not be retired", "ask NVIDIA's support"),
    158: Meaning(Part.FIRMWARE, "fatal timeout of the GPU", _RESET),
    167: Meaning(Part.PCIE, "fatal timeout on PCIe", "restart the host"),
    171: Meaning(Part.MEMORY, "uncorrectable error of DRAM: details of Xid 48", _REPLACE),
    172: Meaning(Part.MEMORY, "uncorrectable error of SRAM: details of Xid 48", _REPLACE),
}

_ALL_RESET = "shut down all partitions; restart the host, or reset all GPUs and NVSwitches"
_CORRECTED = Meaning(Part.FABRIC, "single bit ECC error, corrected by the NVSwitch: no impact")
_ALWAYS_FATAL = "fatal to the whole fabric"

_SXID_EXACT = {
    10001: Meaning(Part.FABRIC, "host interface of the NVSwitch: access refused; fatal errors may follow"),
    10002: Meaning(Part.FABRIC, "host interface of the NVSwitch: access timed out; fatal errors may follow"),
    10003: Meaning(Part.FABRIC, f"unhandled interrupt of the NVSwitch: {_ALWAYS_FATAL}", _ALL_RESET),
    10004: Meaning(Part.POWER, "NVSwitch too hot: links may run on one lane, throughput falls", "check the cooling"),
    10005: Meaning(Part.POWER, "NVSwitch is no longer too hot", "check the cooling"),
    11004: Meaning(
        Part.FABRIC, "ingress refused by the partition's routing: traffic of the GPU hangs", "check routing"
    ),
    12020: Meaning(Part.FABRIC, f"egress sequence error: {_ALWAYS_FATAL}", _ALL_RESET),
    12028: Meaning(
        Part.FABRIC,
        "egress non-posted PRIV error: traffic of the GPU stalls, its programs are stopped (Xid 45)",
        "restart what ran on the GPU; reset the GPU",
    ),
    19084: Meaning(
        Part.NVLINK, "heartbeat timeout of a link: comes with a fatal error", "reset all GPUs and NVSwitches"
    ),
    20001: Meaning(Part.NVLINK, "transmit replay: a packet was sent again, which may cost throughput"),
    20012: Meaning(
        Part.NVLINK, "CRC errors: broken connection, or a GPU was shut down", "check the link's mechanical connection"
    ),
    20034: Meaning(Part.NVLINK, "the link went down from active (LTSSM fault up)", "reset the GPU at the other end"),
    22003: Meaning(Part.NVLINK, f"micro-controller of the links halted: {_ALWAYS_FATAL}", _ALL_RESET),
    22011: Meaning(Part.NVLINK, f"micro-controller of the links failed: {_ALWAYS_FATAL}", _ALL_RESET),
    22012: Meaning(Part.NVLINK, "micro-controller of the links: fatal for one link", "reset the GPU at the other end"),
    22013: Meaning(Part.NVLINK, "request of a link's micro-controller: can be ignored"),
    **dict.fromkeys((11012, 11021, 11022, 11023, 12021, 12023, 15008, 15011, 19049, 19055, 19057), _CORRECTED),
    **dict.fromkeys((19059, 19062, 19065, 19068, 19071, 24001, 24002, 24003), _CORRECTED),
}
_SXID_FAMILIES = {
    10: Meaning(Part.FABRIC, "host interface of the NVSwitch"),
    11: Meaning(Part.FABRIC, "ingress of a port"),
    12: Meaning(Part.FABRIC, "egress of a port"),
    13: Meaning(Part.FABRIC, "state kept by a port (fstate)"),
    14: Meaning(Part.FABRIC, "state kept by a port (tstate)"),
    15: Meaning(Part.FABRIC, "routing in a port"),
    16: Meaning(Part.FABRIC, "a port"),
    17: Meaning(Part.FABRIC, "buffers of a link's controller"),
    18: Meaning(Part.NVLINK, "protocol of a link"),
    19: Meaning(Part.NVLINK, "transaction layer of a link"),
    20: Meaning(Part.NVLINK, "data link and physical layer of a link"),
    21: Meaning(Part.FABRIC, "crossbar"),
    22: Meaning(Part.NVLINK, "micro-controller of the links"),
    23: Meaning(Part.FABRIC, f"crossbar: {_ALWAYS_FATAL}", _ALL_RESET),
    24: Meaning(Part.FABRIC, "source tracker of a port"),
    25: Meaning(Part.NVLINK, "state of a link"),
    26: Meaning(Part.FABRIC, "the NVSwitch's own processor"),
}


def xid(number: int) -> Meaning | None:
    """What an Xid means; None for one that points to nothing of ours."""
    return XID.get(number)


def sxid(number: int) -> Meaning | None:
    """What an SXid means: its own entry, else that of its family (its number by thousands)."""
    return _SXID_EXACT.get(number) or _SXID_FAMILIES.get(number // 1000)

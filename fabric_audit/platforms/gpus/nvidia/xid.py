"""What Xid and SXid numbers mean, for kernel messages and the fabric manager's log.

An Xid (``NVRM: Xid (PCI:0000:1a:00): 79, ...``) is a GPU's, an SXid (``nvidia-nvswitch0: SXid (PCI:...): 20034,
Fatal, Link 30 LTSSM Fault Up``) an NVSwitch's. Source: NVIDIA XID Errors, "Xid Catalog" (R580); NVIDIA Fabric
Manager User Guide, appendix D, "NVSwitch SXid errors".
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

XID = {
    13: Meaning(Part.APPLICATION, "graphics engine exception: a program accessed what it may not", _RESTART),
    31: Meaning(Part.APPLICATION, "GPU memory page fault by a program", _RESTART),
    32: Meaning(Part.PCIE, "corrupted push buffer: often the PCIe link", "check the PCIe link"),
    38: Meaning(Part.FIRMWARE, "driver firmware error", "update the driver"),
    43: Meaning(Part.APPLICATION, "a program's work was stopped; the GPU goes on", _RESTART),
    45: Meaning(Part.APPLICATION, "work was cleaned up: a program ended, or another error came before"),
    46: Meaning(Part.FIRMWARE, "the GPU stopped processing", _RESET),
    48: Meaning(Part.MEMORY, "uncorrectable (double bit) ECC error", _REPLACE),
    61: Meaning(Part.FIRMWARE, "internal micro-controller breakpoint or warning", _RESET),
    62: Meaning(Part.FIRMWARE, "internal micro-controller halt", _REPLACE),
    63: Meaning(Part.MEMORY, "a row was remapped or a page retired: takes effect at the next reset", _RESET),
    64: Meaning(Part.MEMORY, "a row could not be remapped, a page not retired", "replace the GPU"),
    69: Meaning(Part.APPLICATION, "graphics engine class error", _RESTART),
    74: Meaning(Part.NVLINK, "NVLink error on one of the GPU's links", "check the link and its peer; reset the GPU"),
    79: Meaning(Part.PCIE, "the GPU has fallen off the bus", "power-cycle the host; reseat or replace the GPU"),
    92: Meaning(Part.MEMORY, "high rate of corrected ECC errors", _RESET),
    94: Meaning(Part.MEMORY, "uncorrectable memory error, contained to one program", _RESTART),
    95: Meaning(Part.MEMORY, "uncorrectable memory error, not contained", _RESET),
    109: Meaning(Part.FIRMWARE, "context switch timeout", _RESET),
    110: Meaning(Part.FIRMWARE, "security fault: bad hardware or configuration", "power-cycle the host"),
    119: Meaning(Part.FIRMWARE, "the GPU's system processor (GSP) did not answer", "reset the GPU; update the driver"),
    120: Meaning(Part.FIRMWARE, "the GPU's system processor (GSP) failed", "reset the GPU; update the driver"),
    121: Meaning(Part.NVLINK, "corrected error of the link between CPU and GPU (C2C)"),
    136: Meaning(Part.NVLINK, "NVLink training failed", "reset the GPU"),
    137: Meaning(Part.NVLINK, "NVLink privilege error: a remote access was refused", _RESTART),
    140: Meaning(Part.MEMORY, "uncorrected ECC error that was not recovered", _RESET),
    143: Meaning(Part.FIRMWARE, "the GPU could not be initialised", _REPLACE),
    144: Meaning(Part.NVLINK, "NVLink 5: SAW error", "reset the GPU"),
    145: Meaning(Part.NVLINK, "NVLink 5: RLW error (remote link)", "check the far end; reset the GPU"),
    146: Meaning(Part.NVLINK, "NVLink 5: TLW error", "reset the GPU"),
    147: Meaning(Part.NVLINK, "NVLink 5: TREX error", "reset the GPU"),
    148: Meaning(Part.NVLINK, "NVLink 5: NVLPW control error", "reset the GPU"),
    149: Meaning(Part.NVLINK, "NVLink 5: link error (NETIR), cable or port included", "check the link; reset the GPU"),
    150: Meaning(Part.NVLINK, "NVLink 5: MSE error", "reset the GPU"),
    154: Meaning(Part.FIRMWARE, "the driver asks for a recovery action, named in the message"),
    155: Meaning(Part.NVLINK, "NVLink: flow control or software-defined error", "reset the GPU"),
    156: Meaning(Part.MEMORY, "a unit of the GPU was retired", _RESET),
    157: Meaning(Part.MEMORY, "a unit of the GPU could not be retired", "replace the GPU"),
}

_SXID_EXACT = {
    10004: Meaning(Part.POWER, "NVSwitch thermal event began"),
    10005: Meaning(Part.POWER, "NVSwitch thermal event ended"),
    12028: Meaning(Part.FABRIC, "egress non-posted PRIV error: a request was refused; follows a fault elsewhere"),
    19084: Meaning(Part.FABRIC, "heartbeat timeout of a port's tracker"),
    20001: Meaning(Part.NVLINK, "transmit replay: a packet was sent again"),
    20012: Meaning(Part.NVLINK, "link error in training or state"),
    20034: Meaning(Part.NVLINK, "the link went down from active (LTSSM fault up)", "check the GPU at the other end"),
    22012: Meaning(Part.NVLINK, "link micro-controller interrupt"),
    22013: Meaning(Part.NVLINK, "link micro-controller request"),
}
_SXID_FAMILIES = {
    10: Meaning(Part.FABRIC, "host interface of the NVSwitch"),
    11: Meaning(Part.FABRIC, "ingress of a port"),
    12: Meaning(Part.FABRIC, "egress of a port"),
    14: Meaning(Part.FABRIC, "timeout tracker of a port"),
    15: Meaning(Part.FABRIC, "routing in a port"),
    19: Meaning(Part.FABRIC, "reduction or tracking unit of a port"),
    20: Meaning(Part.NVLINK, "physical layer of a link"),
    22: Meaning(Part.NVLINK, "micro-controller of the links"),
    23: Meaning(Part.FABRIC, "crossbar"),
    24: Meaning(Part.FABRIC, "source tracker of a port"),
    26: Meaning(Part.FABRIC, "the NVSwitch's own processor"),
    28: Meaning(Part.POWER, "thermal or power event of the NVSwitch"),
}


def xid(number: int) -> Meaning | None:
    """What an Xid means; None for one that points to nothing of ours."""
    return XID.get(number)


def sxid(number: int) -> Meaning | None:
    """What an SXid means: its own entry, else that of its family (its number by thousands)."""
    return _SXID_EXACT.get(number) or _SXID_FAMILIES.get(number // 1000)

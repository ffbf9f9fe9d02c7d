"""The list of devices that nccl-tests prints; NCCL logs carry it too."""

import re
from dataclasses import dataclass

_DEVICE = re.compile(
    r"#\s+Rank\s+([0-9]{1,9})(?:\s+Group\s+[0-9]+)?\s+Pid\s+([0-9]{1,9}) on\s+(\S+) device\s+([0-9]{1,9}) "
    r"\[([0-9a-fA-Fx:]+)\] ([^\s#][^#]*)$"
)


@dataclass(frozen=True, slots=True)
class Device:
    """One rank's GPU."""

    rank: int
    pid: int
    host: str
    device: int
    bus: str
    model: str


def read_device(line: str) -> Device | None:
    """``#  Rank  0 Group  0 Pid   3351 on node1 device  0 [0000:97:00] NVIDIA B200``, with anything in front."""
    at = line.find("#  ")
    found = _DEVICE.match(line[at:].rstrip()) if at >= 0 else None
    if not found:
        return None
    rank, pid, host, device, bus, model = found.groups()
    return Device(int(rank), int(pid), host, int(device), bus_address(bus), model)


def bus_address(text: str) -> str:
    """The kernel's spelling (``0000:97:00.0``) of ``0000:97:00``; an old version's bus number as it is."""
    found = re.fullmatch(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{2}):([0-9a-fA-F]{2})", text)
    return f"{text.lower()}.0" if found else text

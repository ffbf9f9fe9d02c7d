"""Lines that name a communicator, and the facts of a rank gathered from them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_COMM = re.compile(r"comm (0x[0-9a-fA-F.]+) rank ([0-9]+) n[rR]anks ([0-9]+)\b(.*)$")
_PAIR = re.compile(r"\b(cudaDev|nvmlDev|busId|commId|nNodes|localRanks|localRank|MNNVL) (0x[0-9a-fA-F.]+|\w+)")
_RINGS = re.compile(r"Connected all rings, use ring PXN ([01]) GDR ([01])$")


@dataclass(frozen=True, slots=True)
class Comm:
    """One line about a communicator: its own name for it, rank, size, and whatever else it tells."""

    pointer: str
    rank: int
    ranks: int
    told: Mapping[str, str]
    complete: bool

    def number(self, name: str) -> int | None:
        """A decimal number that the line gives under ``name``."""
        text = self.told.get(name, "")
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None

    @property
    def bus_id(self) -> str | None:
        """PCI address of the GPU, in hex without separators."""
        text = self.told.get("busId", "")
        return text if re.fullmatch(r"[0-9a-f]{1,12}", text) else None


def read_comm(message: str) -> Comm | None:
    """``comm 0x55.. rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId 1a000 commId 0x.. - Init START`` and its relatives.

    Before 2.12 the line comes only at the end, as ``Init COMPLETE``; from 2.20 another one gives ``nRanks 16
    nNodes 2 localRanks 8 localRank 0 MNNVL 0``. ``commId`` (2.18) is the same on all ranks, the address in front
    is not. Source: NCCL src/init.cc of each version.
    """
    found = _COMM.search(message)
    if not found or int(found[2]) >= int(found[3]):
        return None
    rest = found[4]
    return Comm(found[1], int(found[2]), int(found[3]), dict(_PAIR.findall(rest)), "COMPLETE" in rest)


def read_rings(message: str) -> tuple[bool, bool] | None:
    """PXN and GDR of ``Connected all rings, use ring PXN 0 GDR 1`` (2.24+)."""
    found = _RINGS.match(message)
    return (found[1] == "1", found[2] == "1") if found else None

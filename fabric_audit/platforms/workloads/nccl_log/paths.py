"""The words after ``via``: which transport carries a channel, and by which device."""

import re
from dataclasses import dataclass

_P2P = re.compile(
    r"P2P/(IPC|CUMEM|MNNVL|NVL(?:ink)?|direct pointer|Direct PCI|indirect/[0-9]+(?:\[\w+\])?)(?:/read)?(?:/CE)?",
    re.IGNORECASE,
)
_SHM = re.compile(r"SHM(?:/(?:direct|CE)){0,2}|direct shared memory")
_NET = re.compile(
    r"(COLL)?NET/([^/]+)(?:/([0-9]+)(?:\(([0-9]+)\))?(/GDRDMA(?:\(PCI\))?)?|(?P<bare>/GDRDMA))(?:/Shared)?"
)


@dataclass(frozen=True, slots=True)
class Path:
    """What a token says. ``link`` is nvlink or pcie where the words tell."""

    transport: str
    link: str | None = None
    network: str | None = None
    device: int | None = None
    gdr: bool | None = None
    proxy: int | None = None


def read_path(words: str) -> Path | None:
    """The path that ``words`` name; None for words of no version.

    ``P2P/IPC``, ``direct pointer`` and ``CUMEM`` say how memory is shared, not over which wire. ``MNNVL`` replaces
    CUMEM where NVLink joins hosts. ``P2P/NVL``, ``P2P/Direct PCI`` and ``NET/IB/GDRDMA``, without the device, are
    words of articles. The number in parentheses of a NET path is the rank that lends its NIC (PXN, 2.12), not a port;
    ``(PCI)`` after GDRDMA is the way on a C2C system (2.26). Source: NCCL src/transport/{p2p,shm,net,coll_net}.cc of
    each version.
    """
    found = _NET.fullmatch(words)
    if found:
        collective, network, device, proxy, gdr, bare = found.groups()
        return Path(
            transport="collnet" if collective else "net",
            network=network,
            device=int(device) if device else None,
            gdr=bool(gdr or bare),
            proxy=int(proxy) if proxy else None,
        )
    found = _P2P.fullmatch(words)
    if found:
        kind = found[1].lower()
        link = "nvlink" if kind.startswith(("mnnvl", "nvl")) else "pcie" if kind == "direct pci" else None
        return Path(transport="p2p", link=link)
    return Path(transport="shm") if _SHM.fullmatch(words) else None

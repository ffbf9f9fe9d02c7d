"""What NCCL makes of its variables: the value in force, and why it is not the one that was written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from fabric_audit.facts.nccl_versions import distance_names, version_key

_LEGACY = ("LOC", "PIX", "PXB", "PHB", "SYS", "SYS")  # NCCL src/graph/paths.cc, levelsOldToNew
_LEGACY_WORDS = "an integer means one of five old levels (0 LOC, 1 PIX, 2 PXB, 3 PHB, above SYS)"
_C2C_DEFAULT = (2, 29, 2)  # from here the default is P2C where NCCL_NET_GDR_C2C is 1, as it is by default
_P2P_PXB = (2, 23)  # from here P2P across a host bridge is off by default
_NEWEST = (2, 30)  # what an unknown version is taken for
_FIRST_NAMES = (2, 6)  # before, levels were plain integers
_AUTOMATIC_GID = (2, 21)  # from here NCCL chooses the RoCE v2 GID itself
_MOST_HCAS = 32  # MAX_IB_DEVS, NCCL src/transport/net_ib


@dataclass(frozen=True, slots=True)
class Effective:
    """One variable: what was written, what is in force, and what to know about it.

    ``written`` None means unset. ``concern`` is empty where what is in force is what was written; ``advice`` says
    what to write instead.
    """

    name: str
    written: str | None
    value: str
    concern: str = ""
    advice: str = ""


def gdr_level(written: str | None, version: str, *, c2c: bool = True) -> Effective:
    """``NCCL_NET_GDR_LEVEL``: the greatest distance between GPU and NIC at which GPUDirect RDMA is used.

    Args:
        written: the value as it stands in the environment or the file, blanks included; None for unset.
        version: such as 2.21.5; empty for unknown, which is taken for the newest.
        c2c: NCCL_NET_GDR_C2C, 1 by default from 2.27.

    Source: NCCL src/graph/paths.cc, ncclGetLevel and ncclTopoCheckGdr.
    """
    key = version_key(version) or _NEWEST
    default = "P2C" if c2c and key >= _C2C_DEFAULT else "PXB"
    if key < _FIRST_NAMES:
        return _integer_level("NCCL_NET_GDR_LEVEL", written, default="2 (PIX and PXB)")
    return _level("NCCL_NET_GDR_LEVEL", written, version, default)


def p2p_level(written: str | None, version: str, *, disabled: str | None = None) -> Effective:
    """``NCCL_P2P_LEVEL``: the greatest distance between GPUs at which peer access is used.

    ``NCCL_P2P_DISABLE=1`` (``disabled``) makes NCCL ignore it. Source: NCCL src/graph/paths.cc, ncclTopoCheckP2p.
    """
    name = "NCCL_P2P_LEVEL"
    if disabled is not None and whole_number(disabled)[0] == 1:
        concern = "NCCL_P2P_DISABLE=1 turns peer access off, the level is not read" if written is not None else ""
        return Effective(name, written, "LOC", concern, "unset one of the two" if concern else "")
    key = version_key(version) or _NEWEST
    default = "PXB" if key >= _P2P_PXB else "SYS"
    if key < _FIRST_NAMES:
        return _integer_level(name, written, default="SYS")
    return _level(name, written, version, default)


def _level(name: str, written: str | None, version: str, default: str) -> Effective:
    if written is None:
        return Effective(name, None, default)
    names = distance_names(version) or distance_names("2.30")
    allowed = names[: names.index("SYS") + 1]
    if written in allowed:
        return Effective(name, written, written)
    if written[:1] in tuple("0123456789"):
        value = _LEGACY[min(whole_number(written)[0], len(_LEGACY) - 1)]
        return Effective(name, written, value, f"{_LEGACY_WORDS}: this one means {value}", f"write {name}={value}")
    concern = f"{_reason(written, allowed)}: ignored without a message, the default {default} is in force"
    meant = _meant(written, allowed)
    return Effective(name, written, default, concern, f"write {name}={meant}" if meant else f"unset {name}")


def _reason(written: str, allowed: tuple[str, ...]) -> str:
    if written.strip().strip("\"'") in allowed:
        return "blanks or quotes are part of the value, which is compared as a whole"
    if written.upper() in allowed:
        return "levels are compared in upper case only"
    if written.strip().upper() == "NODE":
        return "NCCL knows no level NODE: it counts such paths as PHB"
    return f"not a level of this version ({' '.join(allowed)})"


def _meant(written: str, allowed: tuple[str, ...]) -> str:
    cleaned = written.strip().strip("\"'").upper()
    return "PHB" if cleaned == "NODE" else cleaned if cleaned in allowed else ""


def _integer_level(name: str, written: str | None, *, default: str) -> Effective:
    if written is None:
        return Effective(name, None, default)
    value, clean = whole_number(written)
    concern = "" if clean else f"before 2.6 levels are integers; these words are read as {value}"
    return Effective(name, written, str(value), concern, f"write {name}=4" if concern else "")


def whole_number(written: str) -> tuple[int, bool]:
    """The integer that C's ``strtoll(text, ..., 0)`` reads, and whether the text is nothing but that integer.

    Leading blanks are passed over, ``0x10`` is 16 and ``010`` is 8, what follows the digits is ignored, and words are
    0: ``NCCL_IB_DISABLE=true`` disables nothing.
    """
    found = re.match(r"\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)", written)
    if not found:
        return 0, False
    digits = found[2]
    base = 16 if digits[:2].lower() == "0x" else 8 if digits.startswith("0") else 10
    value = int(digits, base) * (-1 if found[1] == "-" else 1)
    return value, found.end() == len(written)


@dataclass(frozen=True, slots=True)
class TrafficClass:
    """The traffic class byte of NCCL's packets: DSCP in the upper six bits, ECN in the lower two."""

    byte: int
    written: str | None

    @property
    def dscp(self) -> int:
        """DSCP, which switches map to a priority."""
        return self.byte >> 2

    @property
    def ecn_capable(self) -> bool:
        """ECN bits 01 or 10; on RoCE the NIC sets its own."""
        return self.byte & 3 in (1, 2)


def traffic_class(written: str | None) -> TrafficClass:
    """``NCCL_IB_TC``: the whole traffic class byte; 0 when unset, -1 (the default from 2.26) too.

    106 is DSCP 26. NCCL makes its queue pairs without the RDMA connection manager, so that ``cma_roce_tos`` has no
    effect on it. Source: NCCL src/transport/net_ib; NCCL user guide, NCCL_IB_TC.
    """
    value = 0 if written is None else whole_number(written)[0]
    return TrafficClass(max(value, 0) & 0xFF, written)


@dataclass(frozen=True, slots=True)
class HcaChoice:
    """Devices that ``NCCL_IB_HCA`` lets in, and what is surprising about it."""

    chosen: tuple[str, ...]
    concerns: tuple[str, ...]


def ib_hcas(written: str | None, devices: Iterable[str]) -> HcaChoice:
    """Which of ``devices`` NCCL may use: names match by prefix unless ``=`` leads, ``^`` turns the list round.

    ``mlx5_1`` lets in mlx5_10 to mlx5_19 as well; a blank after a comma is part of a name that no device has; a port
    (``mlx5_0:1``) is cut off here. Source: NCCL src/misc/utils.cc, parseStringList and matchIfList.
    """
    known = tuple(devices)
    if not written:
        return HcaChoice(known[:_MOST_HCAS], _too_many(known))
    text = written.removeprefix("^")
    inverted, exact = text != written, text.startswith("=")
    names = [name for entry in text.removeprefix("=").split(",") if (name := entry.partition(":")[0])]
    hits = {name: [one for one in known if one == name or (not exact and one.startswith(name))] for name in names}
    concerns = [concern for name in names if (concern := _hca_concern(name, hits[name], inverted=inverted))]
    listed = {device for some in hits.values() for device in some}
    chosen = tuple(device for device in known if (device in listed) != inverted)
    return HcaChoice(chosen[:_MOST_HCAS], (*concerns, *_too_many(chosen)))


def _hca_concern(name: str, hits: list[str], *, inverted: bool) -> str:
    if not hits:
        return f"{name!r} is no device" + (": the blank belongs to the name" if name != name.strip() else "")
    others = ", ".join(hit for hit in hits if hit != name)
    if name not in hits or not others:
        return ""
    return f"{name} is a prefix of {others} too, {'left' if inverted else 'let'} {'out' if inverted else 'in'} as well"


def _too_many(devices: tuple[str, ...]) -> tuple[str, ...]:
    return (f"{len(devices)} devices: NCCL stops at {_MOST_HCAS}",) if len(devices) > _MOST_HCAS else ()


# Variables that are integers: name → (default, first version of it), newest first; None where it has always been so.
# Source: NCCL_PARAM lines of src/transport/net_ib and src/graph of each tag; NCCL user guide.
_INTEGERS: dict[str, tuple[tuple[str, tuple[int, ...]], ...]] = {
    "NCCL_IB_DISABLE": (("0", ()),),
    "NCCL_IB_GID_INDEX": (("-1", (2, 21)), ("0", ())),
    "NCCL_IB_TC": (("-1", (2, 26)), ("0", ())),
    "NCCL_IB_SL": (("-1", (2, 26)), ("0", ())),
    "NCCL_IB_TIMEOUT": (("20", (2, 23)), ("18", (2, 14)), ("14", ())),
    "NCCL_IB_RETRY_CNT": (("7", ()),),
    "NCCL_IB_QPS_PER_CONNECTION": (("1", ()),),
    "NCCL_IB_SPLIT_DATA_ON_QPS": (("0", (2, 20)), ("1", (2, 18))),
    "NCCL_IB_PCI_RELAXED_ORDERING": (("2", ()),),
    "NCCL_IB_ADAPTIVE_ROUTING": (("-2", ()),),
    "NCCL_IB_MERGE_NICS": (("1", (2, 20)),),
    "NCCL_CROSS_NIC": (("2", ()),),
    "NCCL_NET_GDR_READ": (("-2", ()),),
    "NCCL_NET_GDR_C2C": (("1", (2, 27)), ("0", (2, 26))),
    "NCCL_DMABUF_ENABLE": (("1", ()),),
    "NCCL_P2P_DISABLE": (("0", ()),),
    "NCCL_SHM_DISABLE": (("0", ()),),
}


def integer_setting(name: str, written: str | None, version: str) -> Effective | None:
    """An integer variable; None for a name that is none, or that the version does not have."""
    defaults = _INTEGERS.get(name, ())
    key = version_key(version) or _NEWEST
    default = next((value for value, first in defaults if key >= first), None)
    if default is None:
        return None
    if written is None or written == "":
        return Effective(name, written, default)
    value, clean = whole_number(written)
    concern = "" if clean else f"read as an integer: {value}"
    advice = f"write {name}=1 or {name}=0" if concern and value == 0 else ""
    if name == "NCCL_IB_GID_INDEX" and key >= _AUTOMATIC_GID and value >= 0:
        concern = "a fixed GID index turns off NCCL's own choice of the RoCE v2 GID (from 2.21)"
        advice = f"unset {name}"
    return Effective(name, written, str(value), concern, advice)

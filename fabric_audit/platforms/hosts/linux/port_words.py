"""Words for the state of an RDMA port: each tool spells them its own way.

Sources: IB_PORT_* and IB_PORT_PHYS_STATE_* of the kernel's ``drivers/infiniband/core/sysfs.c``; ``rdma/link.c`` of
iproute2; ``libibverbs/examples/devinfo.c`` and ``libibumad`` of rdma-core.
"""

import re

from fabric_audit.errors import ParseError

_STATES = {
    "NOP": "NOP",
    "NOSTATECHANGE": "NOP",
    "DOWN": "DOWN",
    "INIT": "INIT",
    "INITIALIZE": "INIT",
    "INITIALIZING": "INIT",
    "ARMED": "ARMED",
    "ACTIVE": "ACTIVE",
    "ACTIVEDEFER": "ACTIVE_DEFER",
}
_PHYSICAL_STATES = {
    "NOP": "NOP",
    "NOSTATECHANGE": "NOP",
    "SLEEP": "Sleep",
    "POLLING": "Polling",
    "DISABLED": "Disabled",
    "ARMED": "PortConfigurationTraining",  # iproute2 names the fourth state so
    "PORTCONFIGURATIONTRAINING": "PortConfigurationTraining",
    "PORTCONFIGURATIONTRAINNING": "PortConfigurationTraining",  # the spelling of ibv_devinfo
    "LINKUP": "LinkUp",
    "LINKERRORRECOVERY": "LinkErrorRecovery",
    "LINKERRORRECOVER": "LinkErrorRecovery",
    "PHYTEST": "PhyTest",
    "OPAOFFLINE": "Offline",
    "OPATEST": "Test",
}
_UNKNOWN = frozenset({"UNKNOWN", "UNDEFINED", "INVALIDSTATE", "INVALIDPHYSICALSTATE", ""})


def _word(text: str) -> str:
    return re.sub(r"[^A-Z]", "", re.sub(r"^\d+:|\(\d+\)\s*$|^PORT_(?!CONF)", "", text.strip().upper()))


def state(text: str, line: int) -> str | None:
    """A logical state as ``ACTIVE``, ``DOWN``, ``INIT``, ``ARMED``; None where the tool calls it unknown.

    Raises:
        ParseError: the word is none of a port's states.
    """
    return _known(text, line, _STATES, "a port state such as ACTIVE or DOWN")


def physical_state(text: str, line: int) -> str | None:
    """A physical state as ``LinkUp``, ``Polling``, ``Disabled``; None where the tool calls it unknown.

    Raises:
        ParseError: the word is none of a port's physical states.
    """
    return _known(text, line, _PHYSICAL_STATES, "a physical port state such as LinkUp or Polling")


def _known(text: str, line: int, words: dict[str, str], expected: str) -> str | None:
    word = _word(text)
    if word in words:
        return words[word]
    if word in _UNKNOWN:
        return None
    raise ParseError(line, text, expected)


def link_layer(text: str, line: int) -> str | None:
    """``Ethernet`` or ``InfiniBand``; None where the tool does not know.

    Raises:
        ParseError: the word is neither.
    """
    word = text.strip()
    if word in ("Ethernet", "InfiniBand"):
        return word
    if word.upper() in ("IB", "INFINIBAND"):
        return "InfiniBand"
    if word.lower() in ("unknown", "unspecified", "n/a"):
        return None
    raise ParseError(line, text, "Ethernet or InfiniBand")


def rate_bps(text: str, line: int) -> int | None:
    """``400 Gb/sec (4X NDR)`` in bits per second.

    The kernel prints 2.5, 5, 7.5 with one decimal; 0 where it does not know. A kernel older than the port's speed
    class prints the rate of SDR instead (``rate_show`` falls back to it), so a rate that is far too low on an old
    kernel is no proof.

    Raises:
        ParseError: the text is no rate.
    """
    found = re.fullmatch(r"([0-9]{1,5}(?:\.[0-9])?)(?: Gb/sec(?: \([0-9]{1,2}X(?: [A-Z0-9]+)?\))?)?", text.strip())
    if not found:
        raise ParseError(line, text, "a rate such as 400 Gb/sec (4X NDR)")
    return round(float(found[1]) * 10**9) or None


def gid_groups(text: str, line: int) -> str:
    """A GID in eight groups of four hex digits, lower case.

    Raises:
        ParseError: the text is no GID of that form.
    """
    gid = text.strip().lower()
    if not re.fullmatch(r"(?:[0-9a-f]{4}:){7}[0-9a-f]{4}", gid):
        raise ParseError(line, text, "a GID of eight groups of four hex digits")
    return gid


def mapped_ipv4(gid: str) -> str | None:
    """The IPv4 address of ``::ffff:a.b.c.d`` written in eight groups; None for any other GID."""
    if not gid.startswith("0000:0000:0000:0000:0000:ffff:"):
        return None
    high, low = (int(group, 16) for group in gid.split(":")[6:])
    return f"{high >> 8}.{high & 255}.{low >> 8}.{low & 255}"


def guid(text: str, line: int) -> str:
    """A GUID in four groups of four hex digits, lower case, from that form or from ``0x0123456789abcdef``.

    Raises:
        ParseError: the text is no GUID.
    """
    digits = text.strip().lower().removeprefix("0x").replace(":", "")
    if not re.fullmatch(r"[0-9a-f]{16}", digits):
        raise ParseError(line, text, "a GUID of 16 hex digits")
    return ":".join(digits[i : i + 4] for i in range(0, 16, 4))

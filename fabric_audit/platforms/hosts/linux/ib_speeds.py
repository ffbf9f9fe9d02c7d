"""Speed classes of InfiniBand: their names, what a lane signals and what it is counted as."""

import re

from fabric_audit.errors import ParseError

_NOMINAL_GBPS = {
    "SDR": 2.5,
    "DDR": 5.0,
    "QDR": 10.0,
    "FDR10": 10.0,
    "FDR": 14.0,
    "EDR": 25.0,
    "HDR": 50.0,
    "NDR": 100.0,
    "XDR": 200.0,
}
"""Gb/s of one lane, as rates are named (InfiniBand Architecture 5.3; the kernel's ``ib_rate``)."""
_SIGNALLED_GBPS = {
    "2.5": "SDR",
    "5.0": "DDR",
    "10.0": "QDR",
    "14.0625": "FDR",
    "25.78125": "EDR",
    "53.125": "HDR",
    "106.25": "NDR",
    "212.5": "XDR",
}
"""Speed class by what one lane signals, as rdma-core ``libibmad/dump.c`` prints it."""


def of_lane(text: str, line: int) -> str:
    """Speed class of ``53.125 Gbps`` or ``10.0 Gbps (FDR10)``: the signalling rate of one lane.

    Raises:
        ParseError: no class signals at that rate.
    """
    if "FDR10" in text:
        return "FDR10"
    found = _SIGNALLED_GBPS.get(re.sub(r" ?Gbps.*", "", text.strip()))
    if not found:
        raise ParseError(line, text, f"the rate of a lane: {', '.join(_SIGNALLED_GBPS)} Gbps")
    return found


def rate_bps(lanes: int, generation: str, line: int) -> int:
    """Nominal rate of so many lanes of a speed class.

    Raises:
        ParseError: there is no such class.
    """
    if generation not in _NOMINAL_GBPS:
        raise ParseError(line, generation, f"one of {', '.join(_NOMINAL_GBPS)}")
    return round(lanes * _NOMINAL_GBPS[generation] * 10**9)

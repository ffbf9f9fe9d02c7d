"""How many bytes still arrive after a port has asked its peer to pause."""

from dataclasses import dataclass

LIGHT_IN_FIBRE_M_S = 1.98e8
"""Speed of a signal in fibre, about two thirds of that in vacuum; copper is about as fast."""
PAUSE_FRAME_BYTES = 84
"""A PFC frame of 64 bytes with preamble and gap (IEEE 802.1Qbb, IEEE 802.3 4.2.3)."""
FRAME_OVERHEAD_BYTES = 38
"""Ethernet header, FCS, preamble and gap around an interface's MTU."""

_RESPONSE_QUANTA = (
    (800 * 10**9, 905),
    (400 * 10**9, 905),
    (200 * 10**9, 453),
    (100 * 10**9, 394),
    (50 * 10**9, 147),
    (40 * 10**9, 118),
    (25 * 10**9, 80),
    (10 * 10**9, 67),
)
"""Rate in b/s → pause quanta of 512 bits that a peer may go on sending after a pause frame came in (IEEE 802.3
31B.3.7; the same figures in SONiC's buffer_headroom_mellanox.lua)."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """The parts of the least headroom of one priority of one port, in bytes."""

    own_frame: int
    """A frame of any class that this port has begun to send when the pause frame is due."""
    cable: int
    """What is on the cable while the pause frame travels, and again while the last data do."""
    response: int
    """What the peer may send before it obeys."""
    peer_frame: int
    """The lossless frame that the peer has begun to send."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.own_frame + PAUSE_FRAME_BYTES + self.cable + self.response + self.peer_frame

    def __str__(self) -> str:
        parts = (
            f"{self.own_frame} own frame",
            f"{PAUSE_FRAME_BYTES} pause frame",
            f"{self.cable} cable, both ways",
            f"{self.response} peer's response",
            f"{self.peer_frame} peer's frame",
        )
        return f"{' + '.join(parts)} = {self.total} bytes"


def headroom(*, speed_bps: int, cable_m: float, mtu_bytes: int, lossless_bytes: int) -> Headroom | None:
    """The least headroom that loses nothing: IEEE 802.1Qbb annex O, without an ASIC's own pipeline and cells.

    Args:
        speed_bps: rate of the port.
        cable_m: length of the cable.
        mtu_bytes: MTU of the port: largest frame of any class.
        lossless_bytes: largest packet of the lossless class.

    Returns:
        None for a rate whose response time no standard names.
    """
    quanta = next((quanta for speed, quanta in _RESPONSE_QUANTA if speed == speed_bps), None)
    if quanta is None:
        return None
    return Headroom(
        own_frame=mtu_bytes + FRAME_OVERHEAD_BYTES,
        cable=round(2 * cable_m / LIGHT_IN_FIBRE_M_S * speed_bps / 8),
        response=quanta * 512 // 8,
        peer_frame=lossless_bytes + FRAME_OVERHEAD_BYTES,
    )

"""One test's traffic on its way from NIC to NIC."""

from dataclasses import dataclass

from fabric_audit.simulator.fabric import Nic, Port

HEADERS = 98
"""Bytes of one RoCE v2 write on the wire besides its payload, preamble and gap included."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One switch port that a flow crosses."""

    port: Port
    out: bool
    """Leaves the switch by this port; else enters it."""


@dataclass(slots=True, eq=False)
class Flow:
    """One test's traffic, client to server."""

    client: Nic
    server: Nic
    dscp: int
    hops: tuple[Hop, ...]
    payload: int
    """Payload bytes of one packet."""
    client_gpu_bps: float | None = None
    """The rate at which the client's GPU memory can be read; None where the host's is."""
    server_gpu_bps: float | None = None
    part: float = 1.0
    """Its part of the test's queue pairs, which pause the receiver's switch together."""
    rate_bps: float = 0.0
    limit: object = None
    """The link that gave it its share."""

    @property
    def efficiency(self) -> float:
        """Share of the wire that is payload."""
        return self.payload / (self.payload + HEADERS)

    @property
    def losses(self) -> tuple[float, ...]:
        """Share of packets lost on each cable and in each buffer on the way."""
        cables = [hop.port.loss for hop in self.hops if not hop.out]
        buffers = [hop.port.drops for hop in self.hops if hop.out]
        return (*cables, *buffers, self.server.loss)

    @property
    def goodput(self) -> float:
        """What go-back-N leaves of the rate: each loss costs about a window of 100 packets."""
        return 1.0 / (1.0 + 100.0 * sum(self.losses))

    @property
    def broken(self) -> str:
        """Why nothing arrives, for whoever debugs a pod; empty where it does."""
        up, down = self.hops[0].port, self.hops[-1].port
        largest = self.payload + HEADERS - 38
        if not all((self.client.up, self.server.up, *(hop.port.up for hop in self.hops))):
            return "a link is down"
        if not self.client.ruled or not self.server.ruled:
            return "no route leads out of a NIC"
        if self.client.home not in {"", up.switch} or self.server.home not in {"", down.switch}:
            return "a leaf does not know the subnet of a NIC"
        if up.switch != down.switch and self.hops[1].port is down:
            return "no route between the leaves"
        small = next((hop.port for hop in self.hops if hop.port.mtu < largest), None)
        return f"{small.switch} {small.name} drops packets of {largest} bytes" if small else ""

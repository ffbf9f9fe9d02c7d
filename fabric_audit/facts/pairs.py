"""One traffic slot: what a pair of hosts was asked to do in a round."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, get_args, get_type_hints

from fabric_audit.errors import CaptureError


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One test of one round: the client sends to the server on one rail.

    Who, tool, memory and load are planned; devices, interfaces, addresses, GIDs and ports are bound after the
    baseline, and ``None`` until then.

    Attributes:
        round: round number, from 1.
        id: unique within the run; names the outputs of both ends.
        tool: perftest program, such as ``ib_write_bw``.
        memory: ``host``, ``gpu``, ``gpu_host`` (GPU at the client only) or ``host_gpu``.
        mechanism: how a NIC reaches GPU memory: ``peermem`` or ``dmabuf``; ``None`` for host memory.
        client_address: what the server's clients connect to is ``server_address``; both are IP addresses.
        client_ib_port: port of the RDMA device, from 1.
        tcp_port: port on which both ends exchange their parameters.
        duration_s: seconds of load that were asked for.
        traffic_class: whole byte: DSCP times four, plus the ECN bits.
        line_rate_bps: slower of the two ports' rates; ``None`` where either is unknown.
        block: rounds with the same number share their readings of switch counters.
    """

    round: int
    id: str
    client: str
    server: str
    rail: int
    tool: str
    memory: str
    size_bytes: int
    qps: int
    duration_s: float
    traffic_class: int
    bidirectional: bool = False
    mechanism: str | None = None
    client_device: str | None = None
    server_device: str | None = None
    client_netdev: str | None = None
    server_netdev: str | None = None
    client_address: str | None = None
    server_address: str | None = None
    client_ib_port: int | None = None
    server_ib_port: int | None = None
    client_gid_index: int | None = None
    server_gid_index: int | None = None
    tcp_port: int | None = None
    line_rate_bps: int | None = None
    block: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The slot as plain values, which :meth:`from_json` reads back."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Slot":
        """The slot of :meth:`to_json`; fields of later versions are left out.

        Raises:
            CaptureError: a field is missing or of another type.
        """
        hints = get_type_hints(cls)
        known = {f.name: stored[f.name] for f in fields(cls) if f.name in stored}
        for name, value in known.items():
            if type(value) not in _accepted(hints[name]):
                raise CaptureError(f"slot {stored.get('id', '?')}: {name} is {value!r}; record the round again")
        try:
            return cls(**known)
        except TypeError as error:
            raise CaptureError(f"slot {stored.get('id', '?')}: {error}; record the round again") from None


def _accepted(hint: Any) -> tuple[type, ...]:
    """JSON has one kind of number: a whole number of seconds is a duration too."""
    found = get_args(hint) or (hint,)
    return (*found, int) if float in found else found

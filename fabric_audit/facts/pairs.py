"""One traffic slot: what a pair of hosts was asked to do in a round, and what came of it at both ends."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, get_args, get_type_hints

from fabric_audit.errors import CaptureError
from fabric_audit.facts.performance import Outcome, PairResult, PerftestRow


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


CAUSES = (
    # An end that could not even begin.
    Outcome.PORT_TAKEN,
    Outcome.WRONG_DEVICE,
    Outcome.LINK_DOWN,
    Outcome.NO_ACCESS,
    Outcome.UNSUPPORTED,
    Outcome.GPU_UNAVAILABLE,
    Outcome.MEMORY_LIMIT,
    Outcome.MEMORY_REGISTRATION,
    Outcome.NO_RESOURCES,
    Outcome.BAD_GID,
    Outcome.NOT_LISTENING,
    Outcome.NOT_DELIVERED,
    # What the two ends, or the path between them, did together.
    Outcome.OPTION_MISMATCH,
    Outcome.NOT_CONNECTED,
    Outcome.RETRY_EXCEEDED,
    Outcome.COMPLETION_ERROR,
    Outcome.CLOCK_UNRELIABLE,
    Outcome.UNIT_MISMATCH,
    Outcome.LINK_CUT,
    # A client that never got through; its server waits until it is ended.
    Outcome.REJECTED,
    Outcome.HOST_ABSENT,
    Outcome.NO_SERVER,
    # What an end suffers when the other one failed.
    Outcome.KILLED,
    Outcome.PEER_DIED,
    Outcome.NO_CLIENT,
    Outcome.NO_RESULT,
)
"""Outcomes from cause to consequence: of what two ends say, the one that stands first is the cause."""

NEIGHBOUR_FAILS_AFTER_S = 2.0
"""A refused connection comes back at once; one to an absent neighbour fails after three ARP or ND probes of one
second each (ip-sysctl: ``mcast_solicit`` 3, ``retrans_time_ms`` 1000). perftest prints the same words for both."""


def pair_result(
    slot: Slot,
    client: Sequence[PerftestRow],
    server: Sequence[PerftestRow],
    *,
    client_error: str = "",
    server_error: str = "",
    started: str | None = None,
    duration_s: float | None = None,
) -> PairResult:
    """Join what both ends of a slot said.

    The figures are the client's: a perftest server repeats them in its own unit's name. A result is one only if
    the client printed a row for the slot's size, nothing failed at the client afterwards, and the server's row does
    not contradict it. Where the path MTU differs, the smaller one is taken and the message says so.

    Args:
        slot: what was asked for.
        client: rows of the client's output, failures too.
        server: rows of the server's output.
        client_error: why the client's output is missing or unreadable, empty where it is not.
        server_error: the same for the server.
        started: when the client was started, RFC 3339.
        duration_s: wall time of the client.
    """
    row = next((r for r in reversed(client) if r.outcome == Outcome.OK and r.size_bytes == slot.size_bytes), None)
    heard = next((r for r in reversed(server) if r.size_bytes == slot.size_bytes), None)
    outcome, message = _verdict(slot, row, client, server, (client_error, server_error), duration_s)
    used = row if row is not None and outcome == Outcome.OK else None
    mtus = [r.mtu_bytes for r in (row, heard) if r is not None and r.mtu_bytes is not None]
    if len(set(mtus)) > 1:
        note = f"path MTU {mtus[0]} at the client, {mtus[1]} at the server"
        message = f"{message}; {note}" if message else note
    return PairResult(
        round=slot.round,
        client=slot.client,
        server=slot.server,
        rail=slot.rail,
        tool=slot.tool,
        memory=slot.memory,
        mechanism=slot.mechanism,
        bidirectional=slot.bidirectional,
        client_device=slot.client_device,
        server_device=slot.server_device,
        client_port=slot.client_netdev,
        server_port=slot.server_netdev,
        size_bytes=slot.size_bytes,
        qps=slot.qps,
        traffic_class=slot.traffic_class,
        line_rate_bps=slot.line_rate_bps,
        block=slot.block,
        bandwidth_bps=used.bandwidth_bps if used else None,
        latency_typical_us=used.latency_typical_us if used else None,
        latency_p99_us=used.latency_p99_us if used else None,
        latency_p999_us=used.latency_p999_us if used else None,
        mtu_bytes=min(mtus) if used and mtus else None,
        outcome=str(outcome),
        message=message or None,
        started=started,
        duration_s=duration_s,
    )


def _verdict(
    slot: Slot,
    row: PerftestRow | None,
    client: Sequence[PerftestRow],
    server: Sequence[PerftestRow],
    errors: tuple[str, str],
    duration_s: float | None,
) -> tuple[str, str]:
    failed = [*_failures("client", client, errors[0]), *_failures("server", server, errors[1])]
    if row is not None and not any(end == "client" for end, _, _ in failed):
        against = _contradictions(slot, row, server)
        if against:
            return Outcome.CONTRADICTION, "; ".join(against)
        return Outcome.OK, "; ".join(f"{end}: {words or outcome}" for end, outcome, words in failed)
    if not failed:
        sizes = sorted({r.size_bytes for r in client})
        asked = f"{slot.size_bytes} bytes were asked for, the client printed {sizes or 'nothing'}"
        return (Outcome.CONTRADICTION if sizes else Outcome.NO_RESULT), asked
    end, outcome, words = min(failed, key=lambda one: CAUSES.index(Outcome(one[1])))
    differing = _differences(client, server) if outcome == Outcome.PEER_DIED else []
    if differing:
        return Outcome.OPTION_MISMATCH, "; ".join(differing)
    if outcome == Outcome.NO_SERVER and (duration_s or 0.0) >= NEIGHBOUR_FAILS_AFTER_S:
        outcome = Outcome.HOST_ABSENT
    return outcome, f"{end}: {words}" if words else ""


def _failures(end: str, rows: Sequence[PerftestRow], error: str) -> list[tuple[str, str, str]]:
    """(end, outcome, words) of everything that went wrong there; a server's mislabelled figures are never used."""
    if error and not rows:
        return [(end, Outcome.NOT_DELIVERED, error)]
    harmless = (Outcome.OK, Outcome.UNIT_MISMATCH) if end == "server" else (Outcome.OK,)
    return [(end, r.outcome, r.message or "") for r in rows if r.outcome and r.outcome not in harmless]


def _differences(client: Sequence[PerftestRow], server: Sequence[PerftestRow]) -> list[str]:
    """In which options the ends differ by their own words: each then sees only that the other one left."""
    found = []
    for field, what in (("tool", "program"), ("qps", "queue pairs"), ("connection", "transport")):
        said = [next((getattr(r, field) for r in rows if getattr(r, field)), None) for rows in (client, server)]
        if None not in said and said[0] != said[1]:
            found.append(f"{what} {said[0]} at the client, {said[1]} at the server")
    return found


def _contradictions(slot: Slot, row: PerftestRow, server: Sequence[PerftestRow]) -> list[str]:
    """What an end says of its test that is not what the slot asked for."""
    told: list[tuple[str, str, object, object]] = [
        ("client", "tool", row.tool or None, slot.tool),
        ("client", "device", row.device, slot.client_device),
        ("client", "GID index", row.gid_index, slot.client_gid_index),
        ("client", "queue pairs", row.qps, slot.qps),
        ("client", "bidirectional", row.bidirectional, slot.bidirectional),
    ]
    for heard in server:
        if heard.size_bytes:
            told += [
                ("server", "tool", heard.tool or None, slot.tool),
                ("server", "device", heard.device, slot.server_device),
                ("server", "GID index", heard.gid_index, slot.server_gid_index),
                ("server", "queue pairs", heard.qps, slot.qps),
                ("server", "message size", heard.size_bytes, slot.size_bytes),
            ]
    return [
        f"{what} {said} at the {end}, {asked} in the plan"
        for end, what, said, asked in told
        if said is not None and asked is not None and said != asked
    ]

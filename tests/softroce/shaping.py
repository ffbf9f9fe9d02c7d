"""What a port does to traffic: a rate, loss, delay; the ``tc`` commands for it."""

from dataclasses import dataclass
from enum import Enum

from .fabric import SLOWEST_SENDER_MBIT, Fabric, Host, rail_interface

_QUEUE_BYTES = 8 << 20
"""Longer than all that sixteen queue pairs may have in flight at 4096 bytes, so that a rate alone never drops."""
_BURST_S = 0.2
"""Credit that a port saves up: what a busy machine keeps it from sending for so long is sent afterwards."""
_QUEUE_PACKETS = 10_000


class Direction(Enum):
    """As the host sees it: what it receives is shaped at the switch's port, what it sends at its own."""

    RECEIVE = "receive"
    SEND = "send"


@dataclass(frozen=True)
class Shape:
    """Zero means: leave alone.

    Attributes:
        rate_mbit: Mbit/s on the wire.
        loss_percent: packets dropped at random, of all that pass.
        delay_ms: added to every packet.
    """

    rate_mbit: float = 0
    loss_percent: float = 0
    delay_ms: float = 0


def shape_commands(host: Host, rail: int, direction: Direction, shape: Shape) -> list[str]:
    """Shell commands for the switch that give a port this shape and take away the one it had."""
    if direction is Direction.SEND and 0 < shape.rate_mbit < SLOWEST_SENDER_MBIT:
        raise ValueError(f"{host.name} must not send slower than {SLOWEST_SENDER_MBIT} Mbit/s: perftest would hang")
    if direction is Direction.RECEIVE:
        tc, device = "tc", host.switch_port(rail)
    else:
        tc, device = f"tc -n {host.name}", rail_interface(rail)
    parents = iter(("root handle 1:", "parent 1:1 handle 2:"))
    commands = [f"{tc} qdisc del dev {device} root 2>/dev/null || true"]
    return commands + [f"{tc} qdisc add dev {device} {next(parents)} {qdisc}" for qdisc in _qdiscs(shape)]


def healthy_commands(fabric: Fabric) -> list[str]:
    """Shell commands for the switch that give every port the fabric's rate, both ways, and nothing else."""
    return [
        command
        for host in fabric.hosts
        for rail in range(fabric.rails)
        for direction in Direction
        for command in shape_commands(host, rail, direction, Shape(rate_mbit=fabric.rate_mbit))
    ]


def _qdiscs(shape: Shape) -> list[str]:
    """Outermost first: tc-netem(8) has the rate control inside, as netem's child."""
    netem = []
    if shape.loss_percent:
        netem.append(f"loss {shape.loss_percent:g}%")
    if shape.delay_ms:
        netem.append(f"delay {shape.delay_ms:g}ms")
    qdiscs = [f"netem limit {_QUEUE_PACKETS} {' '.join(netem)}"] if netem else []
    if shape.rate_mbit:
        burst = round(shape.rate_mbit * 1e6 / 8 * _BURST_S)
        qdiscs.append(f"tbf rate {shape.rate_mbit:g}mbit burst {burst} limit {_QUEUE_BYTES}")
    return qdiscs

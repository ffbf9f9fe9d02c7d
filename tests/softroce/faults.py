"""What can be done to a running lab: ports that lose, delay or hold back traffic, and their repair."""

from .lab import Lab
from .shaping import Direction, Shape, healthy_commands, shape_commands


def shape(lab: Lab, host: str, direction: Direction, wanted: Shape, *, rail: int = 0) -> None:
    """Give one direction of a host's port this shape instead of the one it has."""
    lab.on_switch(*shape_commands(lab.fabric.host(host), rail, direction, wanted))


def restore(lab: Lab) -> None:
    """Make every port healthy again."""
    lab.on_switch(*healthy_commands(lab.fabric))


def lose(lab: Lab, host: str, percent: float, direction: Direction = Direction.SEND) -> None:
    """Drop packets of this host at random; its rate stays."""
    shape(lab, host, direction, Shape(rate_mbit=lab.fabric.rate_mbit, loss_percent=percent))


def slow_down(lab: Lab, host: str, share: float, direction: Direction) -> None:
    """Let through only this share of the fabric's rate."""
    shape(lab, host, direction, Shape(rate_mbit=lab.fabric.rate_mbit * share))

"""Listings of RDMA devices in blocks: a heading for a device, one for each port, ``key: value`` lines below."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.platforms.hosts.linux.sysfs import Value
from fabric_audit.platforms.model import Skipped
from fabric_audit.platforms.text import numbered, torn, whole

_PAIR = re.compile(r"\s*(?P<key>[\w\[](?:[\w\[\] ]*[\w\]])?):\s*(?P<value>(?!.*[A-Za-z_\]]:(?:\s|$)).*)")
_REST = re.compile(r"[\w.,]+")
"""A line that may be the end of the one above."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How one tool prints its blocks.

    ``device`` and ``port`` are the headings, with groups of those names; a port heading may name its device too.
    ``of_device`` and ``of_port`` are the keys that are read; all others are passed over.
    """

    device: re.Pattern[str]
    port: re.Pattern[str]
    of_device: frozenset[str]
    of_port: frozenset[str]


_NOISE = "a heading, or KEY: VALUE"
DEVICE = -1
"""``port`` of the block of a device; switches do have a port 0."""


@dataclass(slots=True)
class Block:
    """What stands below one heading."""

    device: str
    port: int
    line: int
    values: dict[str, Value] = field(default_factory=dict)

    def get(self, key: str) -> Value | None:
        """The value of a key; None where it is missing or empty."""
        value = self.values.get(key)
        return value if value and value.text else None

    def forget(self, line: int) -> None:
        """Drop the value of a line, if it has one."""
        self.values = {key: value for key, value in self.values.items() if value.line != line}


def blocks(text: str, layout: Layout) -> Iterator[Block | Skipped]:
    """The blocks of a listing, in order.

    A key that belongs to the other kind of block, or stands there already, means that a heading is lost: the lines
    up to the next device are skipped, for nobody knows whose they are.
    """
    block: Block | None = None
    for number, line in numbered(whole(text)):
        heading = _heading(line, layout, block.device if block else "", number)
        problem = "" if heading else _put(line, number, block, layout)
        if block and _REST.fullmatch(line):
            block.forget(number - 1)
        if block and (heading or problem not in ("", _NOISE)):
            yield block
            block = None
        if heading and heading.device:
            block = heading
        elif heading:
            problem = "the heading of a device before that of a port"
        if problem:
            yield Skipped(number, line, problem)
    if block:
        yield block
    yield from torn(text)


def _heading(line: str, layout: Layout, current: str, number: int) -> Block | None:
    if found := layout.device.fullmatch(line):
        return Block(found["device"], DEVICE, number)
    if found := layout.port.fullmatch(line):
        return Block(found.groupdict().get("device") or current, int(found["port"]), number)
    return None


def _put(line: str, number: int, block: Block | None, layout: Layout) -> str:
    """Put a line's value into the block; or the reason why it cannot be."""
    pair = _PAIR.fullmatch(line)
    key = pair["key"] if pair else ""
    if not pair or not (key in layout.of_device or key in layout.of_port):
        return _NOISE if line and not line[0].isspace() else ""
    if block is None:
        return "the heading of a device: one is lost"
    if key in block.values:
        return f"the heading of another block before a second {key}"
    if key not in (layout.of_device if block.port == DEVICE else layout.of_port):
        return f"another heading before {key}"
    block.values[key] = Value(pair["value"].strip(), number)
    return ""


def lost_ports(device: Block | None, ports: int, key: str) -> Iterator[Skipped]:
    """The device as skipped, if it says by ``key`` that it has another number of ports than were listed."""
    count = device.get(key) if device else None
    if device and (count is None or count.text != str(ports)):
        told = count.text if count else "an unknown number of"
        yield Skipped(device.line, device.device, f"{told} ports, not {ports}")

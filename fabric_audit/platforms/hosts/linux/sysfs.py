"""Attributes the kernel shows below one folder of ``/sys``, as ``grep -H ''`` prints them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabric_audit.platforms.hosts.linux.paths import PATHLESS, PCI_ADDRESS
from fabric_audit.platforms.model import Output, Skipped
from fabric_audit.platforms.text import numbered, torn, whole, whole_rows

_PATH = rf"(?:(?:[^:/]+|{PCI_ADDRESS})/)*[^:/]+"


@dataclass(frozen=True, slots=True)
class Value:
    """The content of one attribute and the line it stands on."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Tree:
    """Attributes by device, then by path below the device; and the lines that are none."""

    devices: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()

    def get(self, device: str, path: str) -> Value | None:
        """The value of an attribute; None where the kernel showed none, or an empty one."""
        value = self.devices[device].get(path)
        return value if value and value.text else None


def tree(output: Output, folder: str) -> Tree:
    """What stands below ``folder``, such as ``/sys/class/net``.

    A path that begins with ``./`` is one below the folder of ``output.item``. Of an attribute with several lines
    the first counts. A value with ``/sys/`` in it is two lines that became one; a line without a path may be the rest
    of the one above, which is skipped as well.
    """
    pattern = re.compile(rf"(?:{re.escape(folder)}/(?P<device>[^/\s]+)|\.)/(?P<path>{_PATH}):(?P<text>(?!.*/sys/).*)")
    devices: dict[str, dict[str, Value]] = {}
    skipped: list[Skipped] = []
    for number, line, found in whole_rows(numbered(whole(output.stdout)), pattern, PATHLESS):
        device = (found["device"] or output.item) if found else ""
        if found and device:
            devices.setdefault(device, {}).setdefault(found["path"], Value(found["text"].strip(), number))
        else:
            skipped.append(Skipped(number, line, f"{folder}/DEVICE/ATTRIBUTE:VALUE on a line of its own"))
    return Tree(devices, (*skipped, *torn(output.stdout)))


def below(paths: Mapping[str, Value], pattern: str) -> Iterator[tuple[tuple[str, ...], Value]]:
    """(what the groups of ``pattern`` matched, value) of every path that matches it whole, numbers in order."""
    compiled = re.compile(pattern)
    found = [(match.groups(), value) for path, value in paths.items() if (match := compiled.fullmatch(path))]
    yield from sorted(found, key=lambda pair: [(int(g), "") if g.isdecimal() else (-1, g) for g in pair[0]])

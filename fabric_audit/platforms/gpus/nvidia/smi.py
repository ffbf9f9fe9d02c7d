"""What every form of nvidia-smi has in common: its refusals, and how it writes an address."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Missing, Output, Why
from fabric_audit.platforms.text import plain

_NO_DEVICES = re.compile(r"No devices were found", re.IGNORECASE)
_CANNOT = re.compile(
    r"NVIDIA-SMI has failed because"
    r"|Failed to initialize NVML"
    r"|NVML: Driver is not loaded"
    r"|couldn't find libnvidia-ml"
    r"|Unable to determine the device handle for"
    r"|(Option|Argument|Field) .* is not (a )?(valid|recognized|supported)"
    r"|Invalid combination of input arguments"
    r"|not supported on this (platform|system|device)"
    r"|Insufficient Permissions",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:([0-9A-Fa-f]{4,8}):)?([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})\.([0-7])")


def refusals(output: Output, *tables: type[Fact]) -> Iterator[Missing]:
    """nvidia-smi's own no, for each table it keeps from us; nothing when it did answer.

    ``No devices were found`` (exit status 6) is an answer: there is no GPU. A driver that is not loaded (9), a
    library that does not match it (18) and a GPU that fell off the bus (15) are refusals.
    Source: nvidia-smi(1), RETURN VALUE.
    """
    for line in (*plain(output.stdout).split("\n"), *plain(output.stderr).split("\n")):
        absent = _NO_DEVICES.search(line)
        if absent or _CANNOT.search(line):
            for table in tables:
                yield Missing(table.TABLE, Why.ABSENT if absent else Why.NOT_SUPPORTED, line.strip())
            return


def pci_address(text: str, line: int) -> str:
    """The kernel's spelling (``0000:1a:00.0``) of nvidia-smi's ``00000000:1A:00.0``.

    Raises:
        ParseError: the text is no PCI address.
    """
    found = _ADDRESS.fullmatch(text.strip())
    if not found:
        raise ParseError(line, text, "a PCI address such as 00000000:1A:00.0")
    domain, bus, device, function = found.groups()
    return f"{int(domain or '0', 16):04x}:{bus}:{device}.{function}".lower()

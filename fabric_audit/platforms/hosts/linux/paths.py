"""Where the links of ``/sys`` lead, and the PCI address in a path."""

import re
from collections.abc import Iterator

from fabric_audit.platforms.model import Output, Skipped
from fabric_audit.platforms.text import numbered, torn, whole, whole_rows

PCI_ADDRESS = r"[0-9a-f]{4,8}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]"
_ADDRESS = re.compile(PCI_ADDRESS)
PATHLESS = re.compile(r"(?!\./|/sys/)")
"""How a line begins that goes on with the one above, where every line begins with its path."""
_LINE = re.compile(r"(?P<path>/sys/\S+) -> (?P<real>/\S+)")


def links(output: Output) -> Iterator[tuple[int, str, str] | Skipped]:
    """(line, path, real path) of every line of a section of links; the lines that are none as skipped.

    The line above one that is no link may be its other half, and is skipped as well.
    """
    for number, line, match in whole_rows(numbered(whole(output.stdout)), _LINE, PATHLESS):
        if match:
            yield number, match["path"], match["real"]
        else:
            yield Skipped(number, line, "/sys/PATH -> /REAL/PATH on a line of its own")
    yield from torn(output.stdout)


def pci_chain(real: str) -> tuple[str, ...]:
    """The PCI functions a real path passes, from the root port down; empty for what has no PCI function."""
    return tuple(part for part in real.split("/") if _ADDRESS.fullmatch(part))


def pci_root(real: str) -> str | None:
    """The host bridge of a real path, such as ``0000:16``; None for what has no PCI function."""
    found = re.search(r"/pci([0-9a-f]{4,8}:[0-9a-f]{2})/", real)
    return found[1] if found else None

"""Port counters of InfiniBand ports as ``perfquery`` prints them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter
from fabric_audit.platforms.counter_meanings import counter_fact, counter_tables
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import (
    Answer,
    Each,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    When,
    Why,
    section,
)
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole, whole_rows

_HEADER = re.compile(
    r"# Port (?P<kind>extended counters|counters): (?P<whom>.+?) port (?P<port>[0-9]{1,3})"
    r"(?: \(CapMask: 0x(?P<mask>[0-9A-Fa-f]+)(?: CapMask2: 0x(?P<mask2>[0-9A-Fa-f]+))?\))?"
)
_ROW = re.compile(r"(?P<name>[A-Z]\w*):\.*(?P<value>0x[0-9A-Fa-f]+|[0-9]{1,20})")
_DIGIT = re.compile("[0-9]")
_SELECTS = ("PortSelect", "CounterSelect", "CounterSelect2")
_ERRORS_IN_64_BITS = 0x2
_ALL_PORTS = "255"


@dataclass(frozen=True, slots=True)
class _Port:
    name: str
    extended: bool
    has_errors: bool
    whole: bool = True


@section(
    "perfquery",
    Each("rdma_devices", Run("perfquery", "-x", "-C", "{}", root=True)),
    yields=(Counter,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
def parse_perfquery(output: Output) -> Iterator[Answer]:
    """``perfquery``: counters of the performance management agent (PMA) of a port, of any node of the fabric.

    For a host's own ports the kernel's ``counters`` files show the same, so it is asked only on request; never with
    ``-r`` or ``-R``, which clear. Dots fill the way from name to value. ``Port counters`` have 4, 8, 16 and 32 bits
    and stop at their largest value; ``Port extended counters`` (``-x``) have 64. Data counters count words of four
    bytes. Without the bit 0x2 of CapMask2 a port has no error counters in 64 bits, and older versions print zeros
    there all the same: these are told without a value. ``port 255`` is the sum over all ports. Source: rdma-core
    ``infiniband-diags/perfquery.c``, ``libibmad/dump.c`` and ``fields.c``.
    """
    missing = tuple(refused(output, Counter)) or tuple(_no_answer(output))
    if missing:
        yield from missing
        return
    yield from some(consistent(_counters(output)), output, "NAME:......NUMBER below a header of perfquery")


def _no_answer(output: Output) -> Iterator[Missing]:
    found = re.search(r"^.*(?:can't open UMAD port|iberror: failed|Failed to open).*$", output.stderr, re.MULTILINE)
    if found and not output.stdout.strip():
        yield Missing("counter", Why.NOT_SUPPORTED, found[0].strip())


def _counters(output: Output) -> Iterator[Answer]:
    port: _Port | None = None
    for number, line, row in whole_rows(numbered(whole(output.stdout)), _ROW, _DIGIT):
        if header := _HEADER.fullmatch(line):
            port = _port(header, output.item)
        elif port is None:
            raise ParseError(number, line, "# Port (extended) counters: Lid N port N")
        elif row and row["name"] == "PortSelect":
            port = replace(port, whole=port.name.endswith(("/all", f"/{row['value']}")))
        elif row and not port.whole:
            yield Skipped(number, line, "a header with the port that PortSelect names")
        elif row and row["name"] not in _SELECTS:
            yield _counter(port, row, number)
        elif not row:
            yield Skipped(number, line, "NAME:......NUMBER")
    if port is None:
        raise ParseError(0, output.stdout, "# Port (extended) counters: Lid N port N")
    yield from torn(output.stdout)


def _port(header: re.Match[str], item: str) -> _Port:
    whom = item or header["whom"].replace("Lid ", "lid")
    port = "all" if header["port"] == _ALL_PORTS else header["port"]
    extended = header["kind"] == "extended counters"
    mask2 = int(header["mask2"], 16) if header["mask2"] else 0
    return _Port(f"{whom}/{port}", extended, not extended or bool(mask2 & _ERRORS_IN_64_BITS))


def _counter(port: _Port, row: re.Match[str], number: int) -> Counter:
    made = counter_fact(
        counter_tables()["perfquery"].meaning(row["name"]),
        port=port.name,
        name=row["name"],
        value=int(row["value"], 16 if row["value"].startswith("0x") else 10),
        source="perfquery",
        line=number,
    )
    if port.extended:
        wide = replace(made, bits=64, saturates=False)
        return wide if port.has_errors or made.counter_class == "traffic" else replace(wide, value=None)
    return made

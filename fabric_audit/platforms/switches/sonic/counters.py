"""Counters of ports: packets, errors, drops, FEC, flaps."""

import re
from collections.abc import Iterator, Mapping

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Transceiver
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import ended, settled
from fabric_audit.platforms.switches.sonic.polling import PORT_S
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows
from fabric_audit.platforms.text import decimal, integer, numbered, plain

_COLUMNS: Mapping[str, CounterClass] = {
    "RX_OK": CounterClass.TRAFFIC,
    "RX_ERR": CounterClass.WIRE_ERROR,
    "RX_DRP": CounterClass.LOSS,
    "RX_OVR": CounterClass.OTHER,
    "TX_OK": CounterClass.TRAFFIC,
    "TX_ERR": CounterClass.WIRE_ERROR,
    "TX_DRP": CounterClass.LOSS,
    "TX_OVR": CounterClass.OTHER,
}


@section(
    "show-interfaces-counters",
    Cli("show interfaces counters"),
    yields=(Counter,),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
)
def show_interfaces_counters(output: Output) -> Iterator[Answer]:
    """``show interfaces counters``: packets, errors and drops of each port.

    ``DRP`` are ifInDiscards and ifOutDiscards of RFC 2863: packets without error that were not forwarded, so RX_DRP
    also counts what filters and VLANs refuse. ``OVR`` are *oversized* packets
    (SAI_PORT_STAT_ETHER_RX_OVERSIZE_PKTS), not overruns. Rates (BPS, UTIL) are left out. The values are
    differences to the last ``sonic-clear counters`` of the user who is logged in. Source: sonic-utilities
    utilities_common/portstat.py.
    """
    yield from read_rows(output.stdout, ("IFACE", "RX_OK", "RX_DRP", "TX_OK", "TX_DRP"), _port, (Counter,))


def _port(row: Row) -> Iterator[Answer]:
    for name, meaning in _COLUMNS.items():
        if name in row.cells:
            yield counter(row.port("IFACE"), name, row.count(name), meaning, line=row.line)


def counter(
    port: str,
    name: str,
    value: int | None,
    meaning: CounterClass,
    *,
    unit: str = "packets",
    line: int | None = None,
) -> Counter:
    """A counter of a port as its users see it: since they cleared it, polled once a second."""
    return Counter(
        port=port,
        name=name,
        value=value,
        counter_class=meaning,
        unit=unit,
        bits=64,
        scope="since_clear",
        refresh_s=PORT_S,
        line=line,
    )


@section(
    "show-interfaces-counters-fec-stats",
    Cli("show interfaces counters fec-stats"),
    yields=(Counter, Transceiver),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def show_interfaces_counters_fec_stats(output: Output) -> Iterator[Answer]:
    """``show interfaces counters fec-stats``: corrected and lost FEC codewords of each port, and its bit error ratios.

    ``FEC_UNCORR`` are codewords that were lost; corrected ones are normal on links with PAM4. Columns after
    ``FEC_SYMBOL_ERR`` vary by version: ``FEC_PRE_BER`` and ``FEC_POST_BER`` are read, ``FLR`` and ``FEC_MAX_T`` are
    left out. Differences to the last ``sonic-clear counters`` of the user. Source: utilities_common/portstat.py.
    """
    required = ("IFACE", "FEC_CORR", "FEC_UNCORR", "FEC_SYMBOL_ERR")
    yield from read_rows(output.stdout, required, _fec, (Counter,))


_FEC: Mapping[str, tuple[CounterClass, str]] = {
    "FEC_CORR": (CounterClass.QUALITY, "frames"),
    "FEC_UNCORR": (CounterClass.WIRE_ERROR, "frames"),
    "FEC_SYMBOL_ERR": (CounterClass.QUALITY, "events"),
}


def _fec(row: Row) -> Iterator[Answer]:
    port = row.port("IFACE")
    for name, (meaning, unit) in _FEC.items():
        yield counter(port, name, row.count(name), meaning, unit=unit, line=row.line)
    before = decimal(row.get("FEC_PRE_BER"), row.line, "a bit error ratio")
    after = decimal(row.get("FEC_POST_BER"), row.line, "a bit error ratio")
    if before is not None or after is not None:
        yield Transceiver(port=port, pre_fec_ber=before, post_fec_ber=after, line=row.line)


@section(
    "show-interfaces-counters-detailed",
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
)
def show_interfaces_counters_detailed(output: Output) -> Iterator[Answer]:
    """``show interfaces counters detailed PORT``: one counter a line, its name led by dots to its value.

    The text does not name the port: it is taken from the echoed command, and empty without one. Drops by WRED are
    told by colour; ``Trimmed Dropped`` are packets that were lost although the switch trims. Source:
    utilities_common/portstat.py.
    """
    port = output.item or port_of_echo(output.stdout)
    yield from settled(_detailed(output.stdout, port), (Counter,), "no counter")


_DOTTED = re.compile(r"([A-Z][\w -]*?)\.{2,} ?(-?[\d,]+|N/A)")
_CLEARED = "Time Since Counters Last Cleared"
_MEANINGS = (
    (r"WRED .*Dropped|Trimmed Dropped", CounterClass.LOSS),
    (r"Trimmed", CounterClass.CONGESTION),
    (r"Jabbers|Fragments|Undersize", CounterClass.WIRE_ERROR),
    (r"Packets (Received|Transmitted)|Total Packets|(Unicast|Multicast|Broadcast) Packets", CounterClass.TRAFFIC),
)


def _detailed(text: str, port: str) -> Iterator[Answer]:
    whole, cut = ended(text)
    for number, line in numbered(whole):
        found = _DOTTED.fullmatch(line)
        if found:
            meanings = (meaning for pattern, meaning in _MEANINGS if re.match(pattern, found[1]))
            meaning = next(meanings, CounterClass.OTHER)
            yield counter(port, found[1], integer(found[2], number), meaning, line=number)
        elif not is_noise(line) and not line.startswith(_CLEARED):
            yield Skipped(number, line, "a name, dots and a number")
    yield from cut


@section("show-interfaces-errors", yields=(Counter,), proven=Provenance.DOCUMENT)
def show_interfaces_errors(output: Output) -> Iterator[Answer]:
    """``show interfaces errors PORT``: how often each kind of fault was seen since the switch started; since 2024.

    The text does not name the port: it is taken from the echoed command, and empty without one. Faults of the MAC
    (local, remote), of FEC and of the signal: all of them are the cable, the module or the other end. Source:
    sonic-utilities show/interfaces and sonic-swss PORT_OPERR_TABLE.
    """
    port = output.item or port_of_echo(output.stdout)

    def read(row: Row) -> Iterator[Answer]:
        if not re.fullmatch(r"[a-z]+(?: [a-z]+)+", row["Port Errors"]):
            raise ParseError(row.line, row["Port Errors"], "a kind of fault such as mac local fault")
        yield Counter(
            port=port,
            name=row["Port Errors"],
            value=row.count("Count"),
            counter_class=CounterClass.WIRE_ERROR,
            unit="events",
            scope="absolute",
            line=row.line,
        )

    yield from read_rows(output.stdout, ("Port Errors", "Count"), read, (Counter,))


def port_of_echo(text: str) -> str:
    """The interface that the echoed command names; empty where there is no echo."""
    found = re.search(r"^.*[$#] ?(?:sudo )?show .*?\b(Ethernet\S+|PortChannel\S+)", plain(text), re.MULTILINE)
    return found[1] if found else ""


@section("show-interfaces-flap", Cli("show interfaces flap"), yields=(Counter,), proven=Provenance.DOCUMENT)
def show_interfaces_flap(output: Output) -> Iterator[Answer]:
    """``show interfaces flap``: how often each port went up or down since the switch started; ``Never`` is zero."""

    def read(row: Row) -> Iterator[Answer]:
        yield Counter(
            port=row.port("Interface"),
            name="Flap Count",
            value=0 if row["Flap Count"] == "Never" else row.count("Flap Count"),
            counter_class=CounterClass.FLAP,
            unit="events",
            scope="absolute",
            line=row.line,
        )

    yield from read_rows(output.stdout, ("Interface", "Flap Count"), read, (Counter,))

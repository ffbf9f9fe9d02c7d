"""Counters of ports: packets, errors, drops, FEC, flaps."""

from collections.abc import Iterator, Mapping

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.sonic.polling import PORT_S
from fabric_audit.platforms.switches.sonic.simple_tables import Row, read_rows

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
            yield counter(row["IFACE"], name, row.count(name), meaning, line=row.line)


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

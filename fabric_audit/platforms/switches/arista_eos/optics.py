"""Pluggable modules of EOS, and what FEC corrects on their links."""

import re
from collections.abc import Iterator

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Transceiver
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.arista_eos.names import canonical, kind
from fabric_audit.platforms.text import numbered, some, torn, whole

_COPPER = re.compile(r"-(CR|CRA|CRS)\d?\b|\bDAC\b|Twinax", re.IGNORECASE)
_LANE = re.compile(r"(.+)/(\d+)")
_CORRECTED = {
    "FEC corrected codewords": CounterClass.QUALITY,
    "FEC uncorrected codewords": CounterClass.WIRE_ERROR,
}


@section(
    "show-interfaces-transceiver-json",
    Cli("show interfaces transceiver | json"),
    yields=(Transceiver,),
    proven=Provenance.DOCUMENT,
    timeout_s=60.0,
)
def parse_transceiver_json(output: Output) -> Iterator[Answer]:
    """``show interfaces transceiver | json``: light and temperature per port under ``interfaces``.

    ``rxPower`` and ``txPower`` are in dBm; -30 is what EOS prints for no light. A copper cable and an empty cage
    have no readings: an entry without members is no module.

    Source: the model of Arista's eAPI as seen on EOS 4.26.
    """
    ports = document(output.stdout).need("interfaces")
    found = False
    for name, node in ports.members():
        if not node.empty:
            found = True
            yield _transceiver(name, node)
    if not found:
        yield Missing(Transceiver.TABLE, Why.ABSENT, "no port has a module with readings")


def _transceiver(name: str, node: Node) -> Transceiver:
    node.need("mediaType", "temperature", "rxPower")
    media = node.get("mediaType").text() or ""
    return Transceiver(
        port=name,
        part=media or None,
        passive=bool(_COPPER.search(media)) if media else None,
        temperature_c=node.get("temperature").decimal(),
        rx_power_dbm=_dbm(node.get("rxPower")),
        tx_power_dbm=_dbm(node.get("txPower")),
        line=node.line,
    )


def _dbm(node: Node) -> str | None:
    value = node.decimal()
    return None if value is None else f"{value:.2f}"


@section(
    "show-interfaces-phy-detail",
    Cli("show interfaces phy detail", heavy=True),
    yields=(Counter,),
    proven=Provenance.CONSTRUCTED,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_phy_detail(output: Output) -> Iterator[Answer]:
    """``show interfaces phy detail`` as text: of its many lines, the codewords that FEC corrected and lost.

    A port's block starts with its name alone on a line. An uncorrected codeword is a lost frame; corrected ones are
    normal on links of 50 Gb/s a lane and faster. The first number of a line is the counter, the rest tells when it
    last changed. Ports without FEC have no such lines.

    Source: the two lines as read on EOS 4.26; the lines around them were not seen.
    """
    yield from some(_codewords(output.stdout), output, "blocks of ports with `FEC corrected codewords`")
    yield from torn(output.stdout)


def _codewords(text: str) -> Iterator[Answer]:
    port = ""
    counters = 0
    for number, line in numbered(whole(text)):
        heading = canonical(line.strip().rstrip(":"))
        if line and not line.startswith(" ") and kind(heading):
            port = heading
        counted = re.match(r"\s+(FEC (?:un)?corrected codewords)\s+(\d+)(?:\s|$)", line)
        if counted and port:
            counters += 1
            yield Counter(
                port=port,
                name=counted[1],
                value=int(counted[2]),
                counter_class=_CORRECTED[counted[1]],
                unit="events",
                scope="since_clear",
                source="show interfaces phy detail",
                line=number,
            )
    if port and not counters:
        yield Missing(Counter.TABLE, Why.ABSENT, "no port counts codewords: none runs FEC")

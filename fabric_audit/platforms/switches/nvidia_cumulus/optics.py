"""Pluggable modules of Cumulus Linux."""

import re
from collections.abc import Iterator

from fabric_audit.facts.ports import Transceiver
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section

_POWER = re.compile(r"(?:[\d.]+ ?mW ?/ ?)?(-?[\d.]+|-inf) ?dBm")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?![\d.,])")


@section(
    "nv-show-platform-transceiver-detail-json",
    Cli("nv show platform transceiver detail -o json"),
    yields=(Transceiver,),
    proven=Provenance.CONSTRUCTED,
    timeout_s=120.0,
)
def parse_transceivers(output: Output) -> Iterator[Answer]:
    """``nv show platform transceiver detail -o json``: modules per port, light per ``channel``.

    Powers read ``0.7433 mW / -1.29 dBm``. A port without a module has no vendor and is left out. Copper has no light.

    Source: member names as the NAPALM driver for NVUE reads them, and the NVUE command reference.
    """
    found = False
    for port, node in document(output.stdout).members():
        if node.get("vendor-part-number", "vendor-pn").there or node.get("channel").there:
            found = True
            yield _transceiver(port, node)
    if not found:
        yield Missing(Transceiver.TABLE, Why.ABSENT, "no port has a module")


def _transceiver(port: str, node: Node) -> Transceiver:
    lanes = sorted(node.get("channel").members(), key=lambda lane: (len(lane[0]), lane[0]))
    cable = node.get("cable-type").text()
    return Transceiver(
        port=port,
        part=node.get("vendor-part-number", "vendor-pn").text() or None,
        vendor=node.get("vendor-name").text() or None,
        serial=node.get("vendor-sn", "vendor-serial-number").text() or None,
        form=node.get("identifier").text() or None,
        passive="passive" in cable.lower() if cable else None,
        length_m=_first(node.get("cable-length")),
        temperature_c=_first(node.get("temperature").get("temperature")) if lanes else None,
        rx_power_dbm=_powers(lanes, "rx-power"),
        tx_power_dbm=_powers(lanes, "tx-power"),
        line=node.line,
    )


def _first(node: Node) -> float | None:
    found = _NUMBER.match(node.text() or "")
    return float(found[0]) if found else None


def _powers(lanes: list[tuple[str, Node]], name: str) -> str | None:
    found = [_POWER.fullmatch(lane.get(name).get("power").text() or "") for _, lane in lanes]
    shown = [one[1] for one in found if one]
    return ",".join(shown) if shown and len(shown) == len(lanes) else None

"""Pluggable modules of NX-OS."""

import re
from collections.abc import Iterator, Sequence

from fabric_audit.facts.ports import Transceiver
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical
from fabric_audit.platforms.switches.cisco_nxos.rows import rows

_COPPER = re.compile(r"-(CU|CR|ACU)\d*(\.\d)?M?\b|-CU\d", re.IGNORECASE)


@section(
    "show-interface-transceiver-details-json",
    Cli("show interface transceiver details | json"),
    yields=(Transceiver,),
    proven=Provenance.DOCUMENT,
    timeout_s=60.0,
)
def parse_transceiver_json(output: Output) -> Iterator[Answer]:
    """``show interface transceiver details | json``: one row per cage, with light per lane in ``TABLE_lane``.

    ``sfp`` is ``present`` or not; a copper cable has no lanes. Light is in dBm; ``N/A`` is none.

    Source: the keys as Cisco's nxapi tools and pyATS read them.
    """
    top = document(output.stdout)
    found = False
    for node in rows(top, "interface"):
        if (node.need("sfp").text() or "") == "present":
            found = True
            yield _transceiver(node)
    if not found:
        top.need("TABLE_interface")
        yield Missing(Transceiver.TABLE, Why.ABSENT, "no cage holds a module")


def _transceiver(node: Node) -> Transceiver:
    lanes = list(rows(node, "lane")) or [node]
    kind = node.get("type").text() or ""
    part = node.get("partnum", "cisco_part_number").text()
    temperatures = [told for lane in lanes if (told := lane.get("temperature").decimal()) is not None]
    return Transceiver(
        port=canonical(node.need("interface").text() or ""),
        part=part or kind or None,
        vendor=node.get("name").text(),
        passive=bool(_COPPER.search(kind)) if kind else None,
        temperature_c=max(temperatures) if temperatures else None,
        rx_power_dbm=_light(lanes, "rx_pwr"),
        tx_power_dbm=_light(lanes, "tx_pwr"),
        line=node.line,
    )


def _light(lanes: Sequence[Node], name: str) -> str | None:
    told = [lane.get(name).decimal() for lane in lanes]
    return ",".join(f"{value:.2f}" for value in told if value is not None) or None

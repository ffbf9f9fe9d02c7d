"""Pluggable modules of Junos."""

from collections.abc import Iterator, Sequence

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Transceiver
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.juniper_junos.elements import Element, elements
from fabric_audit.platforms.text import decimal

_RX = ("laser-rx-optical-power-dbm", "rx-signal-avg-optical-power-dbm")
_TX = ("laser-output-power-dbm",)


@section(
    "show-interfaces-diagnostics-optics-xml",
    Cli("show interfaces diagnostics optics | display xml | no-more"),
    yields=(Transceiver,),
    proven=Provenance.DOCUMENT,
    timeout_s=60.0,
)
def parse_optics(output: Output) -> Iterator[Answer]:
    """``show interfaces diagnostics optics | display xml``: light per lane and temperature of each module.

    Light is in dBm, ``- Inf`` is none. Modules without readings say ``optic-diagnostics-not-available``.

    Source: element names as Juniper's PyEZ and NAPALM read them.
    """
    tree = elements(output.stdout)
    found = False
    for node in tree.find("physical-interface"):
        told = node.first("optics-diagnostics")
        if not told.children:
            continue
        found = True
        lanes = list(told.all("optics-diagnostics-lane-values")) or [told]
        temperature = told.first("module-temperature").attributes.get("celsius", "")
        yield Transceiver(
            port=node.need("name"),
            temperature_c=decimal(temperature, 0, "degrees"),
            rx_power_dbm=_light(lanes, _RX),
            tx_power_dbm=_light(lanes, _TX),
        )
    if not found:
        if not list(tree.find("interface-information")):
            raise ParseError(1, output.stdout.strip().partition("\n")[0], "an element interface-information")
        yield Missing(Transceiver.TABLE, Why.ABSENT, "no module with readings")


def _light(lanes: Sequence[Element], tags: Sequence[str]) -> str | None:
    told = []
    for lane in lanes:
        text = next((word for tag in tags if (word := lane.word(tag))), "")
        if text.replace(" ", "").lower() not in ("", "-inf"):
            told.append(decimal(text, 0, "a power in dBm"))
    return ",".join(f"{value:.2f}" for value in told if value is not None) or None

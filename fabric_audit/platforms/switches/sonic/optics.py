"""Pluggable modules of SONiC."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabric_audit.facts.ports import Transceiver
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import ended, settled
from fabric_audit.platforms.text import numbered

_HEAD = re.compile(r"(\S+): SFP EEPROM (detected|[Nn]ot detected|is not applicable for RJ45 port)")
_FIELD = re.compile(r"\s+([^:]+?): *(.*)")
_LIGHT = re.compile(r"(-?\d+(?:\.\d+)?|-inf)(?: ?dBm)?")
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?) ?C?")
_KIND = re.compile(r"[Cc]ompliance|Media Interface Technology|Application Advertisement")
_COPPER = re.compile(r"copper|\bCR\d*\b|base-?cr|passive", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Cage:
    """One port of the text, as far as it was read."""

    port: str
    line: int
    detected: bool
    told: dict[str, str] = field(default_factory=dict)


@section(
    "show-interfaces-transceiver-eeprom-dom",
    Cli("show interfaces transceiver eeprom --dom"),
    yields=(Transceiver,),
    proven=Provenance.DOCUMENT,
    timeout_s=120.0,
)
def show_transceivers(output: Output) -> Iterator[Answer]:
    """``show interfaces transceiver eeprom --dom``: a block a port, its fields indented below it.

    A cage that says ``SFP EEPROM Not detected`` holds no module. Light is told per lane as ``RX1Power: -1.2dBm``;
    ``N/A`` on any of them leaves all of them out, and so do modules without light. The values of thresholds have
    other names. Fields of compliance and application tell copper from optics.

    Source: sonic-utilities scripts/sfpshow and utilities_common/sfp_helper.py.
    """
    yield from settled(_transceivers(output.stdout), (Transceiver,), "no cage holds a module")


def _transceivers(text: str) -> Iterator[Answer]:
    cage: _Cage | None = None
    complete, cut = ended(text)
    for number, line in numbered(complete):
        head, told = _HEAD.match(line), _FIELD.fullmatch(line)
        if head:
            yield from _module(cage)
            cage = _Cage(head[1], number, head[2] == "detected")
        elif cage and told:
            cage.told.setdefault(told[1], told[2].strip())
        elif not is_noise(line) and not (cage and line[:1].isspace()):
            yield Skipped(number, line, "Ethernet0: SFP EEPROM detected, and its fields indented below")
    yield from _module(cage)
    yield from cut
    if cage is None:
        yield Skipped(0, text.strip()[:200], "Ethernet0: SFP EEPROM detected")


def _module(cage: _Cage | None) -> Iterator[Answer]:
    if cage is None or not cage.detected:
        return
    if "Vendor PN" not in cage.told:
        yield Skipped(cage.line, f"{cage.port}: SFP EEPROM detected", "Vendor PN below it")
        return
    told = cage.told
    rx, tx = _light(told, "RX"), _light(told, "TX")
    kinds = " ".join(value for name, value in told.items() if _KIND.search(name))
    yield Transceiver(
        port=cage.port,
        part=_known(told, "Vendor PN"),
        vendor=_known(told, "Vendor Name"),
        passive=not (rx or tx) and bool(_COPPER.search(kinds)),
        form=_known(told, "Identifier"),
        serial=_known(told, "Vendor SN"),
        length_m=_number(told.get("Length Cable Assembly(m)", "")) or None,
        module_state=_known(told, "Module State"),
        temperature_c=_number(told.get("Temperature", "")),
        rx_power_dbm=rx,
        tx_power_dbm=tx,
        line=cage.line,
    )


def _known(told: Mapping[str, str], name: str) -> str | None:
    value = told.get(name, "")
    return value if value not in ("", "N/A") else None


def _number(text: str) -> float | None:
    found = _NUMBER.fullmatch(text)
    return float(found[1]) if found else None


def _light(told: Mapping[str, str], way: str) -> str | None:
    lanes = [_LIGHT.fullmatch(told[name]) for n in range(1, 9) if (name := f"{way}{n}Power") in told]
    shown = [lane[1] for lane in lanes if lane]
    return ",".join(shown) if shown and len(shown) == len(lanes) else None

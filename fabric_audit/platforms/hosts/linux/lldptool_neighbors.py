"""What the neighbour of one interface announces, as ``lldptool`` of open-lldp tells it."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Neighbor
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.hosts.linux.sysfs import Value
from fabric_audit.platforms.model import Answer, Each, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import numbered, torn, whole

_END = frozenset({"End of LLDPDU TLV", "End of LLDPDU LTV"})
_TLV = re.compile(r"\S.* (?:TLV|LTV)(?::)?")
_IDS = re.compile(
    r"(?:MAC|Local|Ifname|Ifalias|Interface (?:Name|Alias)|IPv[46]|Network Address): ?(?P<value>.+)", re.IGNORECASE
)


@section(
    "lldptool",
    Each("netdevs", Run("lldptool", "-t", "-n", "-i", "{}", root=True)),
    yields=(Neighbor, PfcPort),
    proven=Provenance.DOCUMENT,
)
def parse_neighbor_tlvs(output: Output) -> Iterator[Answer]:
    """``lldptool -t -n -i IF``: the neighbour's TLVs, or one of them with ``-V``: names, ports and its PFC.

    The text does not name its interface. Lines of a TLV are indented by TAB, blanks, or both. ``PFC enabled: none``
    is none; priorities are apart by blanks, in CEE DCBX by commas. lldpad keeps one neighbour a port. The
    listing ends with ``End of LLDPDU TLV`` (older: ``LTV``); one TLV alone has no end. Source: open-lldp
    ``lldp_basman_clif.c``, ``lldp_8021qaz_clif.c``, ``lldp_dcbx_clif.c``.
    """
    missing = tuple(refused(output, Neighbor, PfcPort))
    if not missing and not output.stdout.strip() and output.rc == 0:
        missing = tuple(Missing(t.TABLE, Why.ABSENT, "lldpad has heard no neighbour") for t in (Neighbor, PfcPort))
    if missing:
        yield from missing
        return
    tlvs: dict[str, list[Value]] = {}
    yield from _tlvs(output.stdout, tlvs)
    if not tlvs:
        raise ParseError(0, output.stdout.strip(), "NAME TLV and its values")
    cut = "Port ID TLV" in tlvs and not _END & tlvs.keys()
    if cut:
        yield Skipped(output.stdout.count("\n"), list(tlvs)[-1], "End of LLDPDU TLV: more may have followed")
    facts = [*(() if cut else _neighbor(output.item, tlvs)), *_pfc(output.item, tlvs)]
    if not facts:
        raise ParseError(0, ", ".join(tlvs), "a Port ID TLV or a PFC TLV")
    yield from facts


def _tlvs(text: str, tlvs: dict[str, list[Value]]) -> Iterator[Skipped]:
    name = ""
    for number, line in numbered(whole(text)):
        if line and not line[0].isspace() and _TLV.fullmatch(line):
            name = line.removesuffix(":")
            if name in tlvs and "Management Address" not in name and "Unidentified" not in name:
                raise ParseError(number, line, "one neighbour, each TLV once")
            tlvs.setdefault(name, [])
        elif line and name and line[0].isspace() and not line.endswith((" TLV", " LTV")):
            tlvs[name].append(Value(line.strip(), number))
        elif line:
            yield Skipped(number, line, "NAME TLV, or an indented value")
    yield from torn(text)


def _neighbor(port: str, tlvs: dict[str, list[Value]]) -> Iterator[Answer]:
    def first(name: str) -> str | None:
        values = tlvs.get(name)
        return values[0].text if values else None

    if "Port ID TLV" not in tlvs:
        return
    port_id, chassis = (_id(tlvs.get(name, [])) for name in ("Port ID TLV", "Chassis ID TLV"))
    yield Neighbor(
        line=tlvs["Port ID TLV"][0].line,
        port=port,
        system_name=first("System Name TLV") or "",
        port_id=port_id,
        chassis_id=chassis,
        port_description=first("Port Description TLV"),
        by="lldp",
    )


def _id(values: list[Value]) -> str:
    found = _IDS.fullmatch(values[0].text) if values else None
    if not found:
        raise ParseError(values[0].line if values else 0, values[0].text if values else "", "KIND: ID")
    return found["value"].lower() if values[0].text.startswith("MAC") else found["value"]


def _pfc(port: str, tlvs: dict[str, list[Value]]) -> Iterator[Answer]:
    willing: bool | None = None
    for value in (*tlvs.get("IEEE 8021QAZ PFC TLV", ()), *tlvs.get("CEE DCBX TLV", ())):
        if found := re.fullmatch(r"Willing: (yes|no)", value.text):
            willing = found[1] == "yes"
        elif found := re.fullmatch(r"PFC enabled(?: priorities)?:\s*(none|[0-7](?:,? [0-7])*)", value.text):
            yield PfcPort(
                line=value.line,
                port=port,
                peer_priorities="" if found[1] == "none" else "".join(sorted(re.findall(r"\d", found[1]))),
                peer_willing=willing,
                source="lldptool -n",
            )
        elif value.text.startswith("PFC enabled"):
            raise ParseError(value.line, value.text, "PFC enabled: PRIORITIES, or none")

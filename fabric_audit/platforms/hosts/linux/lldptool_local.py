"""What lldpad itself announces on an interface: PFC, ETS and APP of DCBX, as ``lldptool`` prints them."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import (
    Answer,
    Each,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    Why,
    section,
)
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole

_HEADING = re.compile(r"(?P<name>\S.*?) TLV(?: \[.*\])?")
_NO_AGENT = re.compile(r"Failed to connect to lldpad.*|.*Device not found or inactive.*|.*Agent instance.*not found.*")
_SCHEDULERS = {"strict": "strict", "ets": "dwrr", "cbshaper": "vendor", "vendor": "vendor"}
_DSCP_SELECTOR = "5"
_PFC = "IEEE 8021QAZ PFC"


@dataclass(slots=True)
class _Tlv:
    """One TLV: its name and its lines, each with its number."""

    name: str
    line: int
    rows: list[tuple[int, str]] = field(default_factory=list)

    def get(self, label: str) -> str | None:
        """What stands behind ``label:``; None where there is no such line."""
        found = (row.removeprefix(f"{label}:").strip() for _, row in self.rows if row.startswith(f"{label}:"))
        return next(found, None)


@section(
    "lldptool-local",
    Each("rdma_netdevs", Run("lldptool", "-t", "-i", "{}", root=True)),
    yields=(PfcPort, Queue, PriorityMap, DscpMap),
    proven=Provenance.DOCUMENT,
)
def parse_lldptool_local(output: Output) -> Iterator[Answer]:
    """``lldptool -t -i IF [-V PFC]``: the TLVs that lldpad sends on an interface.

    What is announced is what was configured; with ``Willing: yes`` the neighbour's values may be in force instead.
    ``PRIO_MAP`` is priority to traffic class, ``TSA_MAP`` the scheduler of each class, ``TC Bandwidth`` its share,
    which counts for ``ets`` only. An APP entry with selector 5 maps a DSCP, printed as ``Reserved Port`` by
    versions that do not know it. Other TLVs are left alone. Source: lldpad ``lldp_8021qaz_clif.c``, IEEE 802.1Qaz.
    """
    missing = tuple(refused(output, PfcPort)) or tuple(_no_agent(output))
    if missing:
        yield from missing
        return
    yield from some(_answers(output), output, f"{_PFC} TLV, and its lines")


def _answers(output: Output) -> Iterator[Answer]:
    tlvs = list(_tlvs(output.stdout))
    for tlv in tlvs:
        reader = _READERS.get(tlv.name)
        if reader:
            yield from consistent(_attempt(reader, tlv, output.item))
    cut = tuple(torn(output.stdout))
    yield from cut
    if not cut and not any(tlv.name == _PFC for tlv in tlvs):
        yield Missing("pfc_port", Why.ABSENT, "no PFC TLV")


def _no_agent(output: Output) -> Iterator[Missing]:
    said = (output.stdout.strip() or output.stderr.strip()).split("\n")[0]
    if _NO_AGENT.fullmatch(said):
        yield Missing("pfc_port", Why.NOT_SUPPORTED, said)


def _tlvs(text: str) -> Iterator[_Tlv]:
    current: _Tlv | None = None
    for number, line in numbered(whole(text)):
        heading = _HEADING.fullmatch(line)
        if heading:
            if current:
                yield current
            current = _Tlv(heading["name"], number)
        elif current and re.match(r"\s", line):
            current.rows.append((number, line.strip()))
        elif line:
            raise ParseError(number, line, "a TLV's name, or its indented lines")
    if current is None:
        raise ParseError(0, text.strip(), "IEEE 8021QAZ PFC TLV, or another TLV's name")
    yield current


_Reader = Callable[[_Tlv, str], Iterator[Answer]]


def _attempt(reader: _Reader, tlv: _Tlv, port: str) -> Iterator[Answer]:
    try:
        yield from reader(tlv, port)
    except ParseError as error:
        yield Skipped(error.line, error.text, error.expected)


def _pfc(tlv: _Tlv, port: str) -> Iterator[Answer]:
    enabled, willing = tlv.get("PFC enabled"), tlv.get("Willing")
    if enabled is None or not re.fullmatch(r"none|[0-7](?: [0-7])*", enabled) or willing not in ("yes", "no"):
        raise ParseError(tlv.line, f"{enabled} {willing}", "PFC enabled: priorities or none, Willing: yes or no")
    on = "" if enabled == "none" else "".join(sorted(set(enabled.split())))
    yield PfcPort(port=port, admin_priorities=on, willing=willing == "yes", source="lldptool", line=tlv.line)


def _ets(tlv: _Tlv, port: str) -> Iterator[Answer]:
    classes, schedulers = _eight(tlv, "PRIO_MAP", "[0-7]"), _eight(tlv, "TSA_MAP", "[a-z]+")
    shares = re.fullmatch(r"(?:[0-9]{1,3}% ?){8}", tlv.get("TC Bandwidth") or "")
    for priority, traffic_class in enumerate(classes):
        yield PriorityMap(
            port=port,
            priority=priority,
            traffic_class=int(traffic_class),
            source="lldptool",
            line=tlv.line,
        )
    for number, scheduler in enumerate(schedulers):
        share = re.findall(r"([0-9]+)%", shares[0])[number] if shares and scheduler == "ets" else None
        yield Queue(
            port=port,
            queue=number,
            scheduler=_SCHEDULERS.get(scheduler),
            weight_pct=float(share) if share else None,
            source="lldptool",
            line=tlv.line,
        )


def _eight(tlv: _Tlv, label: str, right: str) -> list[str]:
    pairs = [word.split(":", 1) for word in (tlv.get(label) or "").split()]
    in_order = [pair[0] for pair in pairs] == [str(number) for number in range(8)]
    if not in_order or not all(re.fullmatch(right, pair[-1]) for pair in pairs):
        raise ParseError(tlv.line, str(tlv.get(label)), f"{label}: with values for 0 to 7")
    return [pair[1] for pair in pairs]


def _app(tlv: _Tlv, port: str) -> Iterator[Answer]:
    entry: dict[str, str] = {}
    for number, row in [*tlv.rows, (tlv.line, "App#end:")]:
        label, _, value = row.partition(":")
        if label.startswith("App#"):
            yield from _app_entry(entry, port, number)
            entry = {}
        elif value:
            entry["protocol" if label.endswith("Port") or label == "DSCP" else label] = value.strip()


def _app_entry(entry: Mapping[str, str], port: str, number: int) -> Iterator[Answer]:
    if entry.get("Sel") != _DSCP_SELECTOR:
        return
    dscp, priority = entry.get("protocol", ""), entry.get("Priority", "")
    if not re.fullmatch(r"[0-5]?[0-9]|6[0-3]", dscp) or not re.fullmatch("[0-7]", priority):
        raise ParseError(number, str(dict(entry)), "DSCP and priority of an APP entry")
    yield DscpMap(port=port, dscp=int(dscp), priority=int(priority), source="lldptool", line=number)


_READERS: Mapping[str, _Reader] = {_PFC: _pfc, "IEEE 8021QAZ ETS Configuration": _ets, "IEEE 8021QAZ APP": _app}

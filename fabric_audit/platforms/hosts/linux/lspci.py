"""PCI functions, their links and their access control services, as ``lspci`` tells them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.facts.pci import PciAcs, PciDevice
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import numbered, some, torn, whole

_HEADING = re.compile(
    r"(?:(?P<domain>[0-9a-f]{4,8}):)?(?P<function>[0-9a-f]{2}:[01][0-9a-f]\.[0-7]) (?P<kind>[^:\[]+?)"
    r"(?: \[(?P<code>[0-9a-f]{4})\])?: (?P<name>.*)"
)
_SECOND = re.compile(r"[0-9a-f]{2}:[01][0-9a-f]\.[0-7] \S[^:]*: ")
"""In the name of a function: two headings that became one line; what follows belongs to the second."""
_IDS = re.compile(r"(?:\[|Device )(?P<vendor>[0-9a-f]{4}):(?P<device>[0-9a-f]{4})\]?")
_ACS = re.compile(r"\s*ACSCtl:\s+(?P<flags>\w+[+-](?: \w+[+-])*)")
_ACS_FIELDS = {
    "SrcValid": "source_validation",
    "TransBlk": "translation_blocking",
    "ReqRedir": "request_redirect",
    "CmpltRedir": "completion_redirect",
    "UpstreamFwd": "upstream_forwarding",
    "EgressCtrl": "egress_control",
    "DirectTrans": "direct_translated",
}
_LINE = re.compile(
    r"""\s+(?:
      NUMA[ ]node:[ ](?P<numa>-?\d+)
    | IOMMU[ ]group:[ ](?P<group>\d+)
    | Bus:[ ]primary=[0-9a-f]{2},[ ]secondary=(?P<bus>[0-9a-f]{2}),[ ].*
    | Kernel[ ]driver[ ]in[ ]use:[ ](?P<driver>\S+)
    | (?P<acs>ACSCap:|Capabilities:[ ]\[\w+(?:[ ]v\d)?\][ ]Access[ ]Control[ ]Services).*
    | Capabilities:[ ](?P<denied><access[ ]denied>)
    | RlxdOrd(?P<ordering>[+-])[ ].*
    | MaxPayload[ ](?P<sizes>\d+[ ]bytes,[ ]MaxReadReq[ ]\d+)[ ]bytes
    | LnkCap:\s+(?P<best>Port[ ]\#\d+,[ ]Speed[ ].*)
    | LnkSta:\s+(?P<now>Speed[ ].*)
    )""",
    re.VERBOSE,
)
_BYTES = re.compile(r"[0-9a-f]{2,3}:(?: [0-9a-f]{2}){1,16}")
_DECORATION = re.compile(r"(?: \[[0-9a-f]{4}:[0-9a-f]{4}\])?(?: \((?:rev|prog-if) .*)?$")
_SPEED = re.compile(r"Speed (\d+(?:\.\d)?)GT/s")
_WIDTH = re.compile(r"Width x(\d{1,2})\b")
_CLASSES = {
    "Host bridge": "0600",
    "PCI bridge": "0604",
    "Bridge": "0680",
    "ISA bridge": "0601",
    "3D controller": "0302",
    "VGA compatible controller": "0300",
    "Display controller": "0380",
    "Ethernet controller": "0200",
    "Infiniband controller": "0207",
    "Network controller": "0280",
    "Non-Volatile memory controller": "0108",
}
"""Class codes of the names that ``lspci`` without ``-n`` prints, where they matter here; from the PCI id database."""
_BRIDGE = "0604"


@dataclass(slots=True)
class _Function:
    """What was printed below one heading; lines in front of the first belong to a function without an address."""

    address: str = ""
    line: int = 0
    kind: str = ""
    code: str | None = None
    name: str = ""
    lines: list[tuple[int, str]] = field(default_factory=list)
    whole: bool = False
    values: dict[str, str] = field(default_factory=dict)
    acs: list[PciAcs] = field(default_factory=list)


@section(
    "lspci-acs", Run("lspci", "-Dnnvvv", root=True), yields=(PciDevice, PciAcs), proven=Provenance.FIELD, timeout_s=60.0
)
def parse_lspci(output: Output) -> Iterator[Answer]:
    """``lspci``, ``-v`` to ``-vvv``, with or without ``-nn`` and ``-D``; or its ACSCtl lines alone.

    What is in force is ``ACSCtl``; ``ACSCap`` tells what could be. A bridge whose capabilities are shown without an
    ACS is one that cannot redirect. Without root no capabilities are shown (``<access denied>``): then nothing is
    known of ACS, and that is told. ACSCtl lines without a function cannot be tied to a GPU or NIC; they are
    numbered. Domain 0000 is left out where there is no other. ``(downgraded)`` is pciutils' own comparison of
    LnkSta with LnkCap. A second link or NUMA node below one heading means that a heading is lost: its lines are
    skipped. Source: pciutils ``ls-caps.c``, ``ls-ecaps.c``; PCI Express Base Specification 6.12 and 7.5.3.
    """
    yield from some(_facts(output), output, "ADDRESS CLASS: NAME of lspci")


def _facts(output: Output) -> Iterator[Answer]:
    functions = _functions(output.stdout)
    for function in functions:
        yield from _read(function)
    yield from torn(output.stdout)
    yield from _told(functions)


def _functions(text: str) -> list[_Function]:
    functions = [_Function()]
    lost = False
    for number, line in numbered(whole(text).removesuffix("\n")):
        if found := _HEADING.fullmatch(line):
            functions[-1].whole = True
            address = f"{found['domain'] or '0000'}:{found['function']}"
            lost = bool(_SECOND.search(found["name"]))
            if lost:
                functions[-1].lines.append((number, line))
            else:
                functions.append(_Function(address, number, found["kind"], found["code"], found["name"]))
        elif lost:
            continue
        elif line:
            functions[-1].lines.append((number, line))
        else:
            functions[-1].whole = functions[-1].whole or bool(functions[-1].lines)
    return functions


def _read(function: _Function) -> Iterator[Skipped]:
    for number, line in function.lines:
        if found := _ACS.fullmatch(line):
            acs = _acs(function.address or f"unnamed-{len(function.acs) + 1}", found["flags"], number)
            if acs is None or (function.address and function.acs):
                yield Skipped(number, line, "ACSCtl of one function with its seven flags")
            else:
                function.acs.append(acs)
        elif line[0].isspace() and function.address:
            if not _take(function, line):
                function.whole = False
                yield Skipped(number, line, "the heading of the next function: one is lost")
                return
        elif not _BYTES.fullmatch(line):
            yield Skipped(number, line, "ADDRESS CLASS: NAME of lspci")


def _take(function: _Function, line: str) -> bool:
    found = _LINE.fullmatch(line)
    if not found or not found.lastgroup:
        return True
    kind = found.lastgroup
    if kind in function.values and kind != "acs":
        return False
    function.values[kind] = found[kind]
    return True


def _acs(address: str, flags: str, line: int) -> PciAcs | None:
    told = {flag[:-1]: flag[-1] == "+" for flag in flags.split()}
    if not _ACS_FIELDS.keys() <= told.keys():
        return None
    return PciAcs(line=line, address=address, capable=True, **{_ACS_FIELDS[name]: told[name] for name in _ACS_FIELDS})


def _told(functions: list[_Function]) -> Iterator[Answer]:
    bridges = {(f.address[:-8], f.values["bus"]): f.address for f in functions if "bus" in f.values}
    for function in functions:
        yield from function.acs
        if function.address:
            yield _device(function, bridges.get((function.address[:-8], function.address[-7:-5])))
            shown = function.whole and "sizes" in function.values and "acs" not in function.values
            if shown and not function.acs and _code(function) == _BRIDGE:
                yield PciAcs(line=function.line, address=function.address, capable=False)
    if any("denied" in function.values for function in functions):
        yield Missing("pci_acs", Why.NOT_COLLECTED, "Capabilities: <access denied>: lspci needs root")


def _code(function: _Function) -> str | None:
    named = re.fullmatch(r"Class ([0-9a-f]{4})", function.kind)
    return function.code or (named[1] if named else _CLASSES.get(function.kind))


def _device(function: _Function, upstream: str | None) -> PciDevice:
    values = function.values
    ids = list(_IDS.finditer(function.name))
    payload, _, request = values.get("sizes", "").partition(" bytes, MaxReadReq ")
    return PciDevice(
        line=function.line,
        address=function.address,
        class_code=_code(function),
        vendor_id=ids[-1]["vendor"] if ids else None,
        device_id=ids[-1]["device"] if ids else None,
        description=_DECORATION.sub("", function.name),
        driver=values.get("driver"),
        numa_node=int(values["numa"]) if "numa" in values else None,
        upstream=upstream,
        speed_gts=_speed(values.get("now", "")) if _width(values.get("now", "")) else None,
        max_speed_gts=_speed(values.get("best", "")),
        width=_width(values.get("now", "")),
        max_width=_width(values.get("best", "")),
        max_payload_bytes=int(payload) if payload else None,
        max_read_request_bytes=int(request) if request else None,
        relaxed_ordering=values["ordering"] == "+" if "ordering" in values else None,
        iommu_group=int(values["group"]) if "group" in values else None,
    )


def _speed(text: str) -> float | None:
    found = _SPEED.search(text)
    return float(found[1]) if found else None


def _width(text: str) -> int | None:
    found = _WIDTH.search(text)
    return int(found[1]) if found and int(found[1]) else None

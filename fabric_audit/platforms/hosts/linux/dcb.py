"""PFC, classification and buffers of an interface as ``dcb`` of iproute2 tells them, for every driver."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.pfc import PfcCounter, PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue
from fabric_audit.platforms.code_points import code_points
from fabric_audit.platforms.hosts.linux.dcb_text import DcbText, read
from fabric_audit.platforms.hosts.linux.iproute import tells_json
from fabric_audit.platforms.hosts.linux.refusals import EMPTY_JSON, refused
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
from fabric_audit.platforms.text import consistent

_TOS_NAMES = {"lowdelay": 4, "throughput": 2, "reliability": 1}
_SCHEDULERS = {"strict": "strict", "ets": "dwrr", "cbs": "vendor", "vendor": "vendor"}
_SIZES = {"b": 1, "Kb": 2**10, "Mb": 2**20}
_RATES = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_APP_TRUST = {("dscp",): "dscp", ("pcp",): "pcp", ("dscp", "pcp"): "dscp_pcp", ("pcp", "dscp"): "dscp_pcp"}
_SETTINGS = {
    "default-prio": "[0-7](?: [0-7])*",
    "willing": "on|off",
    "total-size": r"[0-9]{1,10}(?:\.[0-9]{1,3})?[KM]?b",
    "dcbx": r"(?:(?:host|lld-managed|cee|ieee|static)\b ?)*",
}
_UNKNOWN = re.compile(r'Object ".*" is unknown|Attribute not found|What is "')
_EXPECTED = "an attribute of dcb, such as pfc-cap, dscp-prio or tc-tsa"
_Reader = Callable[[DcbText, str], Iterator[Answer]]


def _ask(what: str) -> Each:
    return Each("rdma_netdevs", Run("dcb", "-j", what, "show", "dev", "{}"))


@section("dcb-pfc", _ask("pfc"), yields=(PfcPort, PfcCounter), proven=Provenance.DOCUMENT)
def parse_dcb_pfc(output: Output) -> Iterator[Answer]:
    """``dcb pfc show``: the priorities with PFC, as the driver has them in force.

    ``pfc-cap`` is how many traffic classes can have PFC. ``requests`` and ``indications`` (with ``-s``) count PFC
    frames sent and received. hns3 before Linux 5.14 shows every priority of a traffic class as on. Layouts of all
    ``dcb`` objects: JSON, an attribute a line, or all on one line; attributes in any order. Source: iproute2
    ``dcb/dcb_pfc.c``, Linux ``include/uapi/linux/dcbnl.h``.
    """
    yield from _read(output, (_pfc,), PfcPort)


@section("dcb-app", _ask("app"), yields=(DscpMap, Interface, NicSetting), proven=Provenance.DOCUMENT)
def parse_dcb_app(output: Output) -> Iterator[Answer]:
    """``dcb app show``: which priority a DSCP becomes; the text layout prints names (AF31) unless ``-N`` was given.

    Entries for DSCP switch mlx5 (Linux 4.17), bnxt_en and ice to trusting DSCP, so their presence is told as trust
    dscp; their absence tells nothing. ``default-prio`` is for packets no entry matches. Entries for EtherTypes,
    ports and PCP are left alone. Source: iproute2 ``dcb/dcb_app.c``, the drivers' ``ieee_setapp``.
    """
    yield from _read(output, (_app,), DscpMap)


@section("dcb-apptrust", _ask("apptrust"), yields=(Interface,), proven=Provenance.DOCUMENT)
def parse_dcb_apptrust(output: Output) -> Iterator[Answer]:
    """``dcb apptrust show`` (iproute2 6.2): what classifies packets, in order of precedence.

    Source: iproute2 ``dcb/dcb_apptrust.c``.
    """
    yield from _read(output, (_apptrust,), Interface)


@section("dcb-ets", _ask("ets"), yields=(Queue, PriorityMap, NicSetting), proven=Provenance.DOCUMENT)
def parse_dcb_ets(output: Output) -> Iterator[Answer]:
    """``dcb ets show``: the traffic class of each priority, scheduler and share of each traffic class.

    ``tc-bw`` counts only where ``tc-tsa`` is ``ets``. ``reco-*`` is what is recommended to the neighbour, not what
    is done, and left out. ``willing`` lets the neighbour's values win. Source: iproute2 ``dcb/dcb_ets.c``.
    """
    yield from _read(output, (_ets, _priorities), Queue)


@section("dcb-buffer", _ask("buffer"), yields=(PriorityGroup, PriorityMap, NicSetting), proven=Provenance.DOCUMENT)
def parse_dcb_buffer(output: Output) -> Iterator[Answer]:
    """``dcb buffer show``: size of each receive buffer and which priority goes where; mlx5 only.

    The text layout rounds sizes to kilobytes where that is off by less than 16 bytes. Source: iproute2
    ``dcb/dcb_buffer.c``, ``lib/json_print.c`` (sprint_size).
    """
    yield from _read(output, (_buffer, _priorities), PriorityGroup)


@section("dcb-dcbx", _ask("dcbx"), yields=(NicSetting,), proven=Provenance.DOCUMENT)
def parse_dcb_dcbx(output: Output) -> Iterator[Answer]:
    """``dcb dcbx show``: who speaks DCBX: ``host`` software, or firmware (``lld-managed``), ``cee`` or ``ieee``.

    Source: iproute2 ``dcb/dcb_dcbx.c``, Linux ``dcbnl.h`` (DCB_CAP_DCBX_*).
    """
    yield from _read(output, (_dcbx,), NicSetting)


@section("dcb-maxrate", _ask("maxrate"), yields=(Queue,), proven=Provenance.DOCUMENT)
def parse_dcb_maxrate(output: Output) -> Iterator[Answer]:
    """``dcb maxrate show``: the rate limit of each traffic class, 0 for none.

    JSON has bytes a second, the text layout bits. Source: iproute2 ``dcb/dcb_maxrate.c``, ``lib/json_print.c``.
    """
    yield from _read(output, (_maxrate,), Queue)


@section("dcb-rewr", _ask("rewr"), yields=(NicSetting,), proven=Provenance.DOCUMENT)
def parse_dcb_rewr(output: Output) -> Iterator[Answer]:
    """``dcb rewr show`` (iproute2 6.4): DSCP and PCP written on packets of a priority that leave.

    Source: iproute2 ``dcb/dcb_rewr.c``.
    """
    yield from _read(output, (_rewr,), NicSetting)


@section(
    "dcb",
    yields=(PfcPort, PfcCounter, DscpMap, Interface, Queue, PriorityMap, PriorityGroup, NicSetting),
    proven=Provenance.DOCUMENT,
)
def parse_dcb(output: Output) -> Iterator[Answer]:
    """``dcb OBJECT show`` saved to a file: the attributes tell which object it is.

    The layouts and their sources are those of ``dcb-pfc``, ``dcb-app``, ``dcb-apptrust``, ``dcb-ets``,
    ``dcb-buffer``, ``dcb-dcbx``, ``dcb-maxrate`` and ``dcb-rewr``.
    """
    readers = (_pfc, _app, _apptrust, _ets, _buffer, _priorities, _dcbx, _maxrate, _rewr)
    yield from _read(output, readers, PfcPort)


def _read(output: Output, readers: Iterable[_Reader], table: type[Fact]) -> Iterator[Answer]:
    missing = tuple(refused(output, table)) or tuple(_not_known(output, table))
    if missing:
        yield from missing
        return
    told = read(output.stdout)
    answers = [answer for reader in readers for answer in _attempt(reader, told, output.item)]
    if not answers and tells_json(output.stdout):
        yield Missing(table.TABLE, Why.ABSENT, "dcb shows nothing of it")
        return
    found = list(consistent(chain(answers, told.skipped)))
    if all(isinstance(answer, Skipped) for answer in found):
        first = next((answer for answer in found if isinstance(answer, Skipped)), None)
        cause = first or Skipped(0, output.stdout.strip(), _EXPECTED)
        raise ParseError(cause.line, cause.text, cause.expected)
    yield from found


def _attempt(reader: _Reader, told: DcbText, port: str) -> Iterator[Answer]:
    try:
        yield from reader(told, port)
    except ParseError as error:
        yield Skipped(error.line, error.text, error.expected)


def _not_known(output: Output, table: type[Fact]) -> Iterator[Missing]:
    found = _UNKNOWN.search(output.stderr)
    if found and not output.stdout.strip(EMPTY_JSON):
        yield Missing(table.TABLE, Why.NOT_SUPPORTED, output.stderr.strip().split("\n")[0])


def _pfc(told: DcbText, port: str) -> Iterator[Answer]:
    flags = told.eight("prio-pfc", "on|off")
    if flags:
        on = "".join(str(priority) for priority, flag in enumerate(flags) if flag == "on")
        line = told.attributes["prio-pfc"].line or None
        yield PfcPort(port=port, mode="on" if on else "off", oper_priorities=on, source="dcb", line=line)
    sent, received = told.eight("requests", "[0-9]{1,20}"), told.eight("indications", "[0-9]{1,20}")
    for priority in range(8) if sent and received else ():
        yield PfcCounter(
            port=port,
            priority=priority,
            tx_frames=int(sent[priority]),
            rx_frames=int(received[priority]),
            scope="absolute",
            source="dcb",
        )


def _app(told: DcbText, port: str) -> Iterator[Answer]:
    found = False
    for pair, line in told.pairs("dscp-prio", left="[\\w-]+", right="[0-7]"):
        name = pair["left"].lower()
        dscp = _TOS_NAMES[name] if name in _TOS_NAMES else code_points(name, line)[0]
        found = True
        yield DscpMap(port=port, dscp=dscp, priority=int(pair["right"]), source="dcb", line=line or None)
    if found:
        yield Interface(port=port, trust_mode="dscp", line=told.attributes["dscp-prio"].line or None)
    yield from _settings(told, port, "default-prio")


def _apptrust(told: DcbText, port: str) -> Iterator[Answer]:
    if "order" in told.attributes:
        order = told.attributes["order"]
        names = tuple(name for name in order.words if name in ("dscp", "pcp"))
        if set(order.words) - {"ethtype", "stream-port", "dgram-port", "port", "dscp", "pcp"}:
            raise ParseError(order.line, " ".join(order.words), "selectors of dcb apptrust")
        yield Interface(port=port, trust_mode=_APP_TRUST.get(names, "none"), line=order.line or None)


def _ets(told: DcbText, port: str) -> Iterator[Answer]:
    schedulers = told.eight("tc-tsa", "strict|cbs|ets|vendor")
    shares = told.eight("tc-bw", "[0-9]{1,3}")
    for number, scheduler in enumerate(schedulers):
        yield Queue(
            port=port,
            queue=number,
            scheduler=_SCHEDULERS[scheduler],
            weight_pct=float(shares[number]) if shares and scheduler == "ets" else None,
            source="dcb",
            line=told.attributes["tc-tsa"].line or None,
        )
    yield from _settings(told, port, "willing")


def _buffer(told: DcbText, port: str) -> Iterator[Answer]:
    for number, size in enumerate(told.eight("buffer-size", "[0-9.]{1,12}[KM]?b")):
        found = re.fullmatch(r"([0-9]{1,10}(?:\.[0-9]{1,3})?)([KM]?b)", size)
        if not found:
            raise ParseError(told.attributes["buffer-size"].line, size, "a size such as 0b, 20016b or 128Kb")
        size_bytes = round(float(found[1]) * _SIZES[found[2]])
        yield PriorityGroup(port=port, pg=number, size_bytes=size_bytes, source="dcb")
    yield from _settings(told, port, "total-size")


def _priorities(told: DcbText, port: str) -> Iterator[Answer]:
    classes, buffers = told.eight("prio-tc", "[0-7]"), told.eight("prio-buffer", "[0-7]")
    for priority in range(8) if classes or buffers else ():
        yield PriorityMap(
            port=port,
            priority=priority,
            traffic_class=int(classes[priority]) if classes else None,
            buffer=int(buffers[priority]) if buffers else None,
            source="dcb",
        )


def _dcbx(told: DcbText, port: str) -> Iterator[Answer]:
    yield from _settings(told, port, "dcbx")


def _maxrate(told: DcbText, port: str) -> Iterator[Answer]:
    for number, rate in enumerate(told.eight("tc-maxrate", "[0-9]{1,18}(?:[KMGT]i?)?bit")):
        digits = rate.removesuffix("bit").rstrip("KMGTi")
        unit = rate.removesuffix("bit")[len(digits) :]
        yield Queue(port=port, queue=number, rate_limit_bps=int(digits) * _RATES[unit], source="dcb")


def _rewr(told: DcbText, port: str) -> Iterator[Answer]:
    for name, right in (("prio-dscp", "[\\w-]+"), ("prio-pcp", "[0-7](?:nd|de)|[0-9]{1,2}")):
        for pair, line in told.pairs(name, right=right):
            value = pair["right"].lower()
            value = str(code_points(value, line)[0]) if name == "prio-dscp" else value
            setting = f"rewr {name} {pair['left']}"
            yield NicSetting(device=port, name=setting, value=value, source="dcb", line=line or None)


def _settings(told: DcbText, port: str, name: str) -> Iterator[NicSetting]:
    if name in told.attributes:
        attribute = told.attributes[name]
        value = " ".join(attribute.words)
        if not re.fullmatch(_SETTINGS[name], value):
            raise ParseError(attribute.line, value, f"a value of {name}")
        yield NicSetting(device=port, name=name, value=value, source="dcb", line=attribute.line or None)

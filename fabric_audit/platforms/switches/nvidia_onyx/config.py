"""The section that reads a running configuration of Onyx."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Address, Interface, LldpPort
from fabric_audit.facts.profiles import RoceMode
from fabric_audit.facts.qos import DscpMap, PcpMap, Queue, TrafficClassMap
from fabric_audit.facts.routing import Lag, LagMember
from fabric_audit.facts.system import System
from fabric_audit.platforms.landings import Landing, by_eights, identical, rows
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.switches.nvidia_onyx.names import canonical, kind
from fabric_audit.platforms.switches.nvidia_onyx.qos import TRUSTS
from fabric_audit.platforms.switches.nvidia_onyx.queues import BYTES_PER_KB
from fabric_audit.platforms.switches.nvidia_onyx.roce import MODES
from fabric_audit.platforms.switches.nvidia_onyx.running_config import Config, Said, each, last, read_config

DEFAULT_MTU = 1500
_TABLES = (
    System,
    RoceMode,
    Interface,
    Address,
    LldpPort,
    PfcPort,
    DscpMap,
    PcpMap,
    TrafficClassMap,
    Queue,
    BufferPool,
    Lag,
    LagMember,
)
_DETECT = (
    r"congestion-control(?: (?P<mode>ecn|red)"
    r"(?: minimum-(?P<unit>absolute|relative) (?P<low>\d+) maximum-(?:absolute|relative) (?P<high>\d+))?)?"
)
_SHARE = r"dcb ets(?: (?:(strict)|wrr (\d{1,3})))?"
_BIND = r"bind switch-priority ([0-7](?: [0-7])*)"
_MODE = r"dcb priority-flow-control mode(?: (on|auto))?"
_TRUST = r"qos trust(?: (L2|L3|both|port))?"
_SHARED = r"(dcb|qos|traffic-class|flowcontrol|mtu)\b"
_UNREAD = r"(dcb priority-flow-control|traffic-class \d (?:congestion-control|dcb ets|bind)|qos (?:trust|map))\b.*"
_READ = (
    rf"{_MODE}|dcb priority-flow-control (?:enable|priority [0-7] enable)|{_TRUST}"
    rf"|traffic-class [0-7] (?:{_DETECT}|{_SHARE}|{_BIND})"
    r"|qos map (?:dscp \d{1,2}|pcp [0-7] dei [01]) to switch-priority [0-7]"
)


@dataclass(frozen=True, slots=True)
class _Common:
    """What holds for every port: the macro, and the global half of PFC."""

    mode: str
    mode_line: int | None
    on: bool
    priorities: tuple[str, ...]
    line: int | None
    lldp: bool


@section("running-config", Cli("show running-config"), yields=_TABLES, proven=Provenance.CONSTRUCTED, timeout_s=60.0)
def parse_running_config(output: Output) -> Iterator[Answer]:
    """``show running-config``, or a saved configuration, or the lines of a guide.

    Every Ethernet port that the text names becomes rows, also where it says nothing of QoS. PFC needs three lines: the
    global ``dcb priority-flow-control enable``, one for each ``priority``, and ``mode on`` of the port; ``mode auto``
    asks the neighbour by DCBX. The macro ``roce`` sets trust, PFC on priority 3, ECN and shares on all ports, and later
    lines override it. Without a line: trust L2, no PFC, no ECN, MTU 1500, and each priority in its own queue.

    A line of these kinds in an unknown form is left out and listed, and what it might have decided is None.

    Sources: NVIDIA Onyx User Manual v3.10.4100, QoS, Congestion Control and RoCE Commands; the commands that Mellanox's
    Ansible collection sends. No whole configuration was seen.
    """
    config = read_config(output.stdout)
    yield from config.skipped
    everything = [*config.top, *(said for lines in config.ports.values() for said in lines)]
    unread = {
        said.line: said
        for said in everything
        if re.fullmatch(_UNREAD, said.text) and not re.fullmatch(_READ, said.text)
    }
    for said in unread.values():
        yield Skipped(said.line, said.text, "a line of PFC, ECN, shares or maps as Onyx 3.10 writes it")
    common = _common(config)
    yield RoceMode(
        scope="switch", mode=MODES.get(common.mode, "none"), mode_raw=common.mode or None, line=common.mode_line
    )
    named = last(config.top, r"hostname (\S+)")
    if named:
        yield System(name=named[1][1], os="nvidia_onyx", roce_mode=MODES.get(common.mode, "none"), line=named[0].line)
    yield from _pools(config)
    for port, lines in config.ports.items():
        yield from _port(port, _governing(lines, config), common, doubtful=bool(unread))


def _governing(lines: Sequence[Said], config: Config) -> tuple[Said, ...]:
    """A port's own lines, then those of its port-channel about quality of service, which are the stronger."""
    bundled = last(lines, r"(mlag-)?channel-group (\d+)(?: mode .+)?")
    bundle = canonical(f"{bundled[1][1] or ''}port-channel {bundled[1][2]}") if bundled else ""
    shared = (said for said in config.ports.get(bundle, ()) if re.match(_SHARED, said.text))
    return (*lines, *shared)


def _common(config: Config) -> _Common:
    macro = last(config.top, r"roce(?: (lossless|semi-lossless|lossy))?")
    mode = (macro[1][1] or "lossless") if macro else ""
    switched = last(config.top, r"dcb priority-flow-control enable")
    listed = {}
    for said, found in each(config.top, r"dcb priority-flow-control priority ([0-7]) enable"):
        listed[found[1]] = not said.undone
    priorities = {digit for digit, on in listed.items() if on} | (
        {"3"} if mode in ("lossless", "semi-lossless") else set()
    )
    return _Common(
        mode=mode,
        mode_line=macro[0].line if macro else None,
        on=switched is not None or mode in ("lossless", "semi-lossless"),
        priorities=tuple(sorted(priorities)),
        line=switched[0].line if switched else macro[0].line if macro else None,
        lldp=last(config.top, "lldp") is not None,
    )


def _port(port: str, lines: Sequence[Said], common: _Common, *, doubtful: bool) -> Iterator[Answer]:
    first = lines[0].line if lines else None
    yield _interface(port, lines, common, first)
    for said, found in each(lines, r"ip address (\S+/\d+)(?: primary)?"):
        yield Address(port=port, address=found[1], line=said.line)
    yield from _bundle(port, lines)
    if kind(port) != "physical":
        return
    sends, takes = (_lldp(lines, way, common) for way in ("transmit", "receive"))
    yield LldpPort(port=port, transmit=sends, receive=takes, line=first)
    pfc = _pfc(port, lines, common, first)
    yield replace(pfc, mode=None, admin_priorities=None) if doubtful else pfc
    yield from _maps(port, lines, common, first)
    for queue in range(8):
        row = _queue(port, queue, lines, common, first)
        yield replace(row, ecn=None, wred_drops=None, scheduler=None) if doubtful else row


def _lldp(lines: Sequence[Said], way: str, common: _Common) -> bool | None:
    """On each port where it is on for the switch; whether it is without a line differs by release."""
    if any(said.undone for said, _ in each(lines, f"lldp {way}")):
        return False
    return True if common.lldp else None


def _interface(port: str, lines: Sequence[Said], common: _Common, first: int | None) -> Interface:
    mtu = last(lines, r"mtu (\d{2,5})")
    trusted = last(lines, _TRUST)
    speed = last(lines, r"speed (\d+)G?(?:x\d)?(?: .*)?")
    described = last(lines, r'description "?(.*?)"?')
    pause = {way: last(lines, rf"flowcontrol {way} (on|off)") for way in ("receive", "send")}
    front = kind(port) == "physical"
    usual = "dscp" if common.mode else "pcp"
    return Interface(
        port=port,
        admin_up=last(lines, "shutdown") is None,
        mtu_bytes=int(mtu[1][1]) if mtu else DEFAULT_MTU if front else None,
        mtu_kind="l2" if front or mtu else None,
        trust_mode=(TRUSTS[trusted[1][1]] if trusted and trusted[1][1] else usual) if front else None,
        link_pause_rx=_on(pause["receive"]) if front else None,
        link_pause_tx=_on(pause["send"]) if front else None,
        description=described[1][1] if described else None,
        kind=kind(port),
        admin_speed_bps=int(speed[1][1]) * 10**9 if speed else None,
        line=mtu[0].line if mtu else first,
    )


def _on(found: tuple[Said, re.Match[str]] | None) -> bool:
    return found is not None and found[1][1] == "on"


def _pfc(port: str, lines: Sequence[Said], common: _Common, first: int | None) -> PfcPort:
    own = last(lines, _MODE)
    undone = any(said.undone for said, _ in each(lines, _MODE))
    macro = common.mode in ("lossless", "semi-lossless") and not undone
    mode = "off" if not common.on else own[1][1] if own and own[1][1] else "on" if macro else "off"
    sends = common.mode != "semi-lossless"
    digits = "".join(common.priorities) if mode != "off" else ""
    return PfcPort(
        port=port,
        mode=mode,
        admin_priorities=digits,
        oper_priorities="" if digits and not sends else None,
        rx_enabled=bool(digits),
        tx_enabled=bool(digits) and sends,
        source="running-config",
        line=own[0].line if own else common.line or first,
    )


def _maps(port: str, lines: Sequence[Said], common: _Common, first: int | None) -> Iterator[Answer]:
    dscp, pcp, queues = by_eights(), identical(), identical()
    if common.mode:
        queues = {priority: Landing(priority if priority in (3, 6) else 0, common.mode_line) for priority in range(8)}
    for said, found in each(lines, r"qos map dscp (\d{1,2}) to switch-priority ([0-7])"):
        dscp[int(found[1])] = Landing(int(found[2]), said.line)
    for said, found in each(lines, r"qos map pcp ([0-7]) dei [01] to switch-priority ([0-7])"):
        pcp[int(found[1])] = Landing(int(found[2]), said.line)
    for said, found in each(lines, rf"traffic-class ([0-7]) {_BIND}"):
        queues |= {int(priority): Landing(int(found[1]), said.line) for priority in found[2].split()}
    yield from rows(port, first, dscp=dscp, pcp=pcp, queues=queues)


def _queue(port: str, queue: int, lines: Sequence[Said], common: _Common, first: int | None) -> Queue:
    share = last(lines, rf"traffic-class {queue} {_SHARE}")
    strict = share[1][1] is not None if share else bool(common.mode) and queue == 6  # noqa: PLR2004 - RoCE's CNP queue
    usual = 50.0 if common.mode and queue in (0, 3) else None
    row = Queue(
        port=port,
        queue=queue,
        scheduler="strict" if strict else "dwrr",
        weight_pct=float(share[1][2]) if share and share[1][2] else None if strict else usual,
        ecn=False,
        wred_drops=False,
        line=share[0].line if share else first,
    )
    detect = last(lines, rf"traffic-class {queue} {_DETECT}")
    if detect and detect[1]["mode"]:
        return _detecting(row, *detect)
    if common.mode and queue == 3:  # noqa: PLR2004 - RoCE's queue
        low, high = 150 * BYTES_PER_KB, 1500 * BYTES_PER_KB
        return replace(row, ecn=True, ecn_min_bytes=low, ecn_max_bytes=high, line=common.mode_line)
    return row


def _detecting(row: Queue, said: Said, found: re.Match[str]) -> Queue:
    if found["mode"] == "red":
        return replace(row, wred_drops=True, ecn_raw=said.text, line=said.line)
    absolute, relative = found["unit"] == "absolute", found["unit"] == "relative"
    low, high = (int(found[end]) if found[end] else None for end in ("low", "high"))
    return replace(
        row,
        ecn=True,
        ecn_min_bytes=low * BYTES_PER_KB if absolute and low is not None else None,
        ecn_max_bytes=high * BYTES_PER_KB if absolute and high is not None else None,
        ecn_min_pct=float(low) if relative and low is not None else None,
        ecn_max_pct=float(high) if relative and high is not None else None,
        ecn_raw=f"{found['unit']} {found['low']} to {found['high']}" if found["unit"] else None,
        line=said.line,
    )


def _bundle(port: str, lines: Sequence[Said]) -> Iterator[Answer]:
    member = last(lines, r"(channel-group|mlag-channel-group) (\d+) mode (on|active|passive)")
    if member:
        word = "Mpo" if member[1][1].startswith("mlag") else "Po"
        yield LagMember(lag=canonical(f"{word}{member[1][2]}"), port=port, mode=member[1][3], line=member[0].line)
    if kind(port) == "bond":
        peer = f"mlag {port.removeprefix('Mpo')}" if port.startswith("Mpo") else None
        least = last(lines, r"lacp-min-links (\d+)|min-links (\d+)")
        number = int(least[1][1] or least[1][2]) if least else None
        yield Lag(lag=port, min_links=number, peer=peer, line=lines[0].line if lines else None)


def _pools(config: Config) -> Iterator[Answer]:
    found: dict[str, BufferPool] = {}
    for said, pool in each(config.top, r"traffic pool (\S+) (type|memory percent|map switch-priority) (.+)"):
        row = found.setdefault(pool[1], BufferPool(pool=pool[1], line=said.line))
        if pool[2] == "type":
            row = replace(row, mode=pool[3])
        elif pool[2].startswith("memory") and re.fullmatch(r"\d{1,3}(\.\d+)?", pool[3]):
            row = replace(row, size_pct=float(pool[3]))
        elif pool[2].startswith("map"):
            row = replace(row, members="".join(sorted({*(row.members or ""), *re.findall("[0-7]", pool[3])})))
        found[pool[1]] = row
    yield from found.values()

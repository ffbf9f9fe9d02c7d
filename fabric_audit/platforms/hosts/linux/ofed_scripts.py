"""RDMA ports and GIDs as the scripts ``ibdev2netdev`` and ``show_gids`` of MLNX_OFED tell them."""

import re
from collections.abc import Iterator
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.rdma import Gid, RdmaDevice, RdmaPort
from fabric_audit.platforms.hosts.linux import port_words
from fabric_audit.platforms.hosts.linux.paths import PCI_ADDRESS
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import consistent, numbered, readable, some, torn, whole

_END = r"port (?P<port>\d+)(?: \((?P<state>\w+) *\))? ==> +(?P<netdev>[\w.@-]+) \((?P<link>Up|Down|NA)?\)"
_OLD = re.compile(r"(?P<device>[\w.-]+) port (?P<port>\d+) <===> (?P<netdev>[\w.@-]+)(?P<state>)(?P<link>)")
_PLAIN = re.compile(rf"(?P<device>[\w.-]+) {_END}(?: +[0-9a-fA-F.:]+(?:/\d+)?)?")
_VERBOSE = re.compile(
    rf"(?:(?P<pci>{PCI_ADDRESS}) +)?(?P<device>[\w.-]+) \((?P<part>\w+) - (?P<number>[^)]*)\)"
    rf" (?:(?!==> | port \d).)*?\bfw (?P<fw>\S+) {_END}"
)


@section("ibdev2netdev", Run("ibdev2netdev"), yields=(RdmaDevice, RdmaPort, Interface), proven=Provenance.FIELD)
def parse_ibdev2netdev(output: Output) -> Iterator[Answer]:
    """``ibdev2netdev``, with or without ``-v``: which interface belongs to which RDMA port.

    ``(Up)`` is the carrier of the interface. With ``-v`` PCI address, type, part number and firmware stand in
    front; old versions leave the PCI address out, and the oldest print ``<===>`` without a state. Wrappers append
    an IP address. Nothing is printed where no NIC of NVIDIA is. Source: mlnx-tools ``ofed_scripts/ibdev2netdev``.
    """
    tables = (RdmaDevice, RdmaPort, Interface)
    if not output.stdout.strip() and not output.stderr.strip():
        words = "the driver is not loaded" if output.rc else "no interface of an NVIDIA NIC"
        yield from (Missing(table.TABLE, Why.ABSENT, words) for table in tables)
        return
    yield from some(consistent(_lines(output)), output, "DEVICE port N ==> INTERFACE (Up)")


def _lines(output: Output) -> Iterator[Answer]:
    netdevs: dict[tuple[str, str], str] = {}
    for number, line in numbered(whole(output.stdout)):
        found = next((m for m in (form.fullmatch(line.strip()) for form in (_PLAIN, _VERBOSE, _OLD)) if m), None)
        if not found:
            if line:
                yield Skipped(number, line, "DEVICE port N ==> INTERFACE (Up)")
        elif netdevs.setdefault((found["device"], found["port"]), found["netdev"]) != found["netdev"]:
            yield Skipped(number, line, "one interface a port, not that of another host")
        else:
            yield from _facts(found.groupdict(), number)
    yield from torn(output.stdout)


def _facts(found: dict[str, str | None], line: int) -> Iterator[Answer]:
    yield from readable(partial(_port, found, line))
    if "fw" in found:
        yield RdmaDevice(
            line=line,
            device=str(found["device"]),
            pci=found["pci"],
            part=str(found["part"]).upper() if found["part"] != "NA" else None,
            firmware=found["fw"] if found["fw"] != "NA" else None,
        )
    if found["link"] in ("Up", "Down"):
        yield Interface(line=line, port=str(found["netdev"]), oper_up=found["link"] == "Up")


def _port(found: dict[str, str | None], line: int) -> RdmaPort:
    state = found["state"]
    return RdmaPort(
        line=line,
        device=str(found["device"]),
        port=int(found["port"] or 0),
        netdev=found["netdev"],
        state=port_words.state(state, line) if state and state != "NA" else None,
    )


@section("show_gids", Run("show_gids"), yields=(Gid,), proven=Provenance.DOCUMENT)
def parse_show_gids(output: Output) -> Iterator[Answer]:
    """``show_gids``: the GIDs of every port with type and interface.

    The IPv4 column is empty for other GIDs, and wrong for one that begins with ``0000`` without being a mapped
    address, so it is computed from the GID. ``v1`` without an interface is InfiniBand. The last line counts the
    rows: fewer than that were lost. Source: mlnx-tools ``sbin/show_gids``.
    """
    yield from some(consistent(_gids(output)), output, "DEVICE PORT INDEX GID [IPv4] VERSION [INTERFACE]")


def _gids(output: Output) -> Iterator[Answer]:
    rows = 0
    for number, line in numbered(whole(output.stdout)):
        count = re.fullmatch(r"n_gids_found=(\d+)", line)
        if count:
            if count[1] == "0":
                yield Missing("gid", Why.ABSENT, line)
            elif int(count[1]) != rows:
                yield Skipped(number, line, f"as many rows as are told, not {rows}")
            return
        if re.fullmatch(r"DEV\s+PORT\s+INDEX\s+GID.*|---\s+----.*", line) or not line:
            continue
        rows += 1
        yield from readable(partial(_gid, line, number))
    yield from torn(output.stdout)
    yield Skipped(0, "", "a last line n_gids_found=N")


def _gid(line: str, number: int) -> Gid:
    found = re.fullmatch(
        r"(?P<device>[\w.-]+)\s+(?P<port>\d+)\s+(?P<index>\d+)\s+(?P<gid>[0-9a-f:]{39})(?:\s+\d+(?:\.\d+){3})?"
        r"(?:\s+(?P<version>[vV][12]))?(?:\s+(?P<netdev>[\w.@-]+))?",
        line.strip(),
    )
    if not found:
        raise ParseError(number, line, "DEVICE PORT INDEX GID [IPv4] VERSION [INTERFACE]")
    gid = port_words.gid_groups(found["gid"], number)
    version = (found["version"] or "").lower()
    return Gid(
        line=number,
        device=found["device"],
        port=int(found["port"]),
        index=int(found["index"]),
        gid=gid,
        type={"v2": "RoCE v2", "v1": "RoCE v1" if found["netdev"] else "IB"}.get(version),
        ipv4=port_words.mapped_ipv4(gid),
        netdev=found["netdev"],
    )

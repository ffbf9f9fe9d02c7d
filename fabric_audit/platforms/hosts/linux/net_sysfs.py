"""Network interfaces from ``/sys/class/net`` alone, without any tool."""

import re
from collections.abc import Iterator
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Interface, PortAlias
from fabric_audit.platforms.hosts.linux.ip_link import hardware_address
from fabric_audit.platforms.hosts.linux.paths import links, pci_chain
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.hosts.linux.sysfs import Tree, Value, tree
from fabric_audit.platforms.model import Answer, Files, Links, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.text import integer, readable, some

FOLDER = "/sys/class/net"
_UP = 0x1  # IFF_UP, include/uapi/linux/if.h
_OPER_STATES = {
    "up": True,
    "down": False,
    "lowerlayerdown": False,
    "dormant": False,
    "notpresent": False,
    "testing": False,
    "unknown": None,
}


@section(
    "sysfs-net",
    Files(*(f"{FOLDER}/*/{name}" for name in ("mtu", "flags", "operstate", "carrier", "speed", "address", "ifalias"))),
    yields=(Interface, PortAlias),
    proven=Provenance.FIELD,
)
def parse_net(output: Output) -> Iterator[Answer]:
    """Attributes of network interfaces in sysfs.

    ``speed`` is in Mb/s, -1 where the driver does not know; reading it or ``carrier`` fails while the interface is
    down, which is why stderr may have words. ``operstate`` is ``unknown`` for drivers that do not report it: then
    ``carrier`` decides. Source: kernel ``Documentation/ABI/testing/sysfs-class-net``.
    """
    yield from some(_interfaces(output), output, f"{FOLDER}/INTERFACE/ATTRIBUTE:VALUE")


def _interfaces(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, f"no interface in {FOLDER}", Interface, PortAlias)
    told = tree(output, FOLDER)
    yield from told.skipped
    for port in told.devices:
        yield from readable(partial(_interface, told, port))
        mac = told.get(port, "address")
        alias = hardware_address(mac.text) if mac else None
        if mac and alias and alias.strip("0:"):
            yield PortAlias(line=mac.line, port=port, alias=alias, kind="mac")


def _interface(told: Tree, port: str) -> Interface:
    state, carrier = told.get(port, "operstate"), told.get(port, "carrier")
    mac, alias, flags = told.get(port, "address"), told.get(port, "ifalias"), told.get(port, "flags")
    if state and state.text not in _OPER_STATES:
        raise ParseError(state.line, state.text, f"one of {', '.join(_OPER_STATES)}")
    oper_up = _OPER_STATES[state.text] if state else None
    if oper_up is None and carrier:
        oper_up = carrier.text == "1"
    mtu = _number(told.get(port, "mtu"))
    speed = _number(told.get(port, "speed"))
    return Interface(
        line=min(value.line for value in told.devices[port].values()),
        port=port,
        admin_up=bool(_flags(flags) & _UP) if flags else None,
        oper_up=oper_up,
        mtu_bytes=mtu,
        mtu_kind="ip" if mtu is not None else None,
        speed_bps=speed * 10**6 if speed is not None and speed > 0 else None,
        mac=hardware_address(mac.text) if mac else None,
        description=alias.text if alias else None,
    )


def _number(value: Value | None) -> int | None:
    return integer(value.text, value.line) if value else None


def _flags(value: Value) -> int:
    if not re.fullmatch(r"0x[0-9a-f]{1,8}", value.text):
        raise ParseError(value.line, value.text, "interface flags such as 0x1003")
    return int(value.text, 16)


@section(
    "sysfs-carrier",
    Files(*(f"{FOLDER}/*/{name}" for name in ("carrier_changes", "carrier_up_count", "carrier_down_count"))),
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_carrier(output: Output) -> Iterator[Answer]:
    """How often the carrier of each interface changed since the interface was made.

    A link that is set up once has changed once or twice; only growth during the audit tells of a flap. 32 bits.
    Source: kernel ``Documentation/ABI/testing/sysfs-class-net``.
    """
    yield from some(_carriers(output), output, f"{FOLDER}/INTERFACE/carrier_changes:NUMBER")


def _carriers(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, f"no interface in {FOLDER}", Counter)
    told = tree(output, FOLDER)
    yield from told.skipped
    for port, values in told.devices.items():
        for name, value in values.items():
            if name.startswith("carrier_"):
                yield from readable(partial(_carrier, port, name, value))


def _carrier(port: str, name: str, value: Value) -> Counter:
    return Counter(
        line=value.line,
        port=port,
        name=name,
        value=integer(value.text, value.line),
        counter_class=CounterClass.FLAP,
        unit="events",
        bits=32,
        saturates=False,
        scope="absolute",
        source="sysfs",
    )


@section(
    "sysfs-net-links",
    Links(f"{FOLDER}/*", f"{FOLDER}/*/master", f"{FOLDER}/*/device/driver"),
    yields=(Interface,),
    proven=Provenance.CONSTRUCTED,
)
def parse_net_links(output: Output) -> Iterator[Answer]:
    """Real paths of network interfaces: the PCI function behind each, its driver, and its bond or bridge.

    An interface below ``/sys/devices/virtual`` has no hardware. ``bonding_masters`` is a file, no interface.
    Source: kernel ``Documentation/ABI/testing/sysfs-class-net``.
    """
    yield from some(_links(output), output, f"{FOLDER}/INTERFACE -> /REAL/PATH")


def _links(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, f"no interface in {FOLDER}", Interface)
    told: dict[str, dict[str, tuple[int, str]]] = {}
    for one in links(output):
        if isinstance(one, Skipped):
            yield one
            continue
        line, path, real = one
        port, _, what = path.removeprefix(f"{FOLDER}/").partition("/")
        if what in ("", "master", "device/driver") and path.startswith(FOLDER):
            told.setdefault(port, {})[what] = (line, real)
        else:
            yield Skipped(line, path, f"{FOLDER}/INTERFACE")
    for port, ends in told.items():
        line, real = ends.get("", (0, ""))
        if real and not real.startswith("/sys/devices/"):
            continue
        chain = pci_chain(real)
        yield Interface(
            line=line or None,
            port=port,
            kind="physical" if chain else None,
            pci=chain[-1] if chain else None,
            master=_last(ends.get("master")),
            driver=_last(ends.get("device/driver")),
        )


def _last(end: tuple[int, str] | None) -> str | None:
    return end[1].rsplit("/", 1)[-1] if end else None

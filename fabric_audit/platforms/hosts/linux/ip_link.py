"""Network interfaces as ``ip link`` tells them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Interface, PortAlias
from fabric_audit.platforms.hosts.linux.iproute import answers, tells_json
from fabric_audit.platforms.hosts.linux.iproute_text import answers_of_text, interfaces
from fabric_audit.platforms.hosts.linux.paths import PCI_ADDRESS
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, section

_KINDS = {"bond": "bond", "team": "bond", "vlan": "vlan", "bridge": "bridge", "openvswitch": "bridge"}
_OPER_STATES = {
    "UP": True,
    "DOWN": False,
    "LOWERLAYERDOWN": False,
    "DORMANT": False,
    "NOTPRESENT": False,
    "TESTING": False,
}


@section("ip-link", Run("ip", "-j", "-d", "link", "show"), yields=(Interface, PortAlias), proven=Provenance.FIELD)
def parse_ip_link(output: Output) -> Iterator[Answer]:
    """``ip -j -d link``: state, MTU, address, kind and master of every interface.

    ``operstate`` is ``UNKNOWN`` for drivers that do not report it: then carrier (``LOWER_UP``) decides. The MTU is
    the largest IP packet. ``linkinfo`` stands only at interfaces made by software; ``parentbus`` came with
    iproute2 5.13. Versions before 4.14 do not know ``-j`` and say so; plain text is read, too. Sources: iproute2
    ``ip/ipaddress.c``; kernel ``Documentation/networking/operstates.rst``.
    """
    if tells_json(output.stdout) or not output.stdout.strip():
        yield from answers(output, _facts, "interfaces", Interface, PortAlias)
    else:
        yield from answers_of_text(output, interfaces, _facts, Interface, PortAlias)


def _facts(one: Mapping[str, Any]) -> Iterator[Answer]:
    yield _interface(one)
    yield from _aliases(one)


def name_of(one: Mapping[str, Any]) -> str:
    """The name of an interface, without the parent that old versions append: ``eth1.7@eth1``.

    Raises:
        ParseError: there is none.
    """
    name = one.get("ifname")
    if not isinstance(name, str) or not name:
        raise ParseError(0, str(dict(one)), "an interface with its ifname")
    return name.partition("@")[0]


def _interface(one: Mapping[str, Any]) -> Interface:
    flags, mtu = one.get("flags"), one.get("mtu")
    if not isinstance(flags, list) or type(mtu) is not int:
        raise ParseError(0, str(dict(one)), "an interface with its flags and mtu")
    state = str(one.get("operstate", "UNKNOWN"))
    if state != "UNKNOWN" and state not in _OPER_STATES:
        raise ParseError(0, state, "an operational state of RFC 2863 such as UP or DOWN")
    parent = str(one.get("parentdev", ""))
    return Interface(
        port=name_of(one),
        admin_up="UP" in flags,
        oper_up=_OPER_STATES.get(state, "LOWER_UP" in flags),
        mtu_bytes=mtu,
        mtu_kind="ip",
        mac=hardware_address(one.get("address")),
        description=str(one["ifalias"]) if one.get("ifalias") else None,
        kind=_kind(one),
        pci=parent if one.get("parentbus") == "pci" and re.fullmatch(PCI_ADDRESS, parent) else None,
        master=str(one["master"]) if one.get("master") else None,
    )


def hardware_address(value: object) -> str | None:
    """An address of six octets in lower case; None for another kind, such as the 20 octets of IPoIB."""
    text = str(value).lower()
    return text if re.fullmatch(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", text) else None


def _kind(one: Mapping[str, Any]) -> str | None:
    link = one.get("linkinfo")
    kind = link.get("info_kind") if isinstance(link, dict) else None
    if isinstance(kind, str) and kind:
        return _KINDS.get(kind, "virtual")
    if one.get("link_type") == "loopback":
        return "virtual"
    return "physical" if one.get("parentdev") else None


def _aliases(one: Mapping[str, Any]) -> Iterator[PortAlias]:
    mac = hardware_address(one.get("address"))
    if mac and mac.strip("0:"):
        yield PortAlias(port=name_of(one), alias=mac, kind="mac")
    names = one.get("altnames")
    for name in names if isinstance(names, list) else ():
        yield PortAlias(port=name_of(one), alias=str(name), kind="altname")

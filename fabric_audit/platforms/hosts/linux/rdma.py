"""RDMA devices and ports as the ``rdma`` tool of iproute2 tells them."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.rdma import RdmaDevice, RdmaPort
from fabric_audit.platforms.hosts.linux import port_words
from fabric_audit.platforms.hosts.linux.iproute import answers, tells_json
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.text import numbered, readable, some, torn, whole

_LINK = re.compile(r"(?:link |\d+/\d+: )(?P<device>[\w.-]+)/(?P<port>\d+|-):? (?P<rest>.*)")
_DEVICE = re.compile(r"(?:dev )?\d+: (?P<device>[\w.-]+): (?P<rest>.*)")
_KNOWN = frozenset(
    {
        *("subnet_prefix", "lid", "sm_lid", "lmc", "state", "physical_state", "netdev", "netdev_index"),
        *("node_type", "protocol", "fw", "node_guid", "sys_image_guid", "adaptive-moderation"),
    }
)


@section("rdma-link", Run("rdma", "-j", "link", "show"), yields=(RdmaPort,), proven=Provenance.FIELD)
def parse_link(output: Output) -> Iterator[Answer]:
    """``rdma link``: state, physical state and interface of every RDMA port; ``-j`` or plain, any version.

    ``netdev`` is missing where the interface lives in another network namespace, and always on InfiniBand; that is
    no fault. ``lid`` and ``sm_lid`` are printed on InfiniBand only. Before iproute2 5.1 a plain line starts with
    ``1/1: mlx5_0/1:`` and JSON holds ``"ifname": "mlx5_0/1"``. Source: iproute2 ``rdma/link.c``.
    """
    if tells_json(output.stdout) or not output.stdout.strip():
        yield from answers(output, _ports_of_object, "RDMA links", RdmaPort)
    else:
        yield from some(_links_of_text(output.stdout), output, "link DEVICE/PORT state STATE")


def _ports_of_object(one: Mapping[str, Any]) -> Iterator[Answer]:
    name, _, port = str(one.get("ifname", "")).partition("/")
    yield _port(name, str(one.get("port", port)), one, 0)


def _links_of_text(text: str) -> Iterator[Answer]:
    for number, line in numbered(whole(text)):
        found = _LINK.fullmatch(f"{line.strip()} ")
        if found:
            yield from readable(partial(_port_of_line, found, number))
        elif line and not line.lstrip().startswith("caps:"):
            yield Skipped(number, line, "link DEVICE/PORT state STATE physical_state STATE [netdev NAME]")
    yield from torn(text)


def _port_of_line(found: re.Match[str], line: int) -> RdmaPort:
    return _port(found["device"], found["port"], _pairs(found["rest"], line), line)


def _pairs(rest: str, line: int) -> dict[str, str]:
    words = rest.split()
    if len(words) % 2 or not _KNOWN.issuperset(words[::2]):
        raise ParseError(line, rest, f"pairs of {', '.join(sorted(_KNOWN))} and a value")
    return dict(zip(words[::2], words[1::2], strict=True))


def _port(device: str, port: str, told: Mapping[str, Any], line: int) -> RdmaPort:
    if not device or not port.isdecimal() or "state" not in told:
        raise ParseError(line, f"{device}/{port} {dict(told)}", "device, port number and state")
    physical = told.get("physical_state")
    return RdmaPort(
        line=line or None,
        device=device,
        port=int(port),
        state=port_words.state(str(told["state"]), line),
        physical_state=port_words.physical_state(str(physical), line) if physical else None,
        netdev=str(told["netdev"]) if told.get("netdev") else None,
        lid=_number(told.get("lid"), line),
        sm_lid=_number(told.get("sm_lid"), line),
    )


def _number(value: object, line: int) -> int | None:
    if value is None:
        return None
    if not str(value).isdecimal():
        raise ParseError(line, str(value), "a LID")
    return int(str(value))


@section("rdma-dev", Run("rdma", "-j", "dev", "show"), yields=(RdmaDevice,), proven=Provenance.FIELD)
def parse_dev(output: Output) -> Iterator[Answer]:
    """``rdma dev``: firmware and GUIDs of every RDMA device; ``-j`` or plain.

    ``fw`` is missing for drivers without firmware (rxe, siw). Plain lines start with ``1: mlx5_0:``, before
    iproute2 5.1 with ``dev 1: mlx5_0:``. Source: iproute2 ``rdma/dev.c``.
    """
    if tells_json(output.stdout) or not output.stdout.strip():
        yield from answers(output, _devices_of_object, "RDMA devices", RdmaDevice)
    else:
        yield from some(_devices_of_text(output.stdout), output, "INDEX: DEVICE: node_type TYPE node_guid GUID")


def _devices_of_object(one: Mapping[str, Any]) -> Iterator[Answer]:
    yield _device(str(one.get("ifname", "")), one, 0)


def _devices_of_text(text: str) -> Iterator[Answer]:
    for number, line in numbered(whole(text)):
        found = _DEVICE.fullmatch(f"{line.strip()} ")
        if found:
            yield from readable(partial(_device_of_line, found, number))
        elif line and not line.lstrip().startswith(("caps:", "adaptive-moderation")):
            yield Skipped(number, line, "INDEX: DEVICE: node_type TYPE node_guid GUID")
    yield from torn(text)


def _device_of_line(found: re.Match[str], line: int) -> RdmaDevice:
    return _device(found["device"], _pairs(found["rest"], line), line)


def _device(device: str, told: Mapping[str, Any], line: int) -> RdmaDevice:
    if not device or "node_guid" not in told:
        raise ParseError(line, f"{device} {dict(told)}", "device and node_guid")
    image = told.get("sys_image_guid")
    return RdmaDevice(
        line=line or None,
        device=device,
        firmware=str(told["fw"]) if told.get("fw") else None,
        node_guid=port_words.guid(str(told["node_guid"]), line),
        sys_image_guid=port_words.guid(str(image), line) if image else None,
    )

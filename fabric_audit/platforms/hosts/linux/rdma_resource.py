"""Who uses the RDMA devices, and how they are shared among network namespaces, as ``rdma`` tells it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.rdma import QueuePair, RdmaResource
from fabric_audit.facts.system import KernelSetting
from fabric_audit.platforms.hosts.linux.iproute import answers
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, section
from fabric_audit.platforms.text import numbered, whole


@section("rdma-resource", Run("rdma", "-j", "resource", "show"), yields=(RdmaResource,), proven=Provenance.FIELD)
def parse_resource(output: Output) -> Iterator[Answer]:
    """``rdma -j resource show``: how many objects of each kind exist on each device.

    ``ctx`` (contexts) came with Linux 5.1, other kinds later; what is not told is not known. Drivers without support
    show nothing. Source: iproute2 ``rdma/res.c``.
    """
    yield from answers(output, _resource, "RDMA resources", RdmaResource)


def _resource(one: Mapping[str, Any]) -> Iterator[Answer]:
    device = one.get("ifname")
    if not isinstance(device, str) or not {"qp", "mr", "pd"} & one.keys():
        raise ParseError(0, str(dict(one)), "a device with counts such as qp, mr, pd")
    yield RdmaResource(
        device=device,
        qps=_count(one.get("qp")),
        memory_regions=_count(one.get("mr")),
        contexts=_count(one.get("ctx")),
    )


def _count(value: object) -> int | None:
    return value if type(value) is int else None


@section("rdma-qp", Run("rdma", "-j", "resource", "show", "qp"), yields=(QueuePair,), proven=Provenance.FIELD)
def parse_qps(output: Output) -> Iterator[Answer]:
    """``rdma -j resource show qp``: every queue pair with its owner.

    ``pid`` is missing for the kernel's own, and for other users' programs unless root asks. ``port`` is missing
    for a queue pair that has none yet. Source: iproute2 ``rdma/res-qp.c``.
    """
    yield from answers(output, _qp, "queue pairs", QueuePair)


def _qp(one: Mapping[str, Any]) -> Iterator[Answer]:
    device, number = one.get("ifname"), one.get("lqpn")
    if not isinstance(device, str) or type(number) is not int:
        raise ParseError(0, str(dict(one)), "a queue pair with ifname and lqpn")

    def word(name: str) -> str | None:
        return str(one[name]) if one.get(name) is not None else None

    yield QueuePair(
        device=device,
        port=_count(one.get("port")) or 0,
        qpn=number,
        type=word("type"),
        state=word("state"),
        process=word("comm"),
        pid=_count(one.get("pid")),
    )


@section("rdma-system", Run("rdma", "system", "show"), yields=(KernelSetting,), proven=Provenance.FIELD)
def parse_system(output: Output) -> Iterator[Answer]:
    """``rdma system show``: the settings ``rdma:netns`` (shared or exclusive), ``rdma:copy-on-fork`` and others.

    With ``exclusive`` a device is seen in one network namespace only; with ``shared`` in all, its interface maybe in
    another. Source: iproute2 ``rdma/sys.c``.
    """
    missing = tuple(refused(output, KernelSetting))
    if missing:
        yield from missing
        return
    lines = [(number, line.strip()) for number, line in numbered(whole(output.stdout)) if line]
    if not lines or len({line for _, line in lines}) != 1:
        raise ParseError(*(lines[-1] if lines else (0, output.stdout)), "one line netns MODE ...")
    number, line = lines[0]
    if not re.fullmatch(r"netns (?:shared|exclusive)(?: [a-z-]+ (?:on|off))*", line):
        raise ParseError(number, line, "netns MODE, then NAME on or off")
    words = line.split()
    for name, value in zip(words[::2], words[1::2], strict=True):
        yield KernelSetting(line=number, name=f"rdma:{name}", value=value)

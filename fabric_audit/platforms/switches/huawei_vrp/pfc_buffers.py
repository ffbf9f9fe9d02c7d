"""Buffers of VRP for lossless queues: thresholds, headroom, and what is used of them."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import BufferPool, HeadroomNeed, PriorityGroup
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.huawei_vrp.lines import BYTES_PER_KB, answers, echoed_port, kilobytes, rows
from fabric_audit.platforms.switches.huawei_vrp.names import NAME

_SIZE = r"(?:\d+\([BKMD]\)|-)"
_UNITS = {"B": 1, "K": BYTES_PER_KB, "M": BYTES_PER_KB**2}


@section("display-dcb-pfc-buffer", Cli("display dcb pfc buffer"), yields=(PriorityGroup,), proven=Provenance.DOCUMENT)
def parse_pfc_buffer(output: Output) -> Iterator[Answer]:
    """``display dcb pfc buffer [interface PORT]``: thresholds per lossless queue, each with its unit.

    ``(B)`` and ``(K)`` are bytes and kilobytes, ``(D)`` the index of a dynamic threshold, which has no published table.
    Xoff is the fill at which pause is sent, Hdrm the headroom above it. Pause ends at the higher of Xon-Lowest and Xoff
    less Xon-Offset: with a dynamic Xoff that level is not known. Some models print Xon and Xoff alone.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _buffers, (PriorityGroup,), "no lossless queue")


def _buffers(text: str) -> Iterator[Answer]:
    whole = r"Interface\s+Queue\s+Guaranteed\s+Xon-Lowest\s+Xon-Offset\s+Xoff\s+Hdrm"
    names: tuple[str, ...]
    if re.search(whole, text):
        names = ("size", "lowest", "offset", "xoff", "headroom")
        header = whole
    else:
        names, header = ("xon", "xoff"), r"Interface\s+Queue\s+Xon\s+Xoff"
    cells = "".join(rf"\s+(?P<{name}>{_SIZE})" for name in names)
    for row in rows(text, header, rf"(?:(?P<port>{NAME})\s+)?(?P<queue>[0-7]){cells}"):
        sizes = {name: _bytes(row[name]) for name in names}
        xoff = sizes["xoff"]
        alpha = re.fullmatch(r"(\d+)\(D\)", row["xoff"])
        yield PriorityGroup(
            port=row.port,
            pg=int(row["queue"]),
            lossless=True,
            size_bytes=sizes.get("size"),
            pause_at_bytes=xoff,
            xon_bytes=_xon(xoff, sizes) if "offset" in sizes else sizes.get("xon"),
            xoff_bytes=sizes.get("headroom"),
            alpha_raw=alpha[1] if alpha else None,
            line=row.line,
        )


def _bytes(cell: str) -> int | None:
    found = re.fullmatch(r"(\d+)\(([BKM])\)", cell)
    return int(found[1]) * _UNITS[found[2]] if found else None


def _xon(xoff: int | None, sizes: dict[str, int | None]) -> int | None:
    lowest, offset = sizes["lowest"], sizes["offset"]
    if xoff is None or offset is None or lowest is None:
        return None
    return max(lowest, xoff - offset)


@section(
    "display-buffer-optimization-configuration",
    yields=(HeadroomNeed, PfcPort),
    proven=Provenance.DOCUMENT,
)
def parse_optimization(output: Output) -> Iterator[Answer]:
    """``display buffer optimization configuration slot N``: headroom that a port needs, and that it was found to have.

    In KB. ``-`` is a port that was not examined. PFC Enable is that of the port. The tables of pipes are left out.

    Source: Huawei CE6800 V300R023C00 command reference, Buffer Optimization Configuration Commands.
    """
    yield from answers(output.stdout, _needs, (HeadroomNeed, PfcPort), "no port")


def _needs(text: str) -> Iterator[Answer]:
    header = r"Interface\s+Port\s+Chip\s+Pipe\s+PFC\s+Mode\s+DetectHdrmResult\s+RequiredHdrm"
    pattern = (
        rf"(?P<port>{NAME})\s+\d+\s+\d+\s+\d+\s+(?P<pfc>\S+)\s+(?P<mode>\S+)\s+(?P<found>\d+|-)\s+(?P<needed>\d+|-)"
    )
    for row in rows(text, header, pattern):
        if row["pfc"] not in ("Enable", "Disable", "-"):
            raise ParseError(row.line, row["pfc"], "PFC Enable or Disable")
        found, needed = (kilobytes(row.count(name)) for name in ("found", "needed"))
        yield HeadroomNeed(port=row.port, found_bytes=found, required_bytes=needed, line=row.line)
        if row["pfc"] == "Disable":
            yield PfcPort(
                port=row.port, mode="off", admin_priorities="", source="display buffer optimization", line=row.line
            )


@section("display-qos-headroom-usage-interface", yields=(PriorityGroup,), proven=Provenance.DOCUMENT)
def parse_headroom_usage(output: Output) -> Iterator[Answer]:
    """``display qos headroom-usage interface PORT``: headroom that each queue uses and has used, in KBytes.

    The port is that of the echoed command, else that of ``--item``.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, lambda text: _headroom(text, output.item), (PriorityGroup,), "no queue")


def _headroom(text: str, item: str) -> Iterator[Answer]:
    port = echoed_port(text, item)
    pattern = r"(?P<queue>[0-7])\s+(?P<now>\d+)\s+(?P<peak>\d+)\s+(?P<average>\d+)"
    for row in rows(text, r"Queue\s+Current\s+Peak\s+Average", pattern):
        yield PriorityGroup(
            port=port, pg=int(row["queue"]), headroom_watermark_bytes=kilobytes(row.count("peak")), line=row.line
        )


@section(
    "display-qos-headroom-usage-slot",
    Cli("display qos headroom-usage"),
    yields=(BufferPool,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_headroom_pools(output: Output) -> Iterator[Answer]:
    """``display qos headroom-usage``: the headroom pool of each core of each chip, in KBytes.

    A total of 0 is a chip without headroom: PFC there protects nothing.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _pools, (BufferPool,), "no chip")


def _pools(text: str) -> Iterator[Answer]:
    pattern = r"(?P<slot>\d+)\s+(?P<chip>\d+)\s+(?P<core>\d+)\s+(?P<total>\d+)\s+(?P<now>\d+)\s+(?P<peak>\d+)\s+\d+"
    for row in rows(text, r"Slot\s+Chip\s+Core\s+Total\s+Current\s+Peak\s+Average", pattern):
        yield BufferPool(
            pool=f"headroom slot {row['slot']} chip {row['chip']} core {row['core']}",
            direction="ingress",
            size_bytes=kilobytes(row.count("total")),
            shared_headroom_bytes=kilobytes(row.count("total")),
            headroom_watermark_bytes=kilobytes(row.count("peak")),
            line=row.line,
        )


@section("display-qos-buffer-ingress-usage", yields=(PriorityGroup,), proven=Provenance.DOCUMENT)
def parse_ingress_usage(output: Output) -> Iterator[Answer]:
    """``display qos buffer ingress-usage interface PORT``: which priorities of a port are lossless.

    ``0/4*`` is what is used of what there is, in KBytes; with ``*`` the limit is dynamic, and as it is now.

    Source: Huawei CE6800 V300R023C00 command reference, Congestion Avoidance and Congestion Management.
    """
    yield from answers(output.stdout, _ingress, (PriorityGroup,), "no lossless priority")


def _ingress(text: str) -> Iterator[Answer]:
    pattern = rf"(?:(?P<port>{NAME})\s+)?(?P<priority>[0-7])\s+(?P<used>\d+)/(?P<limit>\d+)(?P<dynamic>\*?)"
    for row in rows(text, r"Interface\s+Priority\s+PFC-Xoff", pattern):
        yield PriorityGroup(
            port=row.port,
            pg=int(row["priority"]),
            lossless=True,
            pause_at_bytes=None if row["dynamic"] else kilobytes(row.count("limit")),
            line=row.line,
        )

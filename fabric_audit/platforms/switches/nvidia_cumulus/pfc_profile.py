"""Named PFC profiles of Cumulus Linux: ``nv show qos pfc PROFILE``."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.profiles import BufferProfile, PfcProfile
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Shown, flag, numbers, shown, size_bytes
from fabric_audit.platforms.text import decimal

_YIELDS = (PfcProfile, BufferProfile)


@section("nv-show-qos-pfc-default-global", yields=_YIELDS, proven=Provenance.DOCUMENT)
def parse_pfc_profile(output: Output) -> Iterator[Answer]:
    """``nv show qos pfc PROFILE``: priorities, directions and buffers.

    ``default-global`` holds for every port that has no profile of its own.

    ``rx disable`` means that pause of the neighbour is ignored, ``tx disable`` that none is sent: only with both is a
    class lossless. ``xoff-threshold`` is the fill at which pause is sent; what the port buffer has above it is
    headroom. ``xon-threshold`` is a level in some releases and a difference to xoff in others, and is not read.

    Source: Cumulus Linux 5.12 user guide, Priority Flow Control.
    """
    yield from of_whole_lines(output.stdout, lambda text: _facts(shown(text), output.item), _YIELDS, "no PFC profile")


def _facts(told: Shown, item: str) -> Iterator[Answer]:
    named = re.match(r"nv show qos pfc (\S+)", told.command)
    profile = named[1] if named else item or "default-global"
    ways = {way: flag(told.value(way)) for way in ("rx", "tx")}
    if None in ways.values():
        raise ParseError(told.line("rx", "tx"), f"rx {told.value('rx')}, tx {told.value('tx')}", "enable or disable")
    if "switch-priority" not in told.leaves:
        raise ParseError(told.line("xon-threshold", "tx"), "", "a setting [switch-priority]")
    lossless = numbers(told.value("switch-priority"), told.line("switch-priority"))
    for direction, on in (("input", ways["tx"]), ("output", ways["rx"])):
        for priority in range(8):
            yield PfcProfile(
                profile=profile,
                direction=direction,
                code_field="pcp",
                code_point=priority,
                pfc=on and priority in lossless,
                line=told.line("tx" if direction == "input" else "rx"),
            )
    yield _buffers(told, profile)
    yield Missing(BufferProfile.TABLE, Why.NOT_SUPPORTED, "xon-threshold: a level or a difference to xoff", "xon_bytes")


def _buffers(told: Shown, profile: str) -> BufferProfile:
    line = told.line("port-buffer", "xoff-threshold")
    size, pause_at = (size_bytes(told.value(name), told.line(name)) for name in ("port-buffer", "xoff-threshold"))
    return BufferProfile(
        profile=profile,
        size_bytes=size,
        pause_at_bytes=pause_at,
        xoff_bytes=size - pause_at if size is not None and pause_at is not None and size >= pause_at else None,
        cable_length_m=decimal(told.value("cable-length"), told.line("cable-length")),
        line=line,
    )

"""What Cisco's builds of SONiC add for the 8000 series."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.platforms.model import Answer, Output, Provenance, section
from fabric_audit.platforms.partial import ended
from fabric_audit.platforms.text import numbered

_COMMAND = re.compile(r".*\bnpu rx\b.*")
_PORT = re.compile(r"-i\s+(\S+)")
_TRAFFIC_CLASS = re.compile(r"-t\s+(\d)\b")
_HEADROOM = re.compile(r"Headroom buffers\s+(\d{1,12})")


@section("show-platform-npu-rx-cgm-profile", yields=(PriorityGroup,), proven=Provenance.DOCUMENT)
def show_platform_npu_rx_cgm_profile(output: Output) -> Iterator[Answer]:
    """``show platform npu rx -i PORT -t CLASS cgm_profile``: how much a lossless class can still receive after pause.

    Only the headroom is read, in the ASIC's own buffers: their size is not printed, so there are no bytes. The table
    of regions, where fc marks those in which pause is sent, is left out. Port and class stand only in the echoed
    command; receive buffers are kept by traffic class there. Source: developer.cisco.com/docs/sonic/troubleshoot-pfc.
    """
    command, headroom = "", None
    for number, line in numbered(ended(output.stdout)[0]):
        if not command and _COMMAND.match(line):
            command = line
        found = _HEADROOM.fullmatch(line.strip())
        if found:
            headroom = (number, int(found[1]))
    port, traffic_class = _PORT.search(command), _TRAFFIC_CLASS.search(command)
    if not port or not traffic_class:
        raise ParseError(1, command, "the echoed command with -i PORT and -t CLASS")
    if headroom is None:
        raise ParseError(0, "", "Headroom buffers and their number")
    at, buffers = headroom
    yield PriorityGroup(port=port[1], pg=int(traffic_class[1]), lossless=buffers > 0, headroom_buffers=buffers, line=at)

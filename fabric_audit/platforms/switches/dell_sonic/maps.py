"""``show qos map``: the rows of named maps."""

import re
from collections.abc import Iterator

from fabric_audit.facts.profiles import QosMapEntry
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.text import numbered

_KINDS = {
    "DSCP-TC": "dscp_tc",
    "DOT1P-TC": "dot1p_tc",
    "TC-QUEUE": "tc_queue",
    "TC-PRIORITY-GROUP": "tc_pg",
    "TC-PG": "tc_pg",
    "TC-DSCP": "tc_dscp",
    "TC-DOT1P": "tc_dot1p",
    "PFC-PRIORITY-QUEUE": "pfc_priority_queue",
    "PFC-PRIORITY-PRIORITY-GROUP": "pfc_priority_pg",
    "PFC-PRIORITY-PG": "pfc_priority_pg",
}
_TITLE = re.compile(r"\s*([\w-]+)-MAP:\s*(\S+)", re.IGNORECASE)
_ROW = re.compile(r"\s+(\d{1,2})\s+(\d{1,2})")
_COLUMNS = re.compile(r"\s+(DSCP|DOT1P|TC|PFC Priority)\s+(TC|Queue|PG|Priority.Group|DSCP|DOT1P)", re.IGNORECASE)
_FENCE = re.compile(r"-{10,}")


@section(
    "show-qos-map-dscp-tc",
    Cli('sonic-cli -c "show qos map dscp-tc | no-more"'),
    yields=(QosMapEntry,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
@section(
    "show-qos-map-pfc-priority-pg",
    Cli('sonic-cli -c "show qos map pfc-priority-pg | no-more"'),
    yields=(QosMapEntry,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
@section(
    "show-qos-map-pfc-priority-queue",
    Cli('sonic-cli -c "show qos map pfc-priority-queue | no-more"'),
    yields=(QosMapEntry,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_qos_map(output: Output) -> Iterator[Answer]:
    """``show qos map KIND``: each map with its title, a line of column names between dashes, and two numbers a row.

    A line of dashes ends a map. It does not say which ports use the map, and a map that is gone can still be bound.
    Source: dellemc.enterprise_sonic sonic_qos_maps.
    """
    yield from of_whole_lines(output.stdout, _rows, (QosMapEntry,), "there is no map")


def _rows(text: str) -> Iterator[Answer]:
    kind, name, titled, fenced = "", "", False, True
    for number, line in numbered(text):
        title, row = _TITLE.fullmatch(line), _ROW.fullmatch(line)
        if title:
            kind, name, titled = _KINDS.get(title[1].upper(), ""), title[2], True
            if not kind:
                yield Skipped(number, line, f"a map of kind {', '.join(_KINDS)}")
        elif row and kind:
            fenced = False
            source, target = int(row[1]), int(row[2])
            yield QosMapEntry(map_kind=kind, map_name=name, source_value=source, target_value=target, line=number)
        elif _FENCE.fullmatch(line.strip()):
            fenced = True
        elif not is_noise(line) and not _COLUMNS.fullmatch(line) and not row:
            yield Skipped(number, line, "two numbers")
    if not fenced or not titled:
        yield Skipped(0, name, "a title such as DSCP-TC-MAP: NAME, and a line of dashes that ends the map")

"""PFC frames, and storms of the watchdog, as the CLI counts them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcCounter, PfcWatchdog
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines, whole
from fabric_audit.platforms.switches.sonic.pfc import both_directions
from fabric_audit.platforms.switches.sonic.polling import PORT_S
from fabric_audit.platforms.text import integer, numbered

_DIRECTION = re.compile(r"Flow Control frames (received|transmitted)", re.IGNORECASE)
_PRIORITIES = re.compile(r"(?:Port|Interface)\s+PFC0\s+PFC1\s+PFC2\s+PFC3\s+PFC4\s+PFC5\s+PFC6\s+PFC7")
_QUEUES = re.compile(r"(?:Port|Interface)\s+Queue\s+Status\s+Detected\s+Restored(?:\s+OK\s+Drop){4}")
_HEADING = re.compile(r"PFC Port:Queue Statistics|Storms\s+Transmitted\s+Received.*")
_RULE = re.compile(r"\s*-+(?:\s+-+)+")
_STATES = {"operational": "operational", "stormed": "stormed", "n/a": "stopped"}
_COUNTER_CELLS = 9  # a port and eight priorities
_WATCHDOG_CELLS = 13  # port, queue, status, two of storms, four pairs of OK and Drop


@section(
    "show-qos-interface-pfc-statistics",
    Cli('sonic-cli -c "show qos interface Ethall priority-flow-control statistics | no-more"'),
    yields=(PfcCounter, PfcWatchdog),
    proven=Provenance.CONSTRUCTED,
    when=When.REQUEST,
)
@section("show-qos-pfc-statistics", yields=(PfcCounter, PfcWatchdog), proven=Provenance.DOCUMENT)
def show_qos_pfc_statistics(output: Output) -> Iterator[Answer]:
    """PFC statistics of the CLI: frames received, frames transmitted, and the watchdog of each queue.

    ``show qos pfc statistics PORT`` in the first design; shipping releases have the same tables in
    ``show qos interface PORT priority-flow-control statistics`` and ``… queue N … watchdog-statistics``, with
    ``Interface`` for ``Port``. Values do not stand below their titles, but none is ever empty, so rows are split at
    blanks; a row that ends before the dashes above it was cut. Status ``N/A``: the watchdog of that queue does not
    run. Sources: SONiC QoS management design, sonic-mgmt spytest/templates/show_interface_pfc_statistics.
    """
    yield from both_directions(of_whole_lines(output.stdout, _statistics, (PfcCounter,), "the tables have no rows"))


def _statistics(text: str) -> Iterator[Answer]:
    table = _Table()
    for number, line in numbered(text):
        if table.starts(line):
            continue
        words = line.split()
        if table.cells and len(words) == table.cells and len(line) >= table.width:
            yield from whole(_row(words, table.direction, number))
        elif not is_noise(line) and not _HEADING.fullmatch(line.strip()):
            yield Skipped(number, line, "a row of PFC counters or of the watchdog")
    if not table.cells:
        yield Skipped(0, text.strip()[:200], "Flow Control frames received, or PFC Port:Queue Statistics")


@dataclass(slots=True)
class _Table:
    """The table that rows belong to now."""

    direction: str = ""
    cells: int = 0
    width: int = 0

    def starts(self, line: str) -> bool:
        """Whether the line is a heading, the titles or the dashes of a table."""
        if found := _DIRECTION.fullmatch(line.strip()):
            self.direction, self.cells = found[1].lower(), 0
        elif _PRIORITIES.fullmatch(line.strip()) and self.direction:
            self.cells = _COUNTER_CELLS
        elif _QUEUES.fullmatch(line.strip()):
            self.cells = _WATCHDOG_CELLS
        elif _RULE.fullmatch(line):
            self.width = len(line)
        else:
            return False
        return True


def _row(cells: list[str], direction: str, line: int) -> Iterator[Answer]:
    if not re.fullmatch(r"(?=.*\d)[A-Za-z][\w/.]*", cells[0]):
        raise ParseError(line, cells[0], "an interface")
    if len(cells) == _WATCHDOG_CELLS:
        yield _watchdog(cells, line)
        return
    for priority, cell in enumerate(cells[1:]):
        frames = integer(cell, line, "a number of frames")
        yield PfcCounter(
            port=cells[0],
            priority=priority,
            rx_frames=frames if direction == "received" else None,
            tx_frames=frames if direction == "transmitted" else None,
            scope="since_clear",
            refresh_s=PORT_S,
            line=line,
        )


def _watchdog(cells: list[str], line: int) -> PfcWatchdog:
    port, queue, status, *counts = cells
    number = integer(queue, line, "a queue")
    if number is None:
        raise ParseError(line, queue, "a queue")
    detected, restored, _, sent_drops, _, received_drops, *_ = (
        integer(count, line, "a number of storms or packets") or 0 for count in counts
    )
    return PfcWatchdog(
        port=port,
        queue=number,
        enabled=status.lower() != "n/a",
        state=_STATES.get(status.lower(), "unknown"),
        storms_detected=detected,
        storms_restored=restored,
        dropped_packets=sent_drops + received_drops,
        line=line,
    )

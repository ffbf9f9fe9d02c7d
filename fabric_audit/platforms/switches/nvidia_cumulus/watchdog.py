"""The PFC watchdog of a Cumulus port as it runs."""

from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.platforms.model import Answer, Output, Provenance, section
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Row, Shown, flag, numbers, shown, size_bytes

_STATES = {"OK": "operational", "DEADLOCK": "stormed"}


@section("nv-show-interface-qos-pfc-watchdog", yields=(PfcWatchdog,), proven=Provenance.DOCUMENT)
def parse_watchdog(output: Output) -> Iterator[Answer]:
    """``nv show interface PORT qos pfc-watchdog``: on or off, and per traffic class OK or DEADLOCK.

    DEADLOCK is a storm that lasts: pause is ignored there and packets are dropped. ``deadlock-count`` counts storms
    since it was cleared, those that ended too. A text without a state line comes from a watchdog that
    is on, for it has a status.

    Source: Cumulus Linux 5.12 user guide, PFC Watchdog.
    """
    yield from of_whole_lines(
        output.stdout, lambda text: _facts(shown(text), output.item), (PfcWatchdog,), "no status of a traffic class"
    )


def _facts(told: Shown, item: str) -> Iterator[Answer]:
    port = told.port(item)
    on = flag(told.value("state"))
    if told.value("state") and on is None:
        raise ParseError(told.line("state"), told.value("state"), "enabled or disabled")
    table = told.table("PFC WD Status")
    for row in table.rows if table else ():
        yield _queue(port, row, on=True if on is None else on)
    if not table and on:
        raise ParseError(told.line("state"), "state enabled", "a table PFC WD Status")
    if not table and on is False:
        yield PfcWatchdog(port=port, queue=-1, enabled=False, line=told.line("state"))


def _queue(port: str, row: Row, *, on: bool) -> PfcWatchdog:
    (queue,) = numbers(row.need("traffic-class"), row.line) or (-1,)
    word = row.need("status")
    if word not in _STATES:
        raise ParseError(row.line, word, " or ".join(_STATES))
    return PfcWatchdog(
        port=port,
        queue=queue,
        enabled=on,
        state=_STATES[word],
        storms_detected=size_bytes(row.need("deadlock-count"), row.line),
        line=row.line,
    )

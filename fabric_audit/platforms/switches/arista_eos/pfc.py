"""PFC of EOS as it runs: state per port, frames per priority, and what the watchdog saw."""

import re
from collections.abc import Iterator, Mapping

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcCounter, PfcPort, PfcWatchdog
from fabric_audit.platforms.columns import Columns, columns
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.switches.arista_eos.names import canonical, kind
from fabric_audit.platforms.text import numbered, some, torn, whole

_SINCE_CLEAR = "since_clear"
_FLAGS = ("Port", "Status", "Priorities")
_WATCHED = (*_FLAGS, "Action", "Timeout", "Recovery", "Polling", "Note")
_WORDS = ("Port", "Enabled", "Priorities", "Active", "Note")
_GLOBAL_TIMER = re.compile(r"The PFC watchdog (timeout|recovery-time|polling-interval) is ([0-9.]+) second\(s\).*")
_GLOBAL_ACTION = re.compile(r"The PFC watchdog action is (\S+)")
_ACTIONS = {"errdisable": "errdisable", "drop": "drop", "no-drop": "forward", "notify-only": "alert"}


@section(
    "show-priority-flow-control",
    Cli("show priority-flow-control"),
    yields=(PfcPort, PfcWatchdog),
    proven=Provenance.FIELD,
)
def parse_priority_flow_control(output: Output) -> Iterator[Answer]:
    """``show priority-flow-control`` (also ``... status``), as text: every release prints it.

    Flags per port: E enabled or D disabled, A active, W watchdog. ``Global PFC : Enabled`` says that no kill switch
    is set; it stands there also when no port has PFC. A port's priorities are in force only when it is active. The
    watchdog is off while its timeout is 0.0, whatever the flag says; ``-`` in a column means the global value. The
    older layout has the columns Enabled, Priorities, Active, Note, with Yes and No, and no watchdog.

    Read by the columns of the header: cells are empty where nothing is set.
    """
    yield from some(_rows(output.stdout), output, "a table with Port, Status, Priorities")
    yield from torn(output.stdout)


def _rows(text: str) -> Iterator[Answer]:
    table: Columns | None = None
    common: dict[str, str] = {}
    for number, line in numbered(whole(text)):
        header = columns(line, _WATCHED) or columns(line, _WORDS) or columns(line, (*_FLAGS, "Note"))
        timer = _GLOBAL_TIMER.fullmatch(line.strip())
        action = _GLOBAL_ACTION.fullmatch(line.strip())
        if header:
            table = header
        elif timer:
            common[timer[1]] = timer[2]
        elif action:
            common["action"] = action[1]
        elif table and kind(canonical(line.partition(" ")[0])):
            yield from _row(table.cells(line, number), common, number, line)
        elif table and line.strip() and not re.fullmatch(r"[-\s]+|\s+Interval/Mode\s+Config/Oper|.*[#>]", line):
            raise ParseError(number, line, "a row that starts with a port")


def _row(cells: Mapping[str, str], common: Mapping[str, str], number: int, line: str) -> Iterator[Answer]:
    enabled, active = _state(cells, number, line)
    digits = re.fullmatch(r"(?:[0-7][ ,]*)*|-", cells["Priorities"])
    if not digits:
        raise ParseError(number, line, "priorities 0 to 7")
    priorities = "".join(sorted(set(re.findall("[0-7]", cells["Priorities"]))))
    port = canonical(cells["Port"])
    yield PfcPort(
        port=port,
        mode="on" if enabled else "off",
        admin_priorities=priorities if enabled else "",
        oper_priorities=priorities if active else "",
        source="show priority-flow-control",
        line=number,
    )
    if "Status" in cells and "timeout" in common:
        yield _watchdog(port, cells, common, number, line)


def _state(cells: Mapping[str, str], number: int, line: str) -> tuple[bool, bool]:
    """Enabled and active."""
    if "Status" in cells:
        flags = re.fullmatch(r"([ED])(?: ([A-]))?(?: [W-])?", cells["Status"])
        if not flags:
            raise ParseError(number, line, "flags E or D, A or -, W or -")
        return flags[1] == "E", flags[2] == "A"
    words = {"Yes": True, "No": False}
    if cells["Enabled"] not in words or cells["Active"] not in words:
        raise ParseError(number, line, "Yes or No under Enabled and Active")
    return words[cells["Enabled"]], words[cells["Active"]]


def _watchdog(port: str, cells: Mapping[str, str], common: Mapping[str, str], number: int, line: str) -> PfcWatchdog:
    detect_ms = _milliseconds(cells.get("Timeout", "-"), common["timeout"], number, line)
    action = cells.get("Action", "-")
    word = common.get("action", "") if action in ("-", "") else action
    return PfcWatchdog(
        port=port,
        queue=-1,
        enabled=detect_ms is not None and cells["Status"].endswith("W"),
        action=_ACTIONS.get(word),
        detect_ms=detect_ms,
        restore_ms=_milliseconds(cells.get("Recovery", "-"), common.get("recovery-time", "0"), number, line),
        poll_ms=_milliseconds(cells.get("Polling", "-"), common.get("polling-interval", "0"), number, line),
        line=number,
    )


def _milliseconds(cell: str, common: str, number: int, line: str) -> int | None:
    """``0.2``, ``0.2 / auto`` or ``-`` for the global value; 0 and auto are none."""
    own = cell.partition("/")[0].strip()
    seconds = common if own in ("", "-") else own
    if seconds == "auto":
        return None
    if not re.fullmatch(r"\d{1,4}(\.\d{1,6})?", seconds):
        raise ParseError(number, line, "a time in seconds")
    return round(float(seconds) * 1000) or None


@section(
    "show-priority-flow-control-counters-json",
    Cli("show priority-flow-control counters | json"),
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_pfc_counters_json(output: Output) -> Iterator[Answer]:
    """``show priority-flow-control counters | json``: all priorities of a port together, ``interfaceCounters``.

    Received means that the neighbour asked this port to stop. The split by priority is in ``... counters detail``.

    Source: revision 3 of the model, as Arista's ANTA reads it.
    """
    counters = document(output.stdout).need("interfaceCounters")
    if counters.empty:
        yield Missing(Counter.TABLE, Why.ABSENT, "interfaceCounters: {}")
    classes = {"rxFrames": CounterClass.PAUSE_RECEIVED, "txFrames": CounterClass.PAUSE_SENT}
    for port, node in counters.members():
        for name, counter_class in classes.items():
            place = node.need(name)
            yield Counter(
                port=port,
                name=f"pfc.{name}",
                value=place.integer(),
                counter_class=counter_class,
                unit="frames",
                bits=64,
                saturates=False,
                scope=_SINCE_CLEAR,
                source="show priority-flow-control counters",
                line=place.line,
            )


@section(
    "show-priority-flow-control-counters-detail-json",
    Cli("show priority-flow-control counters detail | json"),
    yields=(PfcCounter,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_pfc_counters_detail_json(output: Output) -> Iterator[Answer]:
    """``show priority-flow-control counters detail | json``: frames per port and priority.

    ``interfaces.PORT.priorities.N`` holds ``rxFrames`` (the neighbour asked this port to stop) and ``txFrames``.

    Source: the model as Meta's TAAC health checks read it on EOS switches.
    """
    ports = document(output.stdout).need("interfaces", "interfaceCounters")
    if ports.empty:
        yield Missing(PfcCounter.TABLE, Why.ABSENT, "interfaces: {}")
    for port, node in ports.members():
        for priority, counted in node.need("priorities").members():
            if not re.fullmatch("[0-7]", priority):
                raise counted.wrong("a priority from 0 to 7")
            yield PfcCounter(
                port=port,
                priority=int(priority),
                tx_frames=counted.need("txFrames").integer(),
                rx_frames=counted.need("rxFrames").integer(),
                scope=_SINCE_CLEAR,
                line=counted.line,
            )


@section(
    "show-priority-flow-control-counters-watchdog-json",
    Cli("show priority-flow-control counters watchdog | json"),
    yields=(PfcWatchdog,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_pfc_watchdog_json(output: Output) -> Iterator[Answer]:
    """``show priority-flow-control counters watchdog | json``: storms per port and queue.

    A port or queue that never had an event is left out: ``interfaces: {}`` means that nothing ever happened. A
    queue that got stuck more often than it recovered is stormed now.

    Source: the model as Meta's TAAC health checks read it on EOS switches.
    """
    ports = document(output.stdout).need("interfaces")
    if ports.empty:
        yield Missing(PfcWatchdog.TABLE, Why.ABSENT, "interfaces: {} - the watchdog has seen no stuck queue")
    for port, node in ports.members():
        for queue, counted in node.need("txQueues").members():
            number = re.fullmatch(r"(?:UC|TC|TX|VOQ)?(\d)", queue)
            if not number:
                raise counted.wrong("a queue number")
            stuck, recovered = counted.need("stuckCount").integer(), counted.need("recoveryCount").integer()
            told = stuck is not None and recovered is not None
            yield PfcWatchdog(
                port=port,
                queue=int(number[1]),
                state=("stormed" if (stuck or 0) > (recovered or 0) else "operational") if told else "unknown",
                storms_detected=stuck,
                storms_restored=recovered,
                line=counted.line,
            )

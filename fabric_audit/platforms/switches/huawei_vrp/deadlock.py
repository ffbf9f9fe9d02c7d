"""PFC deadlocks of VRP: what the switch did about them, and the packets it moved out of a circle."""

from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcWatchdog
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.switches.huawei_vrp.lines import answers, lines, rows
from fabric_audit.platforms.switches.huawei_vrp.names import NAME

_ACTIONS = {"TurnOff": "forward", "ErrorDown": "errdisable"}
_STATES = {
    "LinkUp": "operational",
    "TurnOff": "stormed",
    "ErrorDown": "stormed",
    "LinkDown": "operational",
    "ShutDown": "operational",
}
_REFRESH_S = 20.0


@section(
    "display-dcb-pfc-deadlock-trigger-status",
    Cli("display dcb pfc deadlock trigger status"),
    yields=(PfcWatchdog,),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_trigger_status(output: Output) -> Iterator[Answer]:
    """``display dcb pfc deadlock trigger status``: what became of each queue whose deadlocks are watched.

    TurnOff as a status means that PFC was switched off on the queue after ``Threshold`` deadlocks within 20 s: what
    was lossless is not any more, until somebody switches it on again. Mode ErrorDown shuts the port instead; a port
    that is LinkDown in that mode was shut by it, or has lost its link: it cannot be told, and state is unknown. The
    interface stands only on the first of its rows. Refreshed every 20 s.

    Source: Huawei CE6800 V300R023C00 command reference, DCB Configuration Commands.
    """
    yield from answers(output.stdout, _triggers, (PfcWatchdog,), "no queue is watched")


def _triggers(text: str) -> Iterator[Answer]:
    pattern = rf"(?:(?P<port>{NAME})\s+)?(?P<queue>[0-7])\s+(?P<mode>\S+)\s+(?P<threshold>\d+)\s+(?P<status>\S+)"
    for row in rows(text, r"Interface\s+Queue\s+TriggerMode\s+Threshold\s+Status", pattern):
        if row["mode"] not in _ACTIONS or row["status"] not in _STATES:
            raise ParseError(row.line, f"{row['mode']} {row['status']}", "TurnOff or ErrorDown, and a status")
        shut = row["mode"] == "ErrorDown" and row["status"] == "LinkDown"
        yield PfcWatchdog(
            port=row.port,
            queue=int(row["queue"]),
            enabled=True,
            action=_ACTIONS[row["mode"]],
            state="unknown" if shut else _STATES[row["status"]],
            line=row.line,
        )


@section("display-dcb-pfc-uplink-group-statistics", yields=(Counter,), proven=Provenance.DOCUMENT)
def parse_uplink_group(output: Output) -> Iterator[Answer]:
    """``display dcb pfc uplink-group statistics slot N``: packets that came in and left by uplinks.

    Such packets can close a circle of pauses; the switch gives them another priority and DSCP (``O/N`` is original and
    new) and counts them per chip.

    Source: Huawei CE6800 V300R023C00 command reference, PFC Deadlock Prevention Configuration Commands.
    """
    yield from answers(output.stdout, _uplinks, (Counter,), "no packet was moved")


def _uplinks(text: str) -> Iterator[Answer]:
    chip = next((line.strip() for _, line in lines(text) if line.strip().startswith("Slot: ")), "")
    pattern = r"\d+\s+(?P<priority>[0-7])\s+(?P<old>\d{1,2})/(?P<new>\d{1,2})\s+(?P<count>\d+)\s+(?P<time>\S+(?: \S+)?)"
    for row in rows(text, r"Index\s+NewPriority\s+Dscp\s+Count\s+LastAdjustmentTime", pattern, also=r"Slot: .*"):
        yield Counter(
            port=" ".join(chip.replace(":", "").lower().split()) or "slot",
            name=f"uplink-group dscp {row['old']} to {row['new']}, priority {row['priority']}",
            value=row.count("count"),
            counter_class=CounterClass.OTHER,
            unit="packets",
            scope="since_clear",
            refresh_s=_REFRESH_S,
            source="display dcb pfc uplink-group statistics",
            line=row.line,
        )

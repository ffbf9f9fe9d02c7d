"""PFC and its watchdog as the CLI shows them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import CounterPoll
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.profiles import MapBinding
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.text import numbered, plain

_POLL = re.compile(r"Polling Interval\s*:[\s:]*(\d{1,9}|Not Available|Not Configured)(?:\s*ms)?", re.IGNORECASE)
_FLEX = re.compile(r"Flex Counters\s*:[\s:]*(enabled|disabled)", re.IGNORECASE)
_HEADING = re.compile(r"Watchdog Summary|-+")


@section(
    "show-priority-flow-control-watchdog",
    Cli('sonic-cli -c "show priority-flow-control watchdog | no-more"'),
    yields=(CounterPoll,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_priority_flow_control_watchdog(output: Output) -> Iterator[Answer]:
    """``show priority-flow-control watchdog``: how often the watchdog of the whole switch looks, in milliseconds.

    ``Flex Counters: disabled``: nobody reads the counters it watches, so it sees no storm on any port. ``Not
    Available`` is an interval that was never set. Labels end in two colons. Source: dellemc.enterprise_sonic
    sonic_qos_pfc.
    """
    yield from of_whole_lines(output.stdout, _summary, (CounterPoll,), "there is no watchdog")


def _summary(text: str) -> Iterator[Answer]:
    poll: tuple[int, str] | None = None
    enabled: bool | None = None
    for number, line in numbered(text):
        words = line.strip()
        if found := _POLL.fullmatch(words):
            poll = (number, found[1])
        elif found := _FLEX.fullmatch(words):
            enabled = found[1].lower() == "enabled"
        elif not is_noise(line) and not _HEADING.fullmatch(words):
            yield Skipped(number, line, "Polling Interval or Flex Counters")
    if poll is None or enabled is None:
        yield Skipped(0, text.strip()[:200], "Polling Interval and Flex Counters")
        return
    interval = int(poll[1]) / 1000 if poll[1].isdecimal() else None
    yield CounterPoll(group="PFC_WD", enabled=enabled, interval_s=interval, line=poll[0])


_COMMAND = re.compile(r"\bshow qos interface (Eth(?:ernet)?) ?([\d/]+)")
_ASYMMETRIC = re.compile(r"Asymm?etric(?: operation)?\s*:\s*(enabled|disabled|on|off)", re.IGNORECASE)
_BINDING = re.compile(r"([a-z0-9-]+)-map\s*:\s*(\S+)")
_STATUS = re.compile(r"Status\s*:\s*(on|off)")
_ACTION = re.compile(r"Action\s*:\s*(\S+)")
_TIME = re.compile(r"(Detection|Restoration) Time\s*:\s*(?:infinite\()?(\d+) ?ms\)?")
_BINDINGS = {
    "dscp-tc": "dscp_tc",
    "dot1p-tc": "dot1p_tc",
    "tc-queue": "tc_queue",
    "tc-pg": "tc_pg",
    "tc-dscp": "tc_dscp",
    "tc-dot1p": "tc_dot1p",
    "pfc-priority-queue": "pfc_priority_queue",
    "pfc-priority-pg": "pfc_priority_pg",
}


@section(
    "show-qos-interface",
    yields=(PfcPort, PfcWatchdog, MapBinding),
    proven=Provenance.FIELD,
)
def show_qos_interface(output: Output) -> Iterator[Answer]:
    """``show qos interface PORT``: the maps it binds, asymmetric PFC, and its watchdog with times in milliseconds.

    A restoration time of ``infinite(0ms)`` is a storm that ends only by hand. A map that was deleted can still be
    named. The first design printed no ``Status`` and spelled ``Asymetric``; a detection time tells on from off
    there. The text does not name the port: it is taken from the echoed command. Source: SONiC QoS management
    design.
    """
    yield from of_whole_lines(
        output.stdout, partial(_interface, item=output.item), (PfcWatchdog,), "there is no watchdog"
    )


def _interface(text: str, *, item: str) -> Iterator[Answer]:
    command = re.search(_COMMAND, plain(text))
    port = item or (f"{command[1]}{command[2]}" if command else "")
    if not port:
        raise ParseError(1, next(iter(text.strip().split("\n"))), "the echoed command, which names the port")
    watchdog: PfcWatchdog | None = None
    for number, line in numbered(text):
        words = line.strip()
        if fact := _setting(port, words, number):
            yield fact
        elif words in ("PFC Watchdog", "Watchdog Summary"):
            watchdog = PfcWatchdog(port=port, queue=-1, line=number)
        elif watchdog and (set_now := _watchdog(watchdog, words)):
            watchdog = set_now
        elif not is_noise(line) and not re.fullmatch(r"-+|scheduler-policy\s*:.*", words):
            yield Skipped(number, line, "a setting of show qos interface")
    if watchdog is None or watchdog == PfcWatchdog(port=port, queue=-1):
        yield Skipped(0, text.strip()[:200], "a watchdog with its action and times")
    elif watchdog.enabled is None and watchdog.detect_ms is not None:
        yield replace(watchdog, enabled=watchdog.detect_ms > 0)
    else:
        yield watchdog


def _setting(port: str, words: str, line: int) -> PfcPort | MapBinding | None:
    if found := _ASYMMETRIC.fullmatch(words):
        asymmetric = found[1].lower() in ("enabled", "on")
        return PfcPort(port=port, asymmetric=asymmetric, source="show qos interface", line=line)
    if (found := _BINDING.fullmatch(words)) and found[1] in _BINDINGS:
        return MapBinding(port=port, map_kind=_BINDINGS[found[1]], map_name=found[2], line=line)
    return None


def _watchdog(watchdog: PfcWatchdog, words: str) -> PfcWatchdog | None:
    if found := _STATUS.fullmatch(words):
        return replace(watchdog, enabled=found[1] == "on")
    if found := _ACTION.fullmatch(words):
        return replace(watchdog, action=None if found[1] == "N/A" else found[1].lower())
    if found := _TIME.fullmatch(words):
        milliseconds = int(found[2])
        detects = found[1] == "Detection"
        return replace(watchdog, detect_ms=milliseconds) if detects else replace(watchdog, restore_ms=milliseconds)
    return None

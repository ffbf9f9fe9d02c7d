"""QoS of Cumulus Linux as a file: ``/etc/cumulus/datapath/qos/qos_features.conf``."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from fabric_audit.errors import ParseError
from fabric_audit.platforms.code_points import PCPS, code_points
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import ended
from fabric_audit.platforms.switches.nvidia_cumulus.names import expanded, physical
from fabric_audit.platforms.switches.nvidia_cumulus.qos_facts import (
    NAMED_TABLES,
    PORT_TABLES,
    named,
    of_port,
    trusting,
)
from fabric_audit.platforms.switches.nvidia_cumulus.qos_model import (
    DEFAULT,
    NUMBERS,
    Mapped,
    Marking,
    Pause,
    Pfc,
    Profiles,
    Remark,
    Said,
    Share,
    Used,
    Watch,
    plain_dscp,
    plain_pcp,
)
from fabric_audit.platforms.switches.nvidia_cumulus.shown import flag, numbers
from fabric_audit.platforms.text import decimal, integer, numbered, plain

_PATH = "/etc/cumulus/datapath/qos/qos_features.conf"
_LINE = re.compile(r"([A-Za-z][\w.-]*)\s*=\s*(.*)")
_TRUSTS = {("802.1p",): "pcp", ("dscp",): "dscp", ("802.1p", "dscp"): "dscp_pcp", ("port",): "port"}
_ALL = "allports"
AnyT = TypeVar("AnyT")


@dataclass(frozen=True, slots=True)
class _Lines:
    """``key = value`` lines by key, those of one prefix cut off."""

    found: Mapping[str, tuple[str, int]]

    def under(self, prefix: str) -> "_Lines":
        """The lines below a prefix."""
        start = f"{prefix}."
        return _Lines({key.removeprefix(start): said for key, said in self.found.items() if key.startswith(start)})

    def value(self, key: str) -> str | None:
        """A value without brackets; None where there is no line."""
        return self.found[key][0].strip("[] ") if key in self.found else None

    def line(self, key: str) -> int | None:
        """The line of a key."""
        return self.found[key][1] if key in self.found else None

    def count(self, key: str) -> int | None:
        """A whole number."""
        return integer(self.value(key) or "", self.line(key) or 0)

    def switch(self, key: str, *, default: bool) -> bool:
        """``true`` or ``false``."""
        said = self.value(key)
        on = default if said is None else flag(said)
        if on is None:
            raise ParseError(self.line(key) or 0, f"{key} = {said}", "true or false")
        return on

    @property
    def first(self) -> int | None:
        """The first line."""
        return min((line for _, line in self.found.values()), default=None)

    def groups(self) -> list[str]:
        """The port groups that are in use."""
        return [name.strip() for name in (self.value("port_group_list") or "").split(",") if name.strip()]


@section("qos-features-conf", Cli(f"cat {_PATH}"), yields=(*PORT_TABLES, *NAMED_TABLES), proven=Provenance.DOCUMENT)
def parse_features(output: Output) -> Iterator[Answer]:
    """``qos_features.conf``: what switchd was told, by NVUE or by hand, since 5.0.

    A line that is a comment sets nothing: as shipped, only 802.1p is trusted, no port has PFC, and queue 0 alone marks.
    Settings of ``allports`` and those without a group hold for every port and come as profiles by name; ports that a
    group names come as rows of their own. ``xoff_size`` is the fill at which pause is sent, ``xon_delta`` how far it
    must sink before the neighbour may go on, and what ``port_buffer_bytes`` has above ``xoff_size`` is headroom.
    ``bw_percent = 0`` is strict priority. The map from priority to queue stands in another file, qos_infra.conf; the
    default, each to its own, is not told here. Where the text is an excerpt without lines of ECN or of shares, nothing
    is told of them.

    Source: Cumulus Linux 5.12 user guide, Quality of Service, Default Configuration Files and Port Groups.
    """
    text, cut = ended(plain(output.stdout))
    found, skipped = _read(text)
    lines = _Lines(found)
    ports = _ports(lines)
    profiles = _profiles(lines)
    yield from (*skipped, *cut)
    yield from named(profiles)
    for port, bound in ports.items():
        watched = bound.pop("watch", None)
        line = lines.line(f"pfc_watchdog.{watched}.port_set") if watched else None
        used = Used(port=port, line=line, profile=bound, watch=Watch(on=watched is not None, line=line))
        yield from of_port(used, profiles)
        yield trusting(used, profiles)


def _read(text: str) -> tuple[dict[str, tuple[str, int]], list[Skipped]]:
    found: dict[str, tuple[str, int]] = {}
    skipped = []
    for number, line in numbered(text):
        content = line.partition("#")[0].strip()
        told = _LINE.fullmatch(content)
        if told:
            found[told[1]] = (told[2], number)
        elif content and not is_noise(line):
            skipped.append(Skipped(number, content, "KEY = VALUE"))
    if not any(
        re.match(r"traffic\.|pfc\.|default_e|ecn_red|source\.|egress_sched|pfc_watchdog\.", key) for key in found
    ):
        first = next(((n, row) for n, row in numbered(text) if row), (0, ""))
        raise ParseError(*first, "lines of qos_features.conf, such as traffic.packet_priority_source_set = [dscp]")
    return found, skipped


def _ports(lines: _Lines) -> dict[str, dict[str, str]]:
    """Ports that a group names, each with the groups it belongs to."""
    sorts = {
        "source": "mapping",
        "pfc": "pfc",
        "ecn_red": "marking",
        "egress_sched": "scheduler",
        "link_pause": "pause",
        "remark": "remark",
        "pfc_watchdog": "watch",
    }
    found: dict[str, dict[str, str]] = {}
    for word, sort in sorts.items():
        told = lines.under(word)
        for group in told.groups():
            ports = (told.value(f"{group}.port_set") or lines.value(f"{group}.port_set") or "").replace(" ", "")
            if ports == _ALL:
                continue
            for port in expanded(ports, told.line(f"{group}.port_set") or 0) if ports else ():
                if not physical(port):
                    raise ParseError(told.line(f"{group}.port_set") or 0, port, "ports such as swp1-swp4,swp6")
                found.setdefault(port, {})[sort] = group
    return found


def _profiles(lines: _Lines) -> Profiles:
    traffic = lines.under("traffic")
    marking = lines.under("default_ecn_red_conf")
    shares = lines.under("default_egress_sched")
    return Profiles(
        mapping=_grouped(lines, "source", {DEFAULT: _mapped(traffic)}, _mapped),
        pfc=_grouped(lines, "pfc", {} if lines.under("pfc").groups() else {DEFAULT: Pfc()}, _pfc),
        marking=_grouped(lines, "ecn_red", {DEFAULT: _marking(marking)} if marking.found else {}, _marking),
        scheduler=_grouped(lines, "egress_sched", {DEFAULT: _shares(shares)} if shares.found else {}, _shares),
        pause=_grouped(lines, "link_pause", {}, _pause),
        remark=_grouped(lines, "remark", {DEFAULT: _remark(traffic)}, _remark),
        queue_of={},
    )


def _grouped(lines: _Lines, word: str, base: Mapping[str, AnyT], read: Callable[[_Lines], AnyT]) -> dict[str, AnyT]:
    """Profiles of the groups in use; a group of all ports is the default."""
    found = dict(base)
    told = lines.under(word)
    for group in told.groups():
        own = told.under(group) if told.under(group).found else lines.under(group)
        found[group] = read(own)
        if own.value("port_set") == _ALL:
            found[DEFAULT] = found[group]
    return found


def _mapped(told: _Lines) -> Mapped:
    said = told.value("packet_priority_source_set")
    line = told.line("packet_priority_source_set") or told.first or 0
    words = tuple(sorted(word.strip() for word in (said or "802.1p").split(",") if word.strip()))
    if words and words not in _TRUSTS:
        raise ParseError(line, said or "", "802.1p, dscp or port")
    return Mapped(
        trust=_TRUSTS[words] if words else "none",
        dscp=_landings(told, "dscp", range(64), plain_dscp()),
        pcp=_landings(told, "8021p", PCPS, plain_pcp()),
        default=told.count("port_default_priority") or 0,
        line=line or None,
    )


def _landings(told: _Lines, field: str, allowed: range, plain_map: dict[int, Said]) -> dict[int, Said]:
    """The map of the lines; where no line speaks of this field, the documented default."""
    keys = [(priority, f"cos_{priority}.priority_source.{field}") for priority in NUMBERS]
    if not any(key in told.found for _, key in keys):
        return plain_map
    found: dict[int, Said] = {}
    for priority, key in keys:
        values, line = told.value(key), told.line(key)
        if values:
            found |= dict.fromkeys(code_points(values, line or 0, allowed), Said(priority, line))
    return found


def _pfc(told: _Lines) -> Pfc:
    xoff, delta = told.count("xoff_size"), told.count("xon_delta")
    return Pfc(
        priorities=numbers(told.value("cos_list") or "", told.line("cos_list") or 0),
        rx=told.switch("rx_enable", default=True),
        tx=told.switch("tx_enable", default=True),
        cable_m=decimal(told.value("cable_length") or "", told.line("cable_length") or 0),
        size_bytes=told.count("port_buffer_bytes"),
        pause_at_bytes=xoff,
        xon_bytes=xoff - delta if xoff is not None and delta is not None else None,
        line=told.line("cos_list") or told.first,
    )


def _marking(told: _Lines) -> Mapping[int, Marking]:
    marking = Marking(
        ecn=told.switch("ecn_enable", default=True),
        red=told.switch("red_enable", default=False),
        line=told.line("min_threshold_bytes") or told.line("egress_queue_list") or told.first,
    )
    share = told.value("probability")
    marking = replace(
        marking,
        min_bytes=told.count("min_threshold_bytes"),
        max_bytes=told.count("max_threshold_bytes"),
        pct=decimal(share, told.line("probability") or 0) if share else None,
    )
    queues = numbers(told.value("egress_queue_list") or "", told.line("egress_queue_list") or 0)
    return dict.fromkeys(queues, marking)


def _shares(told: _Lines) -> Mapping[int, Share]:
    found = {}
    for queue in NUMBERS:
        key = f"egr_queue_{queue}.bw_percent"
        share = told.count(key)
        if share is not None:
            found[queue] = Share(share or None, told.line(key))
    return found


def _pause(told: _Lines) -> Pause:
    return Pause(rx=told.switch("rx_enable", default=True), tx=told.switch("tx_enable", default=True), line=told.first)


def _remark(told: _Lines) -> Remark:
    on = "dscp" in (told.value("packet_priority_remark_set") or "")
    found = {}
    for priority in NUMBERS:
        key = f"cos_{priority}.priority_remark.dscp"
        value, line = told.value(key), told.line(key)
        if value:
            found[priority] = Said(code_points(value, line or 0)[0], line)
    return Remark(on=on, dscp=found)

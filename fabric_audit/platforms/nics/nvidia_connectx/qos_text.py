"""The text of ``mlnx_qos``, read line by line: other tools and scripts print parts of it too."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue

PRIORITIES = range(8)
_ALL_PCT = 100.0
_TRUST = {"dscp": "dscp", "pcp": "pcp", "both": "dscp_pcp", "port": "port"}
_SCHEDULERS = {"strict": "strict", "ets": "dwrr", "vendor": "vendor"}
_SETTINGS = ("DCBX mode", "default priority", "Cable len", "total_size", "max_buffer_size", "lldpad")


@dataclass(slots=True)
class TrafficClass:
    """One entry of the list of traffic classes; ``number`` is None where the driver has no rate limits."""

    number: int | None
    line: int
    scheduler: str | None = None
    weight_pct: float | None = None
    rate_limit_bps: int | None = None
    priorities: list[int] = field(default_factory=list)


@dataclass(slots=True)
class QosText:
    """What one ``mlnx_qos`` output said: single values by name, the DSCP map, the traffic classes."""

    said: dict[str, tuple[str, int]] = field(default_factory=dict)
    dscp: dict[int, tuple[int, int]] = field(default_factory=dict)
    classes: list[TrafficClass] = field(default_factory=list)
    contradicted: set[str] = field(default_factory=set)
    lost: bool = False
    """A line of the list of classes was not understood: the priorities below it belong to nobody knows which."""

    def get(self, name: str) -> str:
        """A single value as printed, "" where it was not."""
        return self.said.get(name, ("", 0))[0]

    @property
    def ordered(self) -> bool:
        """No heading of a class is lost, or a priority may stand below the wrong one.

        Classes come in the order of their priorities or of their numbers. Where some numbers are not in use, the
        shares of those that have one must be 100 % together, and the priorities of each go up.
        """
        numbers = [one.number for one in self.classes if one.number is not None]
        if sorted(numbers) == list(range(len(numbers))):
            return True
        shares = [one.weight_pct for one in self.classes if one.weight_pct is not None]
        rising = all(one.priorities and one.priorities == sorted(one.priorities) for one in self.classes)
        return len(set(numbers)) == len(numbers) and rising and sum(shares) in (0.0, _ALL_PCT)

    @property
    def complete(self) -> bool:
        """The list of traffic classes at the end covers every priority, each once."""
        return sorted(p for one in self.classes for p in one.priorities) == list(PRIORITIES)

    def take(self, line: str, number: int) -> bool:
        """Read one line; False where it is none of mlnx_qos, or says something else than one before."""
        for pattern, reader in _READERS:
            found = pattern.fullmatch(line)
            if found:
                return reader(self, found, number)
        self.lost = self.lost or bool(line)
        return not line

    def once(self, name: str, value: str, line: int) -> bool:
        """Keep a single value; False where another was said before: then neither counts."""
        if self.said.setdefault(name, (value, line))[0] != value:
            self.contradicted.add(name)
        if name in self.contradicted:
            self.said[name] = ("", line)
        return name not in self.contradicted

    def facts(self, port: str, source: str) -> Iterator[Fact]:
        """The facts of one interface."""
        for name in _SETTINGS:
            if self.get(name):
                value, line = self.said[name]
                yield NicSetting(device=port, name=name, value=value, source=source, line=line)
        if self.get("trust") in _TRUST:
            yield Interface(port=port, trust_mode=_TRUST[self.get("trust")], line=self.said["trust"][1])
        for dscp, (priority, line) in sorted(self.dscp.items()):
            yield DscpMap(port=port, dscp=dscp, priority=priority, source=source, line=line)
        yield from self._pfc(port, source)
        yield from self._groups(port, source)
        yield from self._priorities(port, source)
        yield from self._queues(port, source)

    def _pfc(self, port: str, source: str) -> Iterator[PfcPort]:
        if not self.get("enabled"):
            return
        on = "".join(str(p) for p, flag in zip(PRIORITIES, self.get("enabled").split(), strict=True) if flag == "1")
        by_host = self.get("DCBX mode") == "OS controlled"
        by_firmware = self.get("DCBX mode") == "Firmware controlled"
        yield PfcPort(
            port=port,
            mode="auto" if by_firmware else ("on" if on else "off") if by_host else None,
            admin_priorities=on if by_host else None,
            oper_priorities=on,
            source=source,
            line=self.said["enabled"][1],
        )

    def _groups(self, port: str, source: str) -> Iterator[PriorityGroup]:
        sizes = self.get("sizes").rstrip(",")
        for buffer, size in enumerate(sizes.split(",") if sizes else ()):
            yield PriorityGroup(
                port=port,
                pg=buffer,
                size_bytes=int(size),
                lossless=self._lossless(str(buffer)),
                cable_length_m=float(self.get("Cable len")) if self.get("Cable len") else None,
                source=source,
                line=self.said["sizes"][1],
            )

    def _lossless(self, buffer: str) -> bool | None:
        flags, buffers = self.get("enabled").split(), self.get("buffer").split()
        if not flags or not buffers:
            return None
        return any(flag == "1" and its == buffer for flag, its in zip(flags, buffers, strict=True))

    def _priorities(self, port: str, source: str) -> Iterator[PriorityMap]:
        found: dict[int, TrafficClass | None] = {}
        for one in self.classes:
            found.update({p: None if p in found else one for p in one.priorities})
        buffers = self.get("buffer").split()
        for priority in PRIORITIES:
            its = found.get(priority)
            if buffers or (its and its.number is not None):
                yield PriorityMap(
                    port=port,
                    priority=priority,
                    traffic_class=its.number if its and self.ordered else None,
                    buffer=int(buffers[priority]) if buffers else None,
                    source=source,
                    line=its.line if its else None,
                )

    def _queues(self, port: str, source: str) -> Iterator[Queue]:
        for one in self.classes:
            if one.number is not None:
                yield Queue(
                    port=port,
                    queue=one.number,
                    scheduler=one.scheduler,
                    weight_pct=one.weight_pct,
                    rate_limit_bps=one.rate_limit_bps,
                    source=source,
                    line=one.line,
                )


def read(lines: Iterable[tuple[int, str]]) -> tuple[QosText, list[tuple[int, str]]]:
    """(what the lines say, the lines that are none of mlnx_qos)."""
    told = QosText()
    strange = [(number, line) for number, line in lines if not told.take(line.strip(), number)]
    return told, strange


_Reader = Callable[[QosText, re.Match[str], int], bool]


def _value(name: str) -> _Reader:
    return lambda told, found, line: told.once(name, found[1], line)


def _dscp(told: QosText, found: re.Match[str], line: int) -> bool:
    priority = int(found[1])
    dscps = [int(dscp) for dscp in found[2].rstrip(",").split(",")]
    return all(told.dscp.setdefault(dscp, (priority, line))[0] == priority for dscp in dscps)


def _sizes(told: QosText, found: re.Match[str], line: int) -> bool:
    return told.once("sizes", found[1], line) and (not found[2] or told.once(found[2], found[3], line))


def _class(told: QosText, found: re.Match[str], line: int) -> bool:
    told.lost = False
    rate, weight = found["rate"], found["bw"]
    told.classes.append(
        TrafficClass(
            number=int(found["tc"]),
            line=line,
            scheduler=_SCHEDULERS.get(found["tsa"]),
            weight_pct=float(weight) if weight else None,
            rate_limit_bps=round(float(rate) * 10**9) if rate else 0,
        )
    )
    return True


def _class_without_number(told: QosText, _found: re.Match[str], line: int) -> bool:
    told.lost = False
    told.classes.append(TrafficClass(None, line))
    return True


def _priority(told: QosText, found: re.Match[str], _line: int) -> bool:
    if told.lost or not told.classes:
        return False
    told.classes[-1].priorities.append(int(found[1]))
    return True


def _nothing(_told: QosText, _found: re.Match[str], _line: int) -> bool:
    """A heading, or what the driver cannot do: the absent value says it."""
    return True


_TSA = r"(?P<tsa>strict|vendor|unknown|ets)(?:, bw: (?P<bw>[0-9]{1,3})%)?"
_CANNOT = r"(?:Rate limit is|Buffers commands are|Priority trust state is) not supported on your system!?"
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (r"DCBX mode: ((?:OS|Firmware) controlled)", _value("DCBX mode")),
        (r"Priority trust state: (dscp|pcp|both|port|none)", _value("trust")),
        (r"dscp2prio mapping:|PFC configuration:|default priority:", _nothing),
        (r"prio:([0-7]) dscp:((?:(?:[0-5][0-9]|6[0-3]),)+)", _dscp),
        (r"prio:([0-7])", _value("default priority")),
        (
            r"Receive buffer size \(bytes\): ((?:[0-9]{1,10},){8})(?:(total_size|max_buffer_size)=([0-9]{1,10}))?",
            _sizes,
        ),
        (r"Cable len: ([0-9]{1,5})", _value("Cable len")),
        (r"priority\s+0\s+1\s+2\s+3\s+4\s+5\s+6\s+7", _nothing),
        (r"enabled\s+([01](?:\s+[01]){7})", _value("enabled")),
        (r"buffer\s+([0-7](?:\s+[0-7]){7})", _value("buffer")),
        (
            rf"tc: (?P<tc>[0-7]) ratelimit: (?:unlimited|(?P<rate>[0-9]{{1,6}}(?:\.[0-9])?) Gbps), tsa: {_TSA}",
            _class,
        ),
        (_TSA, _class_without_number),
        (r"(?:priority|up):\s+([0-7])", _priority),
        (r"skprio: [0-9]+(?: \(tos: [0-9]+\))?.*", _nothing),
        (r"\*+ WARNING: (lldpad service is running).*", _value("lldpad")),
        (_CANNOT, _nothing),
    )
)

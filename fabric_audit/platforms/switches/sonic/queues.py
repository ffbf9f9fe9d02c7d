"""Egress queues: scheduler, ECN, and what calls itself lossless."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from fabric_audit.errors import ParseError
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.sonic.database import Database, Entry, broken, holder, unreadable_keys
from fabric_audit.platforms.switches.sonic.ecn import Marking, marking

_UNICAST_QUEUES = range(8)
_KINDS = {"STRICT": "strict", "DWRR": "dwrr", "WRR": "wrr"}

ProfileT = TypeVar("ProfileT")


@dataclass(frozen=True, slots=True)
class _Scheduler:
    kind: str
    weight: int | None


_NO_SCHEDULER = _Scheduler("", None)
_NO_MARKING = Marking(ecn=False, min_bytes=None, max_bytes=None, mark_pct=None, drops=False, raw=None)
_UNKNOWN_MARKING = Marking(ecn=None, min_bytes=None, max_bytes=None, mark_pct=None, drops=None, raw=None)


def _scheduler(entry: Entry) -> _Scheduler:
    """Strict schedulers have no weight; orchagent knows the types DWRR, WRR and STRICT (qosorch.cpp)."""
    kind = entry.text("type")
    if kind not in _KINDS:
        raise ParseError(entry.at("type"), str(kind), "the type DWRR, WRR or STRICT")
    return _Scheduler(_KINDS[kind], None if kind == "STRICT" else entry.number("weight"))


@dataclass(frozen=True, slots=True)
class _Profiles:
    """Schedulers and WRED profiles by name, and references that led nowhere."""

    database: Database
    schedulers: Mapping[str, _Scheduler | None]
    markings: Mapping[str, Marking | None]
    lost: dict[tuple[str, str], Answer] = field(default_factory=dict)

    def scheduler(self, entries: tuple[Entry, ...]) -> _Scheduler:
        """The scheduler of a queue."""
        return self._named(entries, "scheduler", "SCHEDULER", self.schedulers, _NO_SCHEDULER) or _NO_SCHEDULER

    def marking(self, entries: tuple[Entry, ...]) -> Marking:
        """What the WRED profile of a queue does."""
        found = self._named(entries, "wred_profile", "WRED_PROFILE", self.markings, _NO_MARKING)
        return found or _UNKNOWN_MARKING

    def _named(
        self,
        entries: tuple[Entry, ...],
        where: str,
        table: str,
        profiles: Mapping[str, ProfileT | None],
        default: ProfileT,
    ) -> ProfileT | None:
        entry = holder(entries, where)
        name = entry.reference(where) if entry else None
        if entry is None or name is None:
            return default
        if name not in profiles:
            self.lost[entry.key, where] = broken(self.database, table, name, entry, where)
        return profiles.get(name)


def configured(database: Database) -> Iterator[Answer]:
    """Scheduler and ECN of every queue of every physical port.

    A whole configuration says something about queues 0 to 7 of each port even where it does not name them: without
    ``wred_profile`` a queue marks nothing. ``weight_pct`` is the share among the port's weighted queues. SONiC
    calls a queue lossless by the name of its buffer profile only.
    """
    yield from unreadable_keys(database, "QUEUE")
    schedulers: dict[str, _Scheduler | None] = {}
    markings: dict[str, Marking | None] = {}
    yield from _read("SCHEDULER", database, _scheduler, schedulers)
    list(_read("WRED_PROFILE", database, marking, markings))  # ecn.configured lists those it cannot read
    profiles = _Profiles(database, schedulers, markings)
    queues, buffers = database.indexed("QUEUE"), database.indexed("BUFFER_QUEUE")
    for port in database.ports:
        of_port, of_buffers = queues.get(port, {}), buffers.get(port, {})
        numbers = {*of_port, *of_buffers} | set(_UNICAST_QUEUES if database.complete else ())
        total = sum(profiles.scheduler(entries).weight or 0 for entries in of_port.values())
        fallback = database.table("PORT").get(port)
        for number in sorted(numbers):
            entries, of_buffer = of_port.get(number, ()), of_buffers.get(number, ())
            nearest = next(iter((*reversed(entries), *of_buffer)), fallback)
            scheduler, found = profiles.scheduler(entries), profiles.marking(entries)
            yield Queue(
                port=port,
                queue=number,
                scheduler=scheduler.kind or None,
                weight_pct=round(100 * scheduler.weight / total, 2) if scheduler.weight and total else None,
                lossless=_lossless(of_buffer),
                ecn=found.ecn,
                ecn_min_bytes=found.min_bytes,
                ecn_max_bytes=found.max_bytes,
                ecn_mark_pct=found.mark_pct,
                ecn_drops_non_ect=found.drops if found.ecn else None,
                ecn_raw=found.raw,
                wred_drops=None if found.ecn is None else found.drops and not found.ecn,
                line=nearest.line if nearest else None,
            )
    yield from profiles.lost.values()


def _lossless(buffers: tuple[Entry, ...]) -> bool | None:
    """Profiles are called egress_lossless_profile and egress_lossy_profile (sonic-buildimage buffers_config.j2)."""
    entry = holder(buffers, "profile")
    name = (entry.reference("profile") or "").lower() if entry else ""
    return True if "lossless" in name else False if "lossy" in name else None


def _read(
    table: str, database: Database, read: Callable[[Entry], ProfileT], found: dict[str, ProfileT | None]
) -> Iterator[Skipped]:
    for entry in database.table(table).values():
        found[entry.key] = None
        try:
            found[entry.key] = read(entry)
        except ParseError as error:
            yield Skipped(error.line, error.text, error.expected)

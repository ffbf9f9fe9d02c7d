"""Counters that grew while the capture was taken, but for those that only count traffic."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric_audit.analysis.growth import Growth, growths
from fabric_audit.facts.counters import CounterClass

if TYPE_CHECKING:
    import pandas as pd

MEANINGS = {
    CounterClass.LOSS: "packets were lost",
    CounterClass.RETRANSMISSION: "packets were sent again",
    CounterClass.WIRE_ERROR: "bits were damaged on the wire",
    CounterClass.FLAP: "a link went down, or came up",
    CounterClass.PAUSE_SENT: "this port stopped its neighbour: it could not absorb",
    CounterClass.PAUSE_RECEIVED: "this port was stopped: its neighbour could not absorb",
    CounterClass.CONGESTION: "congestion was marked or answered",
    CounterClass.SLOW_RECEIVER: "a receiver had nothing posted",
    CounterClass.REORDER: "packets came out of order",
    CounterClass.QUALITY: "the signal was corrected",
    CounterClass.OTHER: "no table says what it means",
}
"""Classes in the order in which they are looked at, and what growth of each says."""
_PAUSE = {
    "tx_frames": CounterClass.PAUSE_SENT,
    "tx_pause_us": CounterClass.PAUSE_SENT,
    "rx_frames": CounterClass.PAUSE_RECEIVED,
    "rx_pause_us": CounterClass.PAUSE_RECEIVED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One counter that grew. ``at_least`` where a reset or saturation hides the rest of it."""

    target: str
    port: str
    counter_class: CounterClass
    name: str
    unit: str
    growth: int
    at_least: bool
    phases: tuple[str, ...]
    """Phases at whose end it had grown, in the order of time."""
    by_phase: tuple[tuple[str, int], ...]
    """Growth that was seen at the end of each of them."""

    @property
    def most_in(self) -> str:
        """The phase with most growth."""
        return max(self.by_phase, key=lambda one: one[1])[0]


def moved(counter: "pd.DataFrame", pfc_counter: "pd.DataFrame") -> tuple[Moved, ...]:
    """Every counter that grew, by class and then by growth, the largest first."""
    found: dict[tuple[str, str, str], list[Growth]] = {}
    classes = [kind.value for kind in MEANINGS]
    own = counter[counter["counter_class"].isin(classes) & (counter["scope"] != "gauge").fillna(value=True)]
    for frame in (own, _pauses(pfc_counter, own)):
        for growth in growths(_changed(frame), classes):
            if growth.delta.value:
                found.setdefault((growth.target, growth.port, growth.name), []).append(growth)
    order = list(MEANINGS)
    rows = (_moved(group) for group in found.values())
    return tuple(sorted(rows, key=lambda m: (order.index(m.counter_class), -m.growth, m.target, m.port, m.name)))


def by_class(rows: Sequence[Moved]) -> Iterator[tuple[CounterClass, str, int, int]]:
    """(class, what it means, ports, counters) of every class with growth."""
    for kind, meaning in MEANINGS.items():
        mine = [row for row in rows if row.counter_class is kind]
        if mine:
            yield kind, meaning, len({(row.target, row.port) for row in mine}), len(mine)


def _moved(group: Sequence[Growth]) -> Moved:
    first = group[0]
    return Moved(
        target=first.target,
        port=first.port,
        counter_class=CounterClass(first.counter_class),
        name=first.name,
        unit=first.row.unit or "",
        growth=sum(one.delta.value or 0 for one in group),
        at_least=not all(one.delta.exact for one in group),
        phases=tuple(dict.fromkeys(one.after for one in group)),
        by_phase=tuple((one.after, one.delta.value or 0) for one in group),
    )


def _changed(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The rows of counters that do not stand still: one in a hundred of a healthy pod."""
    values = frame.groupby(["target", "port", "name"], observed=True)["value"]
    return frame[(values.transform("max") != values.transform("min")).fillna(value=False)]


def _pauses(pfc_counter: "pd.DataFrame", counter: "pd.DataFrame") -> "pd.DataFrame":
    """PFC counters in the form of other counters, for ports whose own counters do not tell of pause."""
    import pandas as pd  # noqa: PLC0415 - heavy; nothing of it is needed to list the formats

    kinds = [kind.value for kind in set(_PAUSE.values())]
    told = counter[counter["counter_class"].isin(kinds)]
    known = set(zip(told["target"], told["port"], strict=True))
    ends = zip(pfc_counter["target"], pfc_counter["port"], strict=True)
    rows = pfc_counter[pd.Series([end not in known for end in ends], index=pfc_counter.index, dtype=bool)]
    parts = []
    for column, kind in _PAUSE.items():
        part = rows[["target", "phase", "at_s", "port", "refresh_s", "scope"]].copy()
        part["name"] = "priority " + rows["priority"].astype("string") + f" {column}"
        part["value"] = rows[column]
        part["counter_class"] = pd.array([kind.value] * len(rows), dtype="string")
        part["unit"] = "us" if column.endswith("_us") else "frames"
        part["bits"] = pd.array([None] * len(rows), dtype="Int64")
        part["saturates"] = pd.array([None] * len(rows), dtype="boolean")
        parts.append(part)
    return pd.concat(parts, ignore_index=True)

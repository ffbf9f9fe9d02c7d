"""Counters that moved."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.tables import Stamped, frame
from fabric_audit.report.moved import MEANINGS, Moved, by_class, moved
from tests.report.frames import Pod, tables


def read(values: Sequence[int | None], kind: CounterClass = CounterClass.LOSS, **more: Any) -> pd.DataFrame:
    given: dict[str, Any] = {"name": "drops", "bits": 64, "scope": "absolute", "counter_class": kind.value} | more
    facts = [Counter(port="Ethernet0", value=value, **given) for value in values]
    return frame("counter", [Stamped("leaf01", f"p{at}", "x.out", fact, 1, at) for at, fact in enumerate(facts)])


def grown(values: Sequence[int | None], kind: CounterClass = CounterClass.LOSS, **more: Any) -> tuple[Moved, ...]:
    return moved(read(values, kind, **more), frame("pfc_counter"))


def test_growth_is_summed_and_its_largest_part_named() -> None:
    (one,) = grown([5, 7, 107, 107])
    assert (one.growth, one.phases, one.most_in, one.at_least) == (102, ("p1", "p2"), "p2", False)


def test_what_stands_still_or_counts_traffic_is_left_out() -> None:
    assert grown([5, 5, 5]) == ()
    assert grown([5, 50], CounterClass.TRAFFIC) == ()
    assert grown([5, 50], scope="gauge") == ()
    assert grown([5, None]) == ()


def test_a_reset_hides_the_rest_of_the_growth() -> None:
    (one,) = grown([50, 7])
    assert (one.growth, one.at_least) == (7, True)


def test_every_class_but_traffic_has_a_meaning() -> None:
    assert set(MEANINGS) == set(CounterClass) - {CounterClass.TRAFFIC}


def test_pfc_counters_count_by_priority() -> None:
    pod = Pod()
    found = moved(tables(pod)["counter"], tables(pod, moved=True)["pfc_counter"])
    assert [(one.target, one.name, one.growth, one.counter_class) for one in found] == [
        ("leaf01", "priority 3 tx_frames", 4000, CounterClass.PAUSE_SENT)
    ]


def test_pause_is_not_counted_twice() -> None:
    """A NIC's own pause counter and its row in pfc_counter are one."""
    own = read([0, 9], CounterClass.PAUSE_RECEIVED, name="rx_prio3_pause")
    pfc = [
        Stamped("leaf01", f"p{at}", "x.out", PfcCounter(port="Ethernet0", priority=3, rx_frames=9 * at), 1, at)
        for at in (0, 1)
    ]
    assert [one.name for one in moved(own, frame("pfc_counter", pfc))] == ["rx_prio3_pause"]


def test_classes_come_in_the_order_of_their_weight() -> None:
    loss, pause = read([0, 1]), read([0, 10**9], CounterClass.PAUSE_SENT, name="pauses")
    found = moved(pd.concat([pause, loss], ignore_index=True), frame("pfc_counter"))
    assert [one.counter_class for one in found] == [CounterClass.LOSS, CounterClass.PAUSE_SENT]
    assert [(kind, ports, counters) for kind, _, ports, counters in by_class(found)] == [
        (CounterClass.LOSS, 1, 1),
        (CounterClass.PAUSE_SENT, 1, 1),
    ]


def test_empty_tables_have_nothing_that_moved() -> None:
    assert moved(frame("counter"), frame("pfc_counter")) == ()

"""Counters the kernel keeps of network interfaces and of their queues."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter
from fabric_audit.platforms.counter_meanings import counter_fact, counter_tables
from fabric_audit.platforms.hosts.linux.iproute import objects
from fabric_audit.platforms.hosts.linux.paths import PATHLESS
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched, refused
from fabric_audit.platforms.model import (
    Answer,
    Files,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    When,
    Why,
    section,
)
from fabric_audit.platforms.text import consistent, numbered, torn, whole, whole_rows

_NET = "/sys/class/net/*"
_ROW = re.compile(r"/sys/class/net/(?P<port>[^/:]+)/(?P<folder>statistics/)?(?P<name>\w+):(?P<value>.*)")


@section(
    "net-statistics",
    Files(f"{_NET}/statistics/*", f"{_NET}/carrier_changes", f"{_NET}/carrier_down_count"),
    yields=(Counter,),
    proven=Provenance.FIELD,
    when=When.COUNTERS,
)
def parse_net_statistics(output: Output) -> Iterator[Answer]:
    """``/sys/class/net/IF/statistics/``: what the kernel has received, sent and dropped, of every driver.

    RDMA of a NIC bypasses the kernel and is not in here; RDMA made by software (rxe) is. ``carrier_down_count`` and
    ``carrier_changes`` count link flaps. Other attributes of the interface among the lines are left alone. Source:
    Linux ``Documentation/networking/statistics.rst``, ``Documentation/ABI/testing/sysfs-class-net-statistics``.
    """
    yield from nothing_matched(output, "no network interface", Counter)
    answers = tuple(_statistics(output.stdout))
    skipped = [one for one in answers if isinstance(one, Skipped)]
    if len(skipped) > len(answers) - len(skipped):
        raise ParseError(skipped[0].line, skipped[0].text, skipped[0].expected)
    yield from consistent(answers)
    if not answers and output.stdout.strip():
        yield Missing("counter", Why.ABSENT, "no counter among the attributes")


def _statistics(text: str) -> Iterator[Answer]:
    table = counter_tables()["netdev"]
    for number, line, found in whole_rows(numbered(whole(text)), _ROW, PATHLESS):
        if found and not found["folder"] and not found["name"].startswith("carrier_"):
            continue
        if found and re.fullmatch(r"[0-9]{1,20}", found["value"]):
            yield counter_fact(
                table.meaning(found["name"]),
                port=found["port"],
                name=found["name"],
                value=int(found["value"]),
                source="sysfs statistics",
                line=number,
            )
        else:
            yield Skipped(number, line, "/sys/class/net/IF/statistics/NAME:NUMBER")
    yield from torn(text)


@section(
    "tc-qdisc",
    Run("tc", "-s", "-j", "qdisc", "show"),
    yields=(Counter,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
def parse_tc_qdisc(output: Output) -> Iterator[Answer]:
    """``tc -s -j qdisc show``: what each send queue of the kernel has sent, dropped and marked.

    A counter's name begins with kind, handle and parent of its queue. RDMA of a NIC bypasses these queues; they
    tell of a kernel that drops, and of impairments put there on purpose (netem). Only the counters every queue
    has, and ``ecn_mark``, are told. Source: iproute2 ``tc/tc_qdisc.c``, Linux ``gen_stats.h``.
    """
    missing = tuple(refused(output, Counter))
    if missing:
        yield from missing
        return
    found = False
    for one in objects(output.stdout, "a list of qdiscs"):
        found = True
        yield from _qdisc(one)
    if not found:
        yield Missing("counter", Why.ABSENT, "no qdisc")


def _qdisc(one: Mapping[str, Any]) -> Iterator[Counter]:
    table = counter_tables()["qdisc"]
    port, kind = one.get("dev"), one.get("kind")
    if not isinstance(port, str) or not isinstance(kind, str):
        raise ParseError(1, str(one), "kind and dev of a qdisc")
    place = f"parent {one['parent']} " if isinstance(one.get("parent"), str) else ""
    for name in table.exact:
        value = one.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            made = counter_fact(table.meaning(name), port=port, name=name, value=value, source="tc -s qdisc")
            yield replace(made, name=f"qdisc {kind} {one.get('handle', '')} {place}{name}")

"""Error counters of a whole InfiniBand fabric as ``ibqueryerrors`` tells them."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.facts.counters import Counter
from fabric_audit.platforms.counter_meanings import counter_fact, counter_tables
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, When, Why, section
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole

_NODE = re.compile(r"\s*(?:Errors for|Data Counters for) (?:(?P<guid>0x[0-9a-f]+) )?\"(?P<name>.*)\"")
_PORT = re.compile(r"\s+GUID (?P<guid>0x[0-9a-f]+) port +(?P<port>\d+|ALL):(?P<told>(?: \[[^\]]*\])*)")
_COUNTER = re.compile(r" \[(?P<name>\w+) == (?P<value>\d+)(?P<wide> \([\d.]+ ?\w*\))?\]")
_SUMMARY = re.compile(r"## Summary: (?P<nodes>\d+) nodes checked, (?P<bad>\d+) bad nodes found")


@section(
    "ibqueryerrors",
    Run("sh", "-c", "command -v ibqueryerrors >/dev/null || exit 127; ibqueryerrors; exit 0", root=True),
    yields=(Counter,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
    timeout_s=120.0,
)
def parse_ibqueryerrors(output: Output) -> Iterator[Answer]:
    """``ibqueryerrors``: counters beyond their threshold, by node and port; never with ``-k`` or ``-K``: they clear.

    A port is named ``NODE/PORT``, the sum over all ports of a switch ``NODE/all``. Counters that are not told are
    within their thresholds, which are 0 unless the file of thresholds says otherwise: it is named at the end. What
    a counter means is as for ``perfquery``; it has 64 bits where the value is repeated in round brackets, else it
    stops at its largest value. The exit status is the number of bad ports, which may be any, so it is left out.
    Source: rdma-core ``infiniband-diags/ibqueryerrors.c``.
    """
    missing = tuple(refused(output, Counter))
    yield from missing or some(consistent(_counters(output)), output, "Errors for GUID NAME")


def _counters(output: Output) -> Iterator[Answer]:
    node, bad, summary = "", 0, None
    for number, line in numbered(whole(output.stdout)):
        if found := _NODE.fullmatch(line):
            node, bad = found["name"], bad + ("Errors" in line)
        elif (found := _PORT.fullmatch(line)) and node:
            yield from _of_port(found, f"{node}/{found['port'].lower()}", number)
        elif found := _SUMMARY.fullmatch(line):
            summary = found
        elif line and not re.match(r"##|\s+Link info:", line):
            yield Skipped(number, line, "Errors for GUID NAME, or GUID N port N: [COUNTER == NUMBER]")
    yield from torn(output.stdout)
    yield from _end(summary, bad)


def _of_port(found: re.Match[str], port: str, line: int) -> Iterator[Answer]:
    for one in _COUNTER.finditer(found["told"]):
        known, value = counter_tables()["perfquery"].meaning(one["name"]), int(one["value"])
        made = counter_fact(known, port=port, name=one["name"], value=value, source="ibqueryerrors", line=line)
        yield replace(made, bits=64, saturates=False) if one["wide"] else made
    if _COUNTER.sub("", found["told"]):
        yield Skipped(line, found[0], "[COUNTER == NUMBER]")


def _end(summary: re.Match[str] | None, bad: int) -> Iterator[Answer]:
    if summary is None:
        yield Skipped(0, "", "## Summary: N nodes checked, N bad nodes found")
    elif int(summary["bad"]) != bad:
        yield Skipped(0, summary[0], f"as many bad nodes as are told, not {bad}")
    elif not bad:
        yield Missing("counter", Why.ABSENT, f"{summary['nodes']} nodes checked, none beyond its thresholds")

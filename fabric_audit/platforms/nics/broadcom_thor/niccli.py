"""Classification, PFC and receive buffers of a Broadcom NIC as ``niccli`` prints them."""

import re
from collections.abc import Callable, Iterator
from itertools import chain

from fabric_audit.errors import ParseError
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Each, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole

_Lines = list[tuple[int, str]]
_SCHEDULERS = {"ets": "dwrr", "strict": "strict", "cbs": "vendor", "vendor": "vendor"}
_SOURCE = "niccli"
_EXPECTED = "IEEE 8021QAZ ETS Configuration TLV: or another block of niccli"
_BLOCKS = (
    ("ets", re.compile(r"IEEE 8021QAZ ETS (?:Configuration|Recommendation) TLV:?")),
    ("pfc", re.compile(r"IEEE 8021QAZ PFC TLV:?")),
    ("app", re.compile(r"IEEE 8021QAZ APP TLV:?")),
    ("pri2cos", re.compile(r"Priority\s+TC\s+Queue ID")),
    ("dscp2prio", re.compile(r"dscp2prio mapping:")),
    ("cosq", re.compile(r"TC\s+State\s+Mode")),
)
_LIMIT = re.compile(r"TC Rate Limit:\s*(?P<rates>[0-9]{1,3}%(?:\s+[0-9]{1,3}%)*)")
_RULE = re.compile(r"-{3,}|Base Queue is [0-9]+ for port [0-9]+")
_APP_LINE = re.compile(r"(Priority|Sel|DSCP|Ethertype|(?:\{S\})?(?:TCP|UDP|SCTP|DCCP)[A-Za-z ]*): *(\w+)")
_FAILED = re.compile(r"(?:ERROR|Error):? .*|.*(?:[Nn]o (?:supported )?devices? found|[Ii]nvalid device).*")


@section(
    "niccli",
    Each("rdma_pci", Run("niccli", "--dev", "{}", "qos", "--ets", "--show", root=True)),
    yields=(PfcPort, DscpMap, PriorityMap, Queue, PriorityGroup, NicSetting),
    proven=Provenance.DOCUMENT,
    timeout_s=30.0,
)
def parse_niccli(output: Output) -> Iterator[Answer]:
    """``niccli --dev PCI qos --ets --show``: traffic classes, PFC and DSCP map as the firmware has them.

    The same layout is printed by ``niccli -dev N get_qos`` and ``bnxtqos -dev=IF get_qos``. Taken from files too:
    ``dump pri2cos`` (priority to traffic class), ``get_dscp2prio`` and ``qos --ingress --cosq --show`` (which traffic
    classes have a lossless receive buffer). Blocks are told apart by their headings; banners and prompts before the
    first are left out. ``Sel: 5`` maps a DSCP; ``Sel: 3`` with 4791 is RoCE v2's UDP port, whose priority counts where
    no DSCP matches. Rate limits are in percent of the link, which this text does not tell: they stay as printed. Ports
    are named by their PCI address. Source: Broadcom ``bnxt_setupcc.sh``, AMD ROCm "Multi-node network configuration".
    """
    missing = tuple(refused(output, PfcPort)) or tuple(_failure(output))
    if missing:
        yield from missing
        return
    blocks = list(_blocks(output.stdout))
    answers = chain.from_iterable(_attempt(name, lines, output.item) for name, lines in blocks)
    yield from some(consistent(answers), output, _EXPECTED)
    cut = tuple(torn(output.stdout))
    yield from cut
    names = {name for name, _ in blocks}
    if "ets" in names and "pfc" not in names and not cut:
        yield Missing("pfc_port", Why.ABSENT, "no PFC TLV")


def _failure(output: Output) -> Iterator[Missing]:
    for text in (output.stdout, output.stderr):
        lines = [line for _, line in numbered(text) if line]
        if lines and not any(pattern.fullmatch(line.strip()) for line in lines for _, pattern in _BLOCKS):
            said = next((line.strip() for line in lines if _FAILED.fullmatch(line.strip())), None)
            if said:
                yield Missing("pfc_port", Why.NOT_SUPPORTED, said)
                return


def _blocks(text: str) -> Iterator[tuple[str, _Lines]]:
    """(name of a block, its lines); lines before the first block are left out."""
    current: tuple[str, _Lines] | None = None
    for number, line in numbered(whole(text)):
        words = line.strip()
        starts = next((name for name, pattern in _BLOCKS if pattern.fullmatch(words)), None)
        if _LIMIT.fullmatch(words):
            yield "limit", [(number, words)]
        elif starts:
            if current:
                yield current
            current = (starts, [])
        elif current and words and not _RULE.fullmatch(words):
            current[1].append((number, words))
    if current:
        yield current


def _attempt(name: str, lines: _Lines, port: str) -> Iterator[Answer]:
    made: list[Answer] = []
    try:
        made.extend(_READERS[name](lines, port))
    except ParseError as error:
        made = [Skipped(error.line, error.text, error.expected)]
    yield from made


def _ets(lines: _Lines, port: str) -> Iterator[Answer]:
    told = dict(_labelled(lines, r"(PRIO_MAP|TC Bandwidth|TSA_MAP|Willing|CBS|MAX_TCS): *(.*)"))
    for number, pair in _pairs(told.get("PRIO_MAP"), r"([0-7]):([0-7])"):
        priority, traffic_class = int(pair[1]), int(pair[2])
        yield PriorityMap(port=port, priority=priority, traffic_class=traffic_class, source=_SOURCE, line=number)
    shares = [int(pair[1]) for _, pair in _pairs(told.get("TC Bandwidth"), r"([0-9]{1,3})%")]
    for number, pair in _pairs(told.get("TSA_MAP"), r"([0-7]):(ets|strict|cbs|vendor)"):
        traffic_class = int(pair[1])
        share = shares[traffic_class] if pair[2] == "ets" and traffic_class < len(shares) else None
        yield Queue(
            port=port,
            queue=traffic_class,
            scheduler=_SCHEDULERS[pair[2]],
            weight_pct=None if share is None else float(share),
            source=_SOURCE,
            line=number,
        )


def _pfc(lines: _Lines, port: str) -> Iterator[Answer]:
    for name, (number, words) in _labelled(
        lines, r"(PFC enabled|Willing|PFC capable traffic classes|MACsec \w+ \w+): *(.*)"
    ):
        if name == "PFC enabled":
            if not re.fullmatch(r"none|[0-7](?:[ ,]+[0-7])*", words):
                raise ParseError(number, words, "priorities, or none")
            on = "".join(sorted(set(re.findall(r"[0-7]", words)))) if words != "none" else ""
            yield PfcPort(port=port, mode="on" if on else "off", oper_priorities=on, source=_SOURCE, line=number)


def _app(lines: _Lines, port: str) -> Iterator[Answer]:
    """Entries of three lines each: priority, selector, and what it selects."""
    entry: dict[str, str] = {}
    at = 0
    for number, words in [*lines, (0, "APP#end:")]:
        found = _APP_LINE.fullmatch(words)
        if re.fullmatch(r"APP#\w+:", words, re.IGNORECASE):
            yield from _entry(entry, port, at)
            entry = {}
        elif found and found[1] not in entry:
            entry[found[1]], at = found[2], number
        else:
            raise ParseError(number, words, "Priority, Sel and what it selects, each once an entry")


def _entry(entry: dict[str, str], port: str, line: int) -> Iterator[Answer]:
    if not entry:
        return
    priority, selector = entry.pop("Priority", ""), entry.pop("Sel", "")
    told = re.fullmatch(r"[0-7]", priority) and re.fullmatch(r"[1-5]", selector) and len(entry) == 1
    if not told or ("DSCP" in entry) != (selector == "5"):
        raise ParseError(line, f"priority {priority}, selector {selector}, {entry}", "an APP entry with one value each")
    name, value = next(iter(entry.items()))
    if selector == "5":
        if not re.fullmatch(r"[0-9]{1,2}", value) or int(value) > 63:  # noqa: PLR2004 - largest DSCP
            raise ParseError(line, value, "a DSCP of 0 to 63")
        yield DscpMap(port=port, dscp=int(value), priority=int(priority), source=_SOURCE, line=line)
    else:
        yield NicSetting(device=port, name=f"app {name} {value}", value=priority, source=_SOURCE, line=line)


def _limit(lines: _Lines, port: str) -> Iterator[Answer]:
    for number, words in lines:
        value = words.partition(":")[2].strip()
        yield NicSetting(device=port, name="TC Rate Limit", value=value, source=_SOURCE, line=number)


def _pri2cos(lines: _Lines, port: str) -> Iterator[Answer]:
    for number, words in lines:
        found = re.fullmatch(r"([0-7])\s+([0-7])\s+[0-9]{1,3}", words)
        if not found:
            raise ParseError(number, words, "priority, traffic class and queue id")
        yield PriorityMap(port=port, priority=int(found[1]), traffic_class=int(found[2]), source=_SOURCE, line=number)


def _dscp2prio(lines: _Lines, port: str) -> Iterator[Answer]:
    for number, words in lines:
        found = re.fullmatch(r"priority: ?([0-7])\s+dscp: ?([0-9]{1,2}(?:[, ]+[0-9]{1,2})*),?", words)
        dscps = [int(dscp) for dscp in re.findall(r"[0-9]+", found[2])] if found else []
        if not found or max(dscps) > 63:  # noqa: PLR2004 - largest DSCP
            raise ParseError(number, words, "priority:P  dscp: D")
        for dscp in dscps:
            yield DscpMap(port=port, dscp=dscp, priority=int(found[1]), source=_SOURCE, line=number)


def _cosq(lines: _Lines, port: str) -> Iterator[Answer]:
    for number, words in lines:
        found = re.fullmatch(r"([0-7])\s+(Enabled|Disabled)(?:\s+(Lossless|Lossy|-|N/A))?", words, re.IGNORECASE)
        if not found:
            raise ParseError(number, words, "traffic class, Enabled or Disabled, Lossless or Lossy")
        mode = (found[3] or "").lower()
        if found[2].lower() == "enabled" and mode in ("lossless", "lossy"):
            yield PriorityGroup(port=port, pg=int(found[1]), lossless=mode == "lossless", source=_SOURCE, line=number)


def _labelled(lines: _Lines, pattern: str) -> Iterator[tuple[str, tuple[int, str]]]:
    for number, words in lines:
        found = re.fullmatch(pattern, words)
        if not found:
            raise ParseError(number, words, "a line of this block of niccli")
        yield found[1], (number, found[2].strip())


def _pairs(told: tuple[int, str] | None, pattern: str) -> Iterator[tuple[int, re.Match[str]]]:
    for word in told[1].split() if told else ():
        found = re.fullmatch(pattern, word)
        if not found or told is None:
            raise ParseError(told[0] if told else 0, word, f"words of the form {pattern}")
        yield told[0], found


_READERS: dict[str, Callable[[_Lines, str], Iterator[Answer]]] = {
    "ets": _ets,
    "pfc": _pfc,
    "app": _app,
    "limit": _limit,
    "pri2cos": _pri2cos,
    "dscp2prio": _dscp2prio,
    "cosq": _cosq,
}

"""Queues and ECN of each port in a running configuration of EOS."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.indented import Block, find, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.arista_eos.running_config import Config, Port

_QUEUES = range(8)
_UNITS = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}
_QUEUE = r"(?:uc-)?tx-queue ([0-7])"
_DETECT = (
    r"random-detect (ecn|drop)(?: drop-precedence \d)?"
    r" minimum-threshold (\d+) ([a-z]+) maximum-threshold (\d+) ([a-z]+)"
    r"(?: (?:max-mark-|drop-)probability (\d+))?(?: weight \d+)?"
)
_SHARE = r"bandwidth percent (\d+)"
_READ = rf"{_DETECT}|{_SHARE}|random-detect ecn (count|delay .+)|no random-detect.*|bandwidth guaranteed .+"


def facts(config: Config) -> Iterator[Answer]:
    """Every queue of every front panel port, with defaults where the configuration is silent."""
    yield from _unread(config)
    non_ect = last(config.top, r"qos random-detect ecn allow non-ect.*") is None
    for port in config.physical:
        lines: dict[int, tuple[Block, ...]] = dict.fromkeys(_QUEUES, ())
        headers: dict[int, int] = {}
        for block, found in find(port.governing, _QUEUE):
            lines[int(found[1])] += block.children
            headers[int(found[1])] = block.line
        for queue in _QUEUES:
            yield _queue(port, queue, lines[queue], headers.get(queue, port.line), drops_non_ect=non_ect)


def _unread(config: Config) -> Iterator[Skipped]:
    for top in config.top:
        for block, _ in top.find(r"(?:uc-|mc-)?tx-queue \d"):
            for line in block.children:
                if re.match(r"(random-detect|bandwidth)\b", line.text) and not re.fullmatch(_READ, line.text):
                    yield Skipped(line.line, line.text, "random-detect with both thresholds, or a share in percent")


def _queue(port: Port, number: int, lines: Sequence[Block], header: int, *, drops_non_ect: bool) -> Queue:
    strict = last(lines, r"(no )?priority(?: strict)?")
    share = last(lines, _SHARE)
    detect = last(lines, rf"{_DETECT}|no random-detect.*")
    weighted = strict is not None and bool(strict[1][1])
    row = Queue(
        port=port.name,
        queue=number,
        scheduler="dwrr" if weighted else "strict",
        weight_pct=float(share[1][1]) if share and weighted else None,
        line=header,
    )
    if any(re.match("random-detect", line.text) and not re.fullmatch(_READ, line.text) for line in lines):
        return row
    if not detect or not detect[1][1]:
        return replace(row, ecn=False, wred_drops=False)
    return _detecting(row, detect[0], detect[1], drops_non_ect=drops_non_ect)


def _detecting(row: Queue, block: Block, found: re.Match[str], *, drops_non_ect: bool) -> Queue:
    kind, low, low_unit, high, high_unit, probability = found.groups()[:6]
    marks = kind == "ecn"
    if not marks:
        return replace(row, ecn=False, wred_drops=True, ecn_raw=block.text, line=block.line)
    return replace(
        row,
        ecn=True,
        ecn_min_bytes=_bytes(low, low_unit),
        ecn_max_bytes=_bytes(high, high_unit),
        ecn_mark_pct=float(probability) if probability else None,
        ecn_drops_non_ect=drops_non_ect,
        ecn_raw=f"{low} {low_unit} to {high} {high_unit}",
        wred_drops=False,
        line=block.line,
    )


def _bytes(number: str, unit: str) -> int | None:
    """Segments are cells of the switch chip, milliseconds depend on the rate: neither is known from here."""
    return int(number) * _UNITS[unit] if unit in _UNITS else None

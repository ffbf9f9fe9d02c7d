"""Queues and ECN of each port in a running configuration of NX-OS."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from fabric_audit.facts.profiles import BrokenReference
from fabric_audit.facts.qos import Queue
from fabric_audit.platforms.indented import Block, last
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.switches.cisco_nxos.config_lossless import Lossless, group_of
from fabric_audit.platforms.switches.cisco_nxos.running_config import Config

_GROUPS = range(8)
_STRICT_BY_DEFAULT = 7
_UNITS = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}
_SERVICE = r"service-policy type queuing output (\S+)"
_PRIORITY = r"priority(?: level \d)?"
_SHARE = r"bandwidth (?:remaining )?percent (\d+)"
_DETECT = (
    r"random-detect(?: minimum-threshold (\d+) ([a-z]+) maximum-threshold (\d+) ([a-z]+)"
    r"| threshold (burst-optimized|mesh-optimized))?"
    r"(?: drop-probability (\d+))?(?: weight \d+)?(?: cap-average)?( ecn)?"
)
_READ = rf"{_DETECT}|{_SHARE}|{_PRIORITY}|random-detect cos-based|bandwidth \d+ .*"


def facts(config: Config, no_drop: Lossless) -> Iterator[Answer]:
    """Every queue of every front panel port, with defaults where the configuration is silent."""
    policies: dict[str | None, tuple[Mapping[int, Queue], tuple[Skipped | BrokenReference, ...]]] = {}
    for port in config.subjects:
        named = last(port.governing, _SERVICE) or last(config.system, _SERVICE)
        name = named[1][1] if named else None
        if name not in policies:
            policies[name] = _policy(config, name, named[0] if named else None, no_drop)
            yield from policies[name][1]
        for row in policies[name][0].values():
            yield replace(row, port=port.name, line=row.line or port.line)


def _policy(
    config: Config, name: str | None, applied: Block | None, no_drop: Lossless
) -> tuple[Mapping[int, Queue], tuple[Skipped | BrokenReference, ...]]:
    """The queues of one policy, not yet bound to a port; those that it leaves out have no share."""
    policy = config.policy("queuing", name) if name else None
    rows = {group: _default(group, no_drop, name, known=name is None or policy is not None) for group in _GROUPS}
    skipped: list[Skipped | BrokenReference] = []
    if applied and policy is None and not re.fullmatch(r"default-.*", name or ""):
        target = f"policy-map {name}"
        skipped.append(
            BrokenReference(owner="queuing", field="service-policy type queuing", target=target, line=applied.line)
        )
    for entry, named in policy.find(r"class type queuing (\S+)") if policy else ():
        group = group_of(config, "queuing", named[1])
        unread = [line for line in entry.children if _is_unread(line)]
        skipped += [Skipped(line.line, line.text, "random-detect, bandwidth or priority") for line in unread]
        if group is None:
            skipped.append(Skipped(entry.line, entry.text, "a class whose qos-group is known"))
        else:
            rows[group] = _queue(rows[group], entry, unread=bool(unread))
    return rows, tuple(skipped)


def _is_unread(line: Block) -> bool:
    return re.match(r"(random-detect|bandwidth|priority)\b", line.text) is not None and not re.fullmatch(
        _READ, line.text
    )


def _default(group: int, no_drop: Lossless, policy: str | None, *, known: bool) -> Queue:
    """A queue that no class speaks of: without ECN. The default policy serves group 7 first, then group 0 alone."""
    limit = no_drop.mtus.get(group)
    strict = group == _STRICT_BY_DEFAULT
    share = None if strict else 100.0 if group == 0 else 0.0
    return Queue(
        port="",
        queue=group,
        scheduler=("strict" if strict else "dwrr") if policy is None else None,
        weight_pct=share if policy is None else None,
        lossless=None if no_drop.unread else group in no_drop.groups,
        mtu_bytes=limit[0] if limit else None,
        ecn=False if known else None,
        wred_drops=False if known else None,
        line=no_drop.groups.get(group) or (limit[1] if limit else None),
    )


def _queue(row: Queue, entry: Block, *, unread: bool) -> Queue:
    strict, share, detect = (last(entry.children, pattern) for pattern in (_PRIORITY, _SHARE, _DETECT))
    row = replace(
        row,
        scheduler="strict" if strict else "dwrr",
        weight_pct=float(share[1][1]) if share and not strict else None,
        line=entry.line,
    )
    if unread:
        return replace(row, ecn=None, wred_drops=None)
    return _detecting(row, detect[0], detect[1]) if detect else row


def _detecting(row: Queue, block: Block, found: re.Match[str]) -> Queue:
    """Thresholds of a named optimisation are not printed; without ``ecn`` packets are dropped instead of marked."""
    low, low_unit, high, high_unit, optimised, probability, ecn = found.groups()
    raw = f"{low} {low_unit} to {high} {high_unit}" if low else optimised
    if not ecn:
        return replace(row, ecn=False, wred_drops=True, ecn_raw=raw, line=block.line)
    return replace(
        row,
        ecn=True,
        ecn_min_bytes=int(low) * _UNITS[low_unit] if low and low_unit in _UNITS else None,
        ecn_max_bytes=int(high) * _UNITS[high_unit] if high and high_unit in _UNITS else None,
        ecn_mark_pct=float(probability) if probability else None,
        ecn_drops_non_ect=True,
        ecn_raw=raw,
        wred_drops=False,
        line=block.line,
    )

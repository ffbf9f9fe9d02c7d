"""Blocks of the CLI's configuration that define maps, WRED policies and scheduler policies."""

import re
from collections.abc import Iterator

from fabric_audit.platforms.switches.dell_sonic.tables import MAPS, Block, Configuration, anything

_ROW = re.compile(
    r"(?:dscp|dot1p|traffic-class|pfc-priority) ([\d,-]+) "
    r"(?:traffic-class|queue|priority-group|pg|dscp|dot1p) (\d+)"
)
_THRESHOLDS = re.compile(
    r"(green|yellow|red) minimum-threshold (\d+) maximum-threshold (\d+)(?: drop-probability (\d+))?"
)


def kilobytes(number: int) -> int:
    """Bytes of a number of klish's ``KBytes``, which are 1000 bytes each.

    dellemc.enterprise_sonic sonic_qos_wred shows 1000 and 5000 bytes as ``1 KBytes`` and ``5 KBytes``, and the
    design document 1 MiB as 1048.
    """
    return number * 1000


def qos_map(found: Configuration, number: int, kind: str, name: str) -> Block:
    """``qos map KIND NAME``: lists of numbers, and what each becomes."""
    if kind not in MAPS:
        return anything
    table = MAPS[kind][0]
    found.entry(table, name, number)

    def row(number: int, words: str) -> bool:
        match = _ROW.fullmatch(words)
        if not match:
            return False
        found.put(table, name, number, dict.fromkeys(_numbers(match[1]), match[2]))
        return True

    return row


def _numbers(text: str) -> Iterator[str]:
    """Every number of a list such as ``0-3,5``."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.isdecimal() and (last or first).isdecimal() and len(first + last) < 6:  # noqa: PLR2004 - DSCP is 63
            yield from map(str, range(int(first), int(last or first) + 1))


def wred_policy(found: Configuration, number: int, name: str) -> Block:
    """``qos wred-policy NAME``: thresholds by colour, and the colours that are marked."""
    found.entry("WRED_PROFILE", name, number)

    def policy(number: int, words: str) -> bool:
        if match := re.fullmatch(r"ecn (\S+)", words):
            found.put("WRED_PROFILE", name, number, {"ecn": f"ecn_{match[1].removeprefix('ecn_')}"})
        elif match := _THRESHOLDS.fullmatch(words):
            colour, low, high, percent = match.groups()
            values = {
                f"wred_{colour}_enable": "true",
                f"{colour}_min_threshold": str(kilobytes(int(low))),
                f"{colour}_max_threshold": str(kilobytes(int(high))),
            }
            values |= {f"{colour}_drop_probability": percent} if percent else {}
            printed = {"as_printed": f"{low}/{high} KBytes {percent or '?'} %"} if colour == "green" else {}
            found.put("WRED_PROFILE", name, number, values | printed)
        else:
            return False
        return True

    return policy


def scheduler_policy(found: Configuration, number: int, name: str) -> Block:
    """``qos scheduler-policy NAME``: a block for each queue, with its type and weight."""
    found.policies[name] = number
    queue = [""]

    def scheduler(number: int, words: str) -> bool:
        if match := re.fullmatch(r"queue (\d+)|port", words):
            queue[0] = match[1] or ""
        elif queue[0] and (match := re.fullmatch(r"type (\S+)", words)):
            found.put("SCHEDULER", f"{name}@{queue[0]}", number, {"type": match[1].upper()})
        elif queue[0] and (match := re.fullmatch(r"weight (\d+)", words)):
            found.put("SCHEDULER", f"{name}@{queue[0]}", number, {"weight": match[1]})
        return True

    return scheduler

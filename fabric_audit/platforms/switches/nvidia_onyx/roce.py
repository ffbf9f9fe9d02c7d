"""The RoCE macro of Onyx as it runs: ``show roce``."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.profiles import EcnProfile, PfcProfile, QosMapEntry, RoceMode, SchedulerPolicy, TrustProfile
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.partial import of_whole_lines
from fabric_audit.platforms.switches.nvidia_onyx.names import is_noise
from fabric_audit.platforms.switches.nvidia_onyx.qos import TRUSTS
from fabric_audit.platforms.switches.nvidia_onyx.queues import BYTES_PER_KB
from fabric_audit.platforms.text import numbered

MODES = {"lossless": "lossless", "semi-lossless": "semi_lossless", "lossy": "lossy", "N/A": "none", "disabled": "none"}
_YIELDS = (RoceMode, TrustProfile, PfcProfile, EcnProfile, QosMapEntry, SchedulerPolicy)
_NAME = "roce"
_Said = dict[str, tuple[str, int]]


@section("show-roce", Cli("show roce"), yields=_YIELDS, proven=Provenance.DOCUMENT)
def parse_roce(output: Output) -> Iterator[Answer]:
    """``show roce``, since 3.8.2000: what the macro sets on all ports, as text.

    It names no port: rows are named ``roce``. Mode ``N/A`` is a switch without the macro, an answer and no error.
    ``Min`` and ``Max`` are KB, without their unit, or percent where the mode is relative; they hold for the classes of
    RoCE. Trust L3 is DSCP. Lossy has no PFC; semi-lossless obeys pause and sends none.

    Source: NVIDIA Onyx User Manual v3.10.4100, RoCE Commands.
    """
    yield from of_whole_lines(output.stdout, _facts, _YIELDS, "no RoCE mode")


def _facts(text: str) -> Iterator[Answer]:
    said: _Said = {}
    classes: list[tuple[re.Match[str], int]] = []
    for number, line in numbered(text):
        row = re.fullmatch(r"\s*([0-7])\s+([0-7])\s+(\S+)\s+(?:WRR\s+(\d{1,3})%|(Strict))", line)
        pair = re.fullmatch(r"\s*([A-Za-z][\w -]*?)\s*:\s*(.*)", line)
        if row:
            classes.append((row, number))
        elif pair:
            said.setdefault(pair[1], (pair[2], number))
    if "RoCE mode" not in said:
        first = next(((n, row) for n, row in numbered(text) if row and not is_noise(row)), (0, ""))
        raise ParseError(*first, "`RoCE mode`")
    word, line_of = said["RoCE mode"]
    if word not in MODES:
        raise ParseError(line_of, word, f"a mode: {', '.join(MODES)}")
    yield RoceMode(scope="switch", mode=MODES[word], mode_raw=word, line=line_of)
    if MODES[word] != "none":
        yield from _set(said, classes, MODES[word])


def _set(said: _Said, classes: list[tuple[re.Match[str], int]], mode: str) -> Iterator[Answer]:
    if "Port trust mode" in said:
        word, line = said["Port trust mode"]
        if word not in TRUSTS:
            raise ParseError(line, word, " or ".join(TRUSTS))
        yield TrustProfile(profile=_NAME, trust_mode=TRUSTS[word], line=line)
    if "RoCE used TCs" in said and "PFC" in said:
        yield from _pfc(said, mode)
    else:
        yield Missing(
            PfcProfile.TABLE, Why.PARSE_ERROR, "the text ends before `RoCE used TCs`: priorities may be missing"
        )
    for row, line in classes:
        yield QosMapEntry(
            map_kind="tc_queue", map_name=_NAME, source_value=int(row[1]), target_value=int(row[2]), line=line
        )
        weight = int(row[4]) if row[4] else None
        sort = "strict" if row[5] else "dwrr"
        yield SchedulerPolicy(policy=_NAME, queue=int(row[2]), scheduler=sort, weight=weight, line=line)
        if row[3].upper() == "ROCE":
            yield from _marking(said, int(row[2]))


def _pfc(said: _Said, mode: str) -> Iterator[Answer]:
    on = said["PFC"][0] == "enabled"
    listed = {
        name.removeprefix("switch-priority "): value for name, (value, _) in said.items() if "switch-prio" in name
    }
    for direction in ("input", "output"):
        acts = on and (direction == "output" or mode == "lossless")
        for priority in range(8):
            lossless = acts and listed.get(str(priority)) == "enabled"
            yield PfcProfile(
                profile=_NAME,
                direction=direction,
                code_field="pcp",
                code_point=priority,
                pfc=lossless,
                line=said["PFC"][1],
            )


def _marking(said: _Said, queue: int) -> Iterator[Answer]:
    mode, line = said.get("Mode", ("", 0))
    if not mode:
        return
    bounds = [said.get(name, ("", line)) for name in ("Min", "Max")]
    if "absolute" in mode and not all(re.fullmatch(r"\d+", value) for value, _ in bounds):
        raise ParseError(bounds[0][1], f"{bounds[0][0]} to {bounds[1][0]}", "thresholds in KB")
    low, high = (int(value) * BYTES_PER_KB if "absolute" in mode else None for value, _ in bounds)
    yield EcnProfile(
        profile=f"{_NAME} traffic-class {queue}",
        ecn=mode.lower().startswith("ecn"),
        ecn_min_bytes=low,
        ecn_max_bytes=high,
        ecn_raw=f"{mode} {bounds[0][0]} to {bounds[1][0]}",
        line=bounds[0][1],
    )

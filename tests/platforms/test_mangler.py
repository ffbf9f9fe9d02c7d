"""Every text we know, harmed: facts or a refusal, never another exception, and never a fact that is wrong.

``--mangled N`` sets the number of cases, ``make fuzz`` runs 100,000. The texts are the goldens and, where
``FABRIC_AUDIT_CORPUS`` names it, the corpus. A failure prints the seed, the file and the harm;
``python -m tests.platforms.mangled SEED FILE`` prints the text that was read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest

from fabric_audit.facts import Fact, columns
from fabric_audit.facts.tables import key_of
from fabric_audit.platforms.model import Files, Links, Section
from fabric_audit.platforms.reading import Reading, read
from tests.platforms.mangled import Case, Text, case, texts
from tests.platforms.mangler import Keeps

TEXTS = texts()
AREAS = sorted({text.area for text in TEXTS})
AT_MOST = 10
"""Failures that are shown of an area."""

TYPES: Mapping[str, tuple[type, ...]] = {"int": (int,), "float": (float, int), "bool": (bool,), "str": (str,)}
STATES = ("parsed", "partial", "parse_error", "not_supported", "not_delivered")

A_PART_IS_A_WHOLE = re.compile(
    r".*:(running-config|current-configuration|qos-features-conf|nv-config-show.*|show-configuration-.*)"
    r"|nccl-conf|sysfs-iommu|perftest|perftest-errors|.*-help|mlnx-roce-setup-trace"
)
"""Sections of which a part is a text of its own: configurations, lists of names, what a program said until it died."""
FREE_WORDS = re.compile(r"nccl-conf|nccl-log|lsmod-peermem")
"""Sections where a blank at the end of a line counts: NCCL takes it as part of a value."""
LOGS = re.compile(r"kmsg|fabricmanager-log")
"""Sections that read log messages, whoever wrote them."""
COUNTED = re.compile(r"lspci-acs")
"""Sections whose rows are counted where they have no name."""
NUMBERED_RUNS = re.compile(r"nccl-tests")
"""Sections that number the tables of a text, so that those of a second one count on."""
ONE_PREAMBLE = re.compile(r"sonic:show-pfcwd-config")
"""Sections in which a line in front speaks for all rows, wherever they stand."""
ANY_NAMES = re.compile(
    r"ethtool-[Sgklc]|ethtool-fec-stats|ethtool-a-stats|rdma-statistic|mlxconfig|lspci-acs|proc-sys|sysctl"
)
"""Sections whose rows are NAME: VALUE with any name, as many programs print them."""
ABSENCE_SPEAKS = re.compile(r"gpudirect|bnxt-cc|sysfs-iommu|sysfs-rdma-links|system")
"""Sections that conclude something from a file that is not there."""
SILENCE_SPEAKS = re.compile(r"perftest|perftest-errors|sysfs-iommu")
"""Sections that tell a fact where nothing was printed: a test that gave no result, a host without IOMMU."""
EXCUSED: Mapping[Keeps | str, tuple[re.Pattern[str], ...]] = {
    Keeps.ALL: (FREE_WORDS,),
    Keeps.TRUTH: (A_PART_IS_A_WHOLE,),
    Keeps.NUMBERS: (A_PART_IS_A_WHOLE,),
    Keeps.OTHERS: (A_PART_IS_A_WHOLE, ANY_NAMES, LOGS, ONE_PREAMBLE, NUMBERED_RUNS),
    Keeps.NO_FACT: (SILENCE_SPEAKS,),
    "interrupted": (LOGS,),
    "beheaded": (ABSENCE_SPEAKS,),
    "dropped": (ABSENCE_SPEAKS,),
    "cut at a line": (A_PART_IS_A_WHOLE, ABSENCE_SPEAKS),
    "repeated": (A_PART_IS_A_WHOLE, COUNTED),
}
"""Sections in which a promise, or that of one harm, cannot be held to."""

GROWS: Mapping[str, frozenset[str]] = {
    "nccl_log": frozenset({"lines", "nccl_lines", "torn_lines", "ranks"}),
    "nccl_channel": frozenset({"channels"}),
    "nccl_event": frozenset({"count", "message"}),
    "nccl_test": frozenset(
        {"outcome", "largest_bytes", "busbw_bps", "busbw_in_place_bps", "wrong", "hosts", "message"}
    ),
    "fabric_manager_event": frozenset({"count", "first", "last"}),
    "gpu_nvlinks": frozenset({"active", "inactive"}),
    "perftest_row": frozenset({"outcome", "message"}),
    "transceiver": frozenset({"alarms", "rx_power_dbm", "tx_power_dbm"}),
    "gpu_direct": frozenset({"evidence"}),
}
"""Fields that sum up a whole text, of which a shorter one rightly says less."""
NAMED_ELSEWHERE = frozenset({"nccl_log", "nccl_rank", "nccl_test", "nccl_test_row", "nccl_test_gpu", "gpu_nic_path"})
"""Tables whose rows get their name from another line: a log's version, a NIC in the legend, a second rank 0."""

Rows = dict[tuple[object, ...], list[Fact]]


@pytest.mark.parametrize("area", AREAS)
def test_harm(area: str, request: pytest.FixtureRequest) -> None:
    each = max(1, round(request.config.getoption("--mangled") / len(TEXTS)))
    seeds = range(request.config.getoption("--mangler-seed"), request.config.getoption("--mangler-seed") + each)
    failures = []
    for text in (text for text in TEXTS if text.area == area):
        for seed in seeds:
            one = case(text, seed, TEXTS)
            failures += [f"seed {seed}, {text.name}, {one.harm.name}: {words}" for words in faults(one)]
    assert not failures, "\n".join(["", *failures[:AT_MOST]])


def faults(one: Case) -> Iterator[str]:
    """What is wrong with the reading of a harmed text."""
    told = read(one.text.section, replace(one.text.output, stdout=one.harmed))
    if told.state not in STATES:
        yield f"state {told.state}"
    if told.state in ("parsed", "partial") and not (told.facts or told.missing):
        yield "silence"
    for fact in told.facts:
        yield from misplaced(one.text.section, fact)
    right = whole(one.text)
    if right.state == "parsed":
        yield from lies(one, told, right)


def misplaced(section: Section, fact: Fact) -> Iterator[str]:
    if type(fact) not in section.yields:
        yield f"{fact.TABLE} is not declared"
    for column in columns(type(fact)):
        value, (kind, *optional) = getattr(fact, column.name), column.type.split(" | ")
        sound = isinstance(value, TYPES[kind]) and (kind == "bool") is isinstance(value, bool)
        if not (optional if value is None else sound):
            yield f"{fact.TABLE}.{column.name} = {value!r} is no {column.type}"


def lies(one: Case, told: Reading, right: Reading) -> Iterator[str]:
    """What the reading breaks of the promise that goes with the harm."""
    section, keeps = one.text.section, promised(one)
    if keeps is Keeps.NO_FACT and told.facts != right.facts:
        yield from (f"{fact}" for fact in told.facts)
    elif keeps is Keeps.ALL and told.state != "parse_error" and told.facts != right.facts:
        yield f"{len(told.facts)} facts of {len(right.facts)}, {told.reason}"
    elif keeps is Keeps.TRUTH:
        yield from untrue(by_key(told), by_key(right))
    elif keeps is Keeps.NUMBERS:
        yield from untrue(by_key(told), by_key(right), numbers=True)
    elif keeps is Keeps.OTHERS:
        mistaken = read(section, replace(one.other.output, item=one.text.output.item))
        yield from untrue(by_key(told), by_key(right, whole(one.other), mistaken))


def promised(one: Case) -> Keeps:
    """What the harm leaves decidable in this text."""
    section, keeps = one.text.section, one.harm.keeps
    if keeps is Keeps.ROWS:
        keeps = Keeps.TRUTH if isinstance(section.ask, Files | Links) else Keeps.NOTHING
    excused = EXCUSED.get(one.harm.name) or EXCUSED.get(keeps, ())
    return Keeps.NOTHING if any(sections.fullmatch(section.id) for sections in excused) else keeps


def untrue(told: Rows, right: Rows, *, numbers: bool = False) -> Iterator[str]:
    """Rows of which no row of the same key in ``right`` says as much; with ``numbers``, only numbers count."""
    for key, facts in told.items():
        if key not in right:
            if not numbers and key[0] not in NAMED_ELSEWHERE:
                yield f"invented: {facts[0]}"
            continue
        for fact in facts:
            if not any(agrees(fact, other, numbers=numbers) for other in right[key]):
                yield f"{fact}, not {right[key][0]}"


def agrees(fact: Fact, other: Fact, *, numbers: bool) -> bool:
    grown = GROWS.get(fact.TABLE, frozenset())
    for column in columns(type(fact)):
        value, known = getattr(fact, column.name), getattr(other, column.name)
        counts = not numbers or (isinstance(value, int | float) and not isinstance(value, bool))
        if counts and value not in (None, "unknown", known) and column.name not in grown:
            return False
    return True


def by_key(*readings: Reading) -> Rows:
    rows: Rows = {}
    for reading in readings:
        for fact in reading.facts:
            rows.setdefault((fact.TABLE, *key_of(fact)), []).append(fact)
    return rows


@cache
def whole(text: Text) -> Reading:
    return read(text.section, text.output)

"""Logs of any length and any launcher are read line by line."""

import tracemalloc
from collections.abc import Iterator

import pytest

from fabric_audit.facts.nccl import NcclChannel, NcclEnv, NcclLog
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.workloads.nccl_log.reader import read_log

MESSAGE = "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA"
HEAD = "node1:50:60 [0] NCCL INFO "


def told(*lines: str) -> list[Answer]:
    return list(read_log(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    "line",
    [
        f"{HEAD}{MESSAGE}",
        f"[1,0]<stdout>:{HEAD}{MESSAGE}",
        f"0: {HEAD}{MESSAGE}",
        f"2026-03-02T09:10:02.123456Z {HEAD}{MESSAGE}",
        f"[2026-03-02 09:10:02] {HEAD}{MESSAGE}",
        f"\x1b[32m{HEAD}{MESSAGE}\x1b[0m",
        f"step 100: 12%\rstep 101: 13%\r{HEAD}{MESSAGE}",
        f"{HEAD}{MESSAGE}\r",
    ],
)
def test_what_launchers_and_terminals_add_is_passed_over(line: str) -> None:
    channels = [fact for fact in told(line) if isinstance(fact, NcclChannel)]
    assert [(c.rank, c.peer, c.gdr, c.net_device) for c in channels] == [(0, 8, True, 0)]


def test_lines_of_other_programs_say_nothing() -> None:
    answers = told("epoch 3 via NET/IB/0", "Channel 5 of the TV via P2P", "INFO NCCL", "")
    assert [fact for fact in answers if not isinstance(fact, NcclLog)] == []


def test_a_last_line_that_is_cut_names_no_value() -> None:
    answers = list(read_log([f"{HEAD}NCCL_IB_TC set by environment to 10"]))
    assert not any(isinstance(fact, NcclEnv) for fact in answers)


def long_log(lines: int) -> Iterator[str]:
    yield f"{HEAD}{MESSAGE}\n"
    for number in range(lines // 3):
        yield f"step {number} loss 2.31\n"
        yield f"{HEAD}AllReduce: opCount {number:x} sendbuff 0x7f recvbuff 0x7f count 1024 datatype 7\n"
        yield f"[{number}] {HEAD}{MESSAGE.replace('00/0', f'{number % 16:02d}/0')}\n"


def test_what_is_kept_does_not_grow_with_the_log() -> None:
    tracemalloc.start()
    try:
        peaks = []
        for lines in (90_000, 3_000):
            tracemalloc.reset_peak()
            log = [fact for fact in read_log(long_log(lines)) if isinstance(fact, NcclLog)]
            assert log[0].lines == lines + 1
            peaks.append(tracemalloc.get_traced_memory()[1])
        assert peaks[0] < peaks[1] + 16e6  # prefixes with time stamps: at most 100,000 are remembered
    finally:
        tracemalloc.stop()

import pytest

from fabric_audit.facts import Fact, all_tables, columns
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.gpu import GpuDirect, GpuNvlinks
from fabric_audit.facts.performance import PerftestRow
from fabric_audit.facts.tables import STAMPS, Stamped, frame, frames, out_of_range

UNDERFLOWN = 2**64 - 1
"""What a 64-bit counter shows after a driver counted one back from zero."""


def test_a_frame_has_its_columns_without_any_row() -> None:
    assert set(frames([])) == set(all_tables())
    assert list(frame("counter").columns[:7]) == [
        "target",
        "phase",
        "at_s",
        "evidence",
        "evidence_line",
        "port",
        "name",
    ]


def test_a_counter_may_stand_at_the_top_of_its_register() -> None:
    counters = [Counter(port="eth2", name=str(value), value=value) for value in (0, 2**63, UNDERFLOWN, None)]
    made = frame("counter", [Stamped("gpu1", "baseline", "x.out", fact) for fact in counters])
    assert made["value"].astype(object).tolist()[:3] == [0, 2**63, UNDERFLOWN]
    assert made["value"].isna().tolist() == [False, False, False, True]


@pytest.mark.parametrize(
    ("fact", "column"),
    [
        (Counter(port="eth2", name="x", value=UNDERFLOWN), ""),
        (Counter(port="eth2", name="x", value=UNDERFLOWN + 1), "value"),
        (Counter(port="eth2", name="x", value=-3), "value"),
        (Counter(port="eth2", name="x", refresh_s=float("inf")), "refresh_s"),
        (PerftestRow(tool="ib_write_bw", size_bytes=2**63), "size_bytes"),
        (GpuNvlinks(gpu=-1), ""),
    ],
)
def test_a_number_that_no_column_holds_is_told(fact: Fact, column: str) -> None:
    assert out_of_range(fact) == column


def test_a_column_that_is_called_as_a_stamp_is_has_a_name_of_its_own() -> None:
    fact = GpuDirect(mechanism="peermem", available=True, evidence="/sys/module/nvidia_peermem")
    table = frame("gpu_direct", [Stamped("h1", "baseline", "baseline/h1/gpus.out", fact, 3)])
    assert list(table["evidence"]) == ["baseline/h1/gpus.out"]
    assert list(table["evidence_"]) == ["/sys/module/nvidia_peermem"]


@pytest.mark.parametrize("name", all_tables())
def test_every_table_has_the_stamps_and_all_of_its_columns(name: str) -> None:
    table = frame(name)
    assert list(table.columns[: len(STAMPS)]) == list(STAMPS)
    assert len(table.columns) == len(STAMPS) + len(columns(all_tables()[name]))

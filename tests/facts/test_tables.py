"""Facts as frames: stamps never hide a table's own columns."""

import pytest

from fabric_audit.facts import all_tables, columns
from fabric_audit.facts.gpu import GpuDirect
from fabric_audit.facts.tables import STAMPS, Stamped, frame


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

"""``fabric-audit explain`` is the manual of everything that has a name."""

import pytest

from fabric_audit.cli import ExitCode, run
from fabric_audit.facts import all_tables, columns


@pytest.mark.parametrize("table", sorted(all_tables()))
def test_a_table_tells_its_columns_and_who_tells_them(capsys: pytest.CaptureFixture[str], table: str) -> None:
    assert run(["explain", table]) == ExitCode.CLEAN
    told = capsys.readouterr().out
    assert all(f"  {column.name} " in told for column in columns(all_tables()[table]))
    assert "\nTold by " in told
    assert max(map(len, told.splitlines())) <= 120


def test_the_table_of_counters_names_the_source_of_every_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    run(["explain", "counter"])
    told = " ".join(capsys.readouterr().out.split())
    assert "mlx5_ib 38 names [Linux drivers/infiniband/hw/mlx5/counters.c" in told
    assert "perfquery 22 names [InfiniBand Architecture 16.1.3.5" in told


def test_a_name_that_nothing_has_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "gpu_nic_paths"]) == ExitCode.USAGE
    assert "gpu_nic_path" in capsys.readouterr().err

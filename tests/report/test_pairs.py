"""The pair matrices: what a cell says, and what stands in the table beside."""

import numpy as np
import pandas as pd

from fabric_audit.facts.tables import frame
from fabric_audit.report.heatmap import described, drawing
from fabric_audit.report.pairs import NO_RESULT, NO_TEST, WORST, View, matrix
from tests.report.frames import LINE_RATE, USUAL, Pod, pair_result

POD = Pod(hosts=6, rails=2)
SLOW = {("gpu002", "gpu005", 1): USUAL / 2, ("gpu003", "gpu001", 0): 0.0}


def view(rail: int | None, test: str = "ib_write_bw, host memory") -> View:
    found = matrix(pair_result(POD, SLOW))
    return next(one for one in found.views if (one.test, one.rail) == (test, rail))


def test_a_row_sends_and_a_column_receives() -> None:
    cells = view(1).cells
    assert 480 < cells[1, 4] < 520
    assert 970 < cells[4, 1] < 1030


def test_no_test_and_no_result_are_told_from_slow() -> None:
    cells = view(0).cells
    assert cells[2, 0] == NO_RESULT
    assert set(np.diag(cells)) == {NO_TEST}
    assert (view(0).tested, view(0).without_result) == (30, 1)


def test_the_median_is_that_of_what_was_measured() -> None:
    assert abs(view(0).median_bps / (USUAL * LINE_RATE) - 1) < 0.01


def test_the_worst_rail_of_each_cell_is_named() -> None:
    worst = view(None)
    assert worst.worst_rail is not None
    assert 480 < worst.cells[1, 4] < 520
    assert worst.worst_rail[1, 4] == 1
    assert (worst.cells[2, 0], worst.worst_rail[2, 0]) == (NO_RESULT, 0)
    assert worst.cells[0, 0] == NO_TEST


def test_the_table_names_what_has_no_result_and_what_is_slowest() -> None:
    first, second, *others = view(None).worst
    assert (first.client, first.server, first.bandwidth_bps, first.outcome) == (
        "gpu003",
        "gpu001",
        None,
        "retry_exceeded",
    )
    assert (second.client, second.server, second.rail) == ("gpu002", "gpu005", 1)
    assert second.deviation is not None
    assert abs(second.deviation + 0.5) < 0.01
    assert len(others) == WORST - 2


def test_failed_tests_leave_room_for_slow_ones() -> None:
    slow = {("gpu001", host, 0): 0.0 for host in POD.host_names[1:]} | {("gpu002", "gpu003", 0): 0.2}
    worst = next(one for one in matrix(pair_result(POD, slow)).views if one.rail == 0).worst
    assert sum(pair.bandwidth_bps is None for pair in worst) == WORST // 2
    assert (worst[WORST // 2].client, worst[WORST // 2].server) == ("gpu002", "gpu003")


def test_slower_hardware_is_no_outlier() -> None:
    rows = pair_result(POD, {})
    old = (rows["client"] == "gpu006") | (rows["server"] == "gpu006")
    rows.loc[old, "line_rate_bps"] = LINE_RATE // 2
    rows.loc[old, "bandwidth_bps"] = rows.loc[old, "bandwidth_bps"] / 2
    one = next(v for v in matrix(rows).views if v.rail == 0)
    tested = one.cells[one.cells != NO_TEST]
    assert tested.min() > 950
    assert one.rates == (1.0, 1.0, 1.0, 1.0, 1.0, 0.5)
    assert abs(one.median_bps / (USUAL * LINE_RATE) - 1) < 0.01


def test_without_line_rates_bandwidths_are_compared_as_they_are() -> None:
    rows = pair_result(POD, {("gpu001", "gpu002", 0): USUAL / 4})
    rows["line_rate_bps"] = None
    one = next(v for v in matrix(rows.astype({"line_rate_bps": "Int64"})).views if v.rail == 0)
    assert 240 < one.cells[0, 1] < 260


def test_of_repeats_the_worst_counts() -> None:
    rows = pair_result(Pod(hosts=2, rails=1), {}, ["ib_write_bw"])
    again = rows.copy()
    again["round"] = again["round"] + 1
    again.loc[0, "bandwidth_bps"] = LINE_RATE / 4
    assert matrix(pd.concat([rows, again], ignore_index=True)).views[0].cells[0, 1] < 300


def test_hosts_stand_in_natural_order() -> None:
    rows = pair_result(Pod(hosts=3, rails=1), {})
    rows["client"] = rows["client"].replace({"gpu002": "gpu10"})
    rows["server"] = rows["server"].replace({"gpu002": "gpu10"})
    rows["client"] = rows["client"].replace({"gpu001": "gpu2"})
    assert matrix(rows).hosts == ("gpu001", "gpu2", "gpu003", "gpu10")


def test_latency_tests_and_empty_tables_make_no_matrix() -> None:
    rows = pair_result(Pod(hosts=2, rails=1), {}, ["ib_write_lat"])
    assert matrix(rows).views == matrix(frame("pair_result")).views == ()


def test_the_drawing_is_the_same_every_time() -> None:
    found = matrix(pair_result(POD, SLOW))
    assert drawing(found) == drawing(found)


def test_every_view_is_described_and_drawn() -> None:
    found = matrix(pair_result(POD, SLOW))
    assert [one["rail"] for one in described(found)["views"]] == [None, 0, 1] * 2
    text = str(drawing(found))
    assert all(f"'v{number}'" in text for number in range(len(found.views)))


def test_an_overview_has_the_worst_of_all_rails_alone() -> None:
    found = matrix(pair_result(POD, SLOW))
    assert found.choices == (None, 0, 1)
    assert found.overview().choices == (None,)
    single = matrix(pair_result(Pod(hosts=3, rails=1), {}))
    assert single.overview() == single

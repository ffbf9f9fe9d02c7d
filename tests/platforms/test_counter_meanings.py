import pytest

from fabric_audit.facts.counters import CounterClass
from fabric_audit.platforms.counter_meanings import counter_tables, table_that_fits


def test_no_counter_of_any_table_lacks_its_meaning_or_its_source() -> None:
    for table in counter_tables().values():
        meanings = [*table.exact.values(), *(meaning for _, meaning in table.patterns)]
        assert table.rows > 0
        for meaning in meanings:
            assert meaning.text
            assert meaning.source
            assert meaning.scope == ("gauge" if meaning.bits is None else "absolute")


@pytest.mark.parametrize(
    ("driver", "name", "counter_class", "bits", "saturates"),
    [
        ("mlx5_ib", "packet_seq_err", CounterClass.LOSS, 32, False),
        ("mlx5_ib", "vport_out_of_buffer", CounterClass.SLOW_RECEIVER, 32, False),
        ("mlx5_ib", "np_cnp_sent", CounterClass.CONGESTION, 64, False),
        ("bnxt_re", "packet_seq_err", CounterClass.LOSS, 64, False),
        ("irdma", "Nak Sequence Error", CounterClass.LOSS, 64, False),
        ("pma", "link_downed", CounterClass.FLAP, 8, True),
        ("pma", "excessive_buffer_overrun_errors", CounterClass.LOSS, 4, True),
        ("mlx5_en", "tx_prio7_pause_duration", CounterClass.PAUSE_SENT, 64, False),
        ("mlx5_en", "rx_prio8_pause", CounterClass.OTHER, None, None),
        ("ice", "rx_dropped.nic", CounterClass.LOSS, 64, False),
    ],
)
def test_a_counter_means_what_its_source_says(
    driver: str, name: str, counter_class: CounterClass, bits: int | None, saturates: bool | None
) -> None:
    told = counter_tables()[driver].meaning(name).meaning
    assert (told.counter_class, told.bits, told.saturates) == (counter_class, bits, saturates)


def test_the_priority_stands_in_the_name() -> None:
    assert counter_tables()["bnxt_en"].meaning("pfc_pri5_rx_duration_us").priority == 5
    assert counter_tables()["mlx5_en"].meaning("rx_64_bytes_phy").priority is None


@pytest.mark.parametrize(
    ("names", "device", "driver"),
    [
        (["out_of_sequence", "np_cnp_sent"], "rocep1s0", "mlx5_ib"),
        (["out_of_sequence", "np_cnp_sent", "active_qps"], "rocep1s0", "bnxt_re"),
        (["duplicate_request"], "mlx5_3", "mlx5_ib"),
        (["duplicate_request"], "bnxt_re0", "bnxt_re"),
        (["rx_bytes", "rx_drops"], "rdmap0s6", "efa"),
    ],
)
def test_counter_names_tell_the_driver_and_the_device_decides_a_tie(names: list[str], device: str, driver: str) -> None:
    assert table_that_fits("hw_counters", names, device).driver == driver

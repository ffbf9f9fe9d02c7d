"""Counters of ports and devices, whatever they count."""

from enum import StrEnum

from fabric_audit.facts import Fact, counter, exact, key, table


class CounterClass(StrEnum):
    """What growth of a counter means."""

    LOSS = "loss"
    PAUSE_SENT = "pause_sent"
    PAUSE_RECEIVED = "pause_received"
    CONGESTION = "congestion"
    RETRANSMISSION = "retransmission"
    SLOW_RECEIVER = "slow_receiver"
    WIRE_ERROR = "wire_error"
    REORDER = "reorder"
    TRAFFIC = "traffic"
    QUALITY = "quality"
    FLAP = "flap"
    OTHER = "other"


@table
class Counter(Fact):
    """One counter of one port or device."""

    port: str = key("interface, or RDMA device with its port such as mlx5_0/1")
    name: str = key("the driver's or vendor's own name")
    value: int | None = counter("reading")
    counter_class: str | None = exact("what growth means: loss, pause_sent, retransmission, ...")
    unit: str | None = exact("packets, bytes, us, events, frames, ticks, words4")
    bits: int | None = exact("width of the hardware counter; it wraps or saturates there")
    saturates: bool | None = exact("stays at its largest value instead of wrapping")
    scope: str | None = exact("absolute (since driver load), since_clear, gauge or unknown")
    refresh_s: float | None = exact("how old a reading can be, in seconds")
    source: str | None = exact("which tool or file said so")


@table
class CounterPoll(Fact):
    """How a switch refreshes one group of its counters: a group that is off shows stale or no values."""

    group: str = key("group in the platform's own word, such as PORT, QUEUE or PG_WATERMARK")
    enabled: bool | None = exact("the group is refreshed")
    interval_s: float | None = exact("time between two readings of the hardware")

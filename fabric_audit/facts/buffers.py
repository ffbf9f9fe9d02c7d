"""Switch and NIC buffers."""

from fabric_audit.facts import Fact, counter, exact, key, measure, table
from fabric_audit.facts.qos import ROUNDED


@table
class PriorityGroup(Fact):
    """Ingress buffer of one priority group (switch) or receive buffer (NIC) of one port.

    ``xoff_bytes`` is always the headroom, the bytes absorbed after pause was sent; the fill at which pause is sent
    is ``pause_at_bytes``. Vendors use the word xoff for either.
    """

    port: str = key("port")
    pg: int = key("priority group or buffer number")
    lossless: bool | None = exact("protected by PFC")
    profile: str | None = exact("buffer profile by name")
    size_bytes: int | None = exact("bytes reserved", tolerance=ROUNDED)
    pause_at_bytes: int | None = exact("fill at which pause is sent, where it is a fixed level", tolerance=ROUNDED)
    xon_bytes: int | None = exact("fill at which the other end may go on", tolerance=ROUNDED)
    xoff_bytes: int | None = exact("headroom: bytes that can still arrive after pause was sent", tolerance=ROUNDED)
    alpha_raw: str | None = exact("dynamic threshold as the platform writes it")
    alpha_exp: int | None = exact("dynamic threshold as exponent of 2, where the platform's table is known")
    static_limit_bytes: int | None = exact("fixed limit in the shared pool", tolerance=ROUNDED)
    headroom_watermark_bytes: int | None = measure("most headroom ever used", tolerance=1.0)
    cable_length_m: float | None = exact("cable length the headroom was computed for")
    headroom_buffers: int | None = exact(
        "headroom in buffers of the ASIC, where it prints neither bytes nor their size"
    )
    source: str | None = exact("which tool or file said so, where there are several")


@table
class HeadroomNeed(Fact):
    """Headroom of one port, where the switch itself tells what the port needs and what it has."""

    port: str = key("port")
    found_bytes: int | None = exact("headroom that the switch found for the port")
    required_bytes: int | None = exact("headroom that the port needs by its speed and cable")


@table
class BufferPool(Fact):
    """One buffer pool of a switch."""

    pool: str = key("name")
    direction: str | None = exact("ingress or egress")
    mode: str | None = exact("dynamic or static")
    size_bytes: int | None = exact("size")
    shared_headroom_bytes: int | None = exact("headroom shared by all ports")
    size_pct: float | None = exact("size as a share of the buffer in percent, where the platform has no bytes")
    alpha_raw: str | None = exact("dynamic threshold as the platform writes it")
    members: str | None = exact("priorities (ingress) or queues (egress) that draw from it, as ascending digits")
    watermark_bytes: int | None = measure("most bytes ever held", tolerance=1.0)
    headroom_watermark_bytes: int | None = measure("most shared headroom ever used", tolerance=1.0)


@table
class QueueCounter(Fact):
    """Counters of one egress queue or, with ``group`` set, of one priority group."""

    port: str = key("port")
    queue: int = key("queue, or the priority group's number")
    group: bool = key("counts an ingress priority group, not a queue")
    tx_packets: int | None = counter("packets sent", traffic=True)
    tx_bytes: int | None = counter("bytes sent", traffic=True)
    drop_packets: int | None = counter("packets dropped")
    drop_bytes: int | None = counter("bytes dropped")
    ecn_marked_packets: int | None = counter("packets marked CE", source="RFC 3168")
    ecn_marked_bytes: int | None = counter("bytes marked CE", source="RFC 3168")
    wred_drop_packets: int | None = counter("packets dropped by WRED")
    watermark_bytes: int | None = measure("most bytes ever queued", tolerance=1.0)
    scope: str | None = exact("absolute, since_clear or unknown")
    refresh_s: float | None = exact("how old a reading can be, in seconds")

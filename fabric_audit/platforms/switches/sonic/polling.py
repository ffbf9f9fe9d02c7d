"""How old SONiC's counters can be: they are copies that ``syncd`` refreshes group by group.

The defaults are orchagent's (sonic-swss portsorch.cpp, portsorch.h and bufferorch.h,
``*_FLEX_COUNTER_POLLING_INTERVAL_MS`` and ``*_POLL_MSECS``); ``counterpoll`` shows and changes them, and
``FLEX_COUNTER_TABLE`` in CONFIG_DB keeps what was changed.
"""

from collections.abc import Iterator

from fabric_audit.facts.counters import CounterPoll
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.switches.sonic.database import Database, Entry, each

PORT_S = 1.0
"""Packets, errors, drops, FEC and PFC frames of a port: PORT_STAT_FLEX_COUNTER_POLLING_INTERVAL_MS."""
QUEUE_S = 10.0
"""Packets and drops of queues, WRED and ECN marks: QUEUE_STAT_FLEX_COUNTER_POLLING_INTERVAL_MS."""
PG_DROP_S = 10.0
"""Drops of priority groups: PG_DROP_FLEX_STAT_COUNTER_POLL_MSECS."""
PORT_DROP_S = 60.0
"""Buffer and debug drops of a port: PORT_BUFFER_DROP_STAT_POLLING_INTERVAL_MS."""
WATERMARK_S = 60.0
"""Watermarks of queues, priority groups and pools: QUEUE_WATERMARK_FLEX_STAT_COUNTER_POLL_MSECS and its like."""

_DEFAULT_S = {
    "PORT": PORT_S,
    "QUEUE": QUEUE_S,
    "WRED_ECN_QUEUE": QUEUE_S,
    "PG_DROP": PG_DROP_S,
    "PORT_BUFFER_DROP": PORT_DROP_S,
    "PG_WATERMARK": WATERMARK_S,
    "QUEUE_WATERMARK": WATERMARK_S,
    "BUFFER_POOL_WATERMARK": WATERMARK_S,
}


def configured(database: Database) -> Iterator[Answer]:
    """What ``FLEX_COUNTER_TABLE`` says; a group without ``FLEX_COUNTER_STATUS`` is off (counterpoll/main.py)."""

    def group(entry: Entry) -> Iterator[Answer]:
        interval = entry.number("POLL_INTERVAL")
        yield CounterPoll(
            group=entry.key,
            enabled=entry.text("FLEX_COUNTER_STATUS") == "enable",
            interval_s=_DEFAULT_S.get(entry.key) if interval is None else interval / 1000,
            line=entry.line,
        )

    yield from each(database.table("FLEX_COUNTER_TABLE").values(), group)

"""What Enterprise SONiC answers in bash as community builds do: the same commands, the same readers."""

from collections.abc import Iterator

from fabric_audit.platforms.model import Answer, Output, Parser, SectionMark, section
from fabric_audit.platforms.switches.sonic import (
    config_db,
    counters,
    drops,
    lags,
    neighbors,
    pfc,
    ports,
    queue_counters,
    routing,
    system,
    watchdog,
    watermarks,
)


def _same(parser: Parser) -> Parser:
    """The parser with its sections, as this platform's own."""

    def read(output: Output) -> Iterator[Answer]:
        yield from parser(output)

    read.__doc__ = parser.__doc__
    for mark in getattr(parser, "sections", ()):
        if isinstance(mark, SectionMark):
            one = mark.section
            declare = section(
                one.name, one.ask, yields=one.yields, proven=one.proven, when=one.when, timeout_s=one.timeout_s
            )
            declare(read)
    return read


configuration = _same(config_db.config_db)
pfc_counters = _same(pfc.show_pfc_counters)
interface_counters = _same(counters.show_interfaces_counters)
fec_counters = _same(counters.show_interfaces_counters_fec_stats)
interface_states = _same(ports.show_interfaces_status)
lldp = _same(neighbors.show_lldp_table)
queues = _same(queue_counters.show_queue_counters)
group_drops = _same(drops.show_priority_group_drop_counters)
headroom = _same(watermarks.show_priority_group_watermark_headroom)
watchdog_configuration = _same(watchdog.show_pfcwd_config)
version = _same(system.show_version)
aggregates = _same(lags.show_interfaces_portchannel)
sessions = _same(routing.show_bgp_summary)
routes = _same(routing.show_ip_route)
watchdog_storms = _same(watchdog.show_pfcwd_stats)

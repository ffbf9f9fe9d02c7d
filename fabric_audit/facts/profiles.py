"""Named profiles and maps, where a platform prints them apart from the ports they are bound to.

What is in force on a port stands in ``queue``, ``priority_group`` and the maps of :mod:`fabric_audit.facts.qos`.
"""

from fabric_audit.facts import Fact, exact, key, table


@table
class EcnProfile(Fact):
    """One WRED profile by name; the thresholds are those of green packets, which is what unmetered traffic is."""

    profile: str = key("name")
    ecn: bool | None = exact("marks instead of dropping")
    ecn_min_bytes: int | None = exact("fill at which marking or dropping starts")
    ecn_max_bytes: int | None = exact("fill at which every packet is marked or dropped")
    ecn_mark_pct: float | None = exact("probability at ecn_max in percent")
    wred_drops: bool | None = exact("drops at random between two thresholds instead of marking (WRED without ECN)")
    ecn_raw: str | None = exact("mode and thresholds as the platform prints them, with unit")


@table
class BufferProfile(Fact):
    """One buffer profile by name. ``xoff_bytes`` is headroom, as in ``priority_group``."""

    profile: str = key("name")
    pool: str | None = exact("pool it draws from")
    size_bytes: int | None = exact("bytes reserved")
    pause_at_bytes: int | None = exact("fill at which pause is sent, where it is a fixed level")
    cable_length_m: float | None = exact("cable length the headroom is computed for")
    xon_bytes: int | None = exact("fill at which the other end may go on")
    xoff_bytes: int | None = exact("headroom: bytes that can still arrive after pause was sent")
    alpha_raw: str | None = exact("dynamic threshold as the platform writes it")
    alpha_exp: int | None = exact("dynamic threshold as exponent of 2, where the platform's table is known")
    static_limit_bytes: int | None = exact("fixed limit in the shared pool")
    applied: bool | None = exact("read from what runs, not from the configuration")


@table
class SchedulerPolicy(Fact):
    """One queue of one scheduler policy."""

    policy: str = key("name")
    queue: int = key("queue; -1 where the policy is one scheduler without a queue")
    scheduler: str | None = exact("strict, dwrr or vendor")
    weight: int | None = exact("weight as configured; a share only among the queues of a port")


@table
class QosMapEntry(Fact):
    """One row of a named map."""

    map_kind: str = key("dscp_tc, dot1p_tc, tc_queue, tc_pg, tc_dscp, tc_dot1p, pfc_priority_queue or pfc_priority_pg")
    map_name: str = key("name")
    source_value: int = key("DSCP, priority or traffic class that is mapped")
    target_value: int | None = exact("traffic class, queue, priority group, DSCP or priority it becomes")


@table
class BrokenReference(Fact):
    """A profile or map that a configuration names and does not have: what it asks for is not in force."""

    owner: str = key("entry that names it, such as Ethernet0|3")
    field: str = key("field or word by which it does")
    target: str | None = exact("what is named: table or kind, and name")


@table
class MapBinding(Fact):
    """Which named map a port uses, where the platform prints that apart from the map's rows."""

    port: str = key("port")
    map_kind: str = key("kind of map, as in qos_map_entry")
    map_name: str | None = exact("name of the map, whether it exists or not")


@table
class PfcProfile(Fact):
    """One code point of a named PFC profile, where a platform has such profiles."""

    profile: str = key("name")
    direction: str = key("input: for these packets pause is sent; output: for these priorities pause is obeyed")
    code_field: str = key("pcp or dscp: what the code point is compared with")
    code_point: int = key("802.1p priority, 0 to 7, or DSCP, 0 to 63")
    pfc: bool | None = exact("lossless in this direction")
    queues: str | None = exact("queues that stop, comma separated (output)")
    mru_bytes: int | None = exact("largest packet for which headroom is computed (input)")


@table
class RoceMode(Fact):
    """A vendor's macro that sets PFC, ECN, maps and buffers for RoCE in one word."""

    scope: str = key("switch, or the port it was read from")
    mode: str | None = exact("lossless, semi_lossless, lossy or none")
    mode_raw: str | None = exact("the platform's own word, where it tells kinds of these apart")


@table
class TrustProfile(Fact):
    """What classifies packets, where a platform says so by name and not by port."""

    profile: str = key("name")
    trust_mode: str | None = exact("dscp, pcp, dscp_pcp, port or none")
    default_class: int | None = exact("priority or traffic class of packets that carry no mark")

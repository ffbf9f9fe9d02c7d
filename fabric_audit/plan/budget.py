"""What traffic costs before it is sent: rounds, flows, bytes, time."""

from dataclasses import replace

from fabric_audit.inventory.model import Inventory, Traffic
from fabric_audit.plan.model import TrafficPlan
from fabric_audit.plan.rounds import steps_per_matching
from fabric_audit.plan.schedule import rounds_of

OVERHEAD_S = 2.0
"""Typical time of a round besides its test: connection set-up of perftest, counters, one round trip."""


def traffic_plan(inventory: Inventory, wanted: Traffic) -> TrafficPlan | None:
    """The load that ``wanted`` (inventory over policy) makes on this inventory; None for none.

    ``bytes_at_most`` counts every slot at the full speed of its NIC.
    """
    hosts = [host for host in inventory.hosts if host.compute_nics]
    rails = sorted({nic.rail for host in hosts for nic in host.compute_nics if nic.rail is not None})
    if wanted.mode in (None, "none") or len(hosts) < 2:  # noqa: PLR2004 - a pair
        return None
    memory = tuple(m for m in wanted.memory or ("host",) if m == "host" or any(h.gpus != 0 for h in hosts))
    matchings = rounds_of(wanted.mode or "none", len(hosts))
    plan = TrafficPlan(
        mode=wanted.mode or "none",
        hosts=tuple(host.name for host in hosts),
        rails=tuple(rails),
        tools=wanted.tools or ("ib_write_bw",),
        memory=memory,
        size_bytes=wanted.size_bytes or 65536,
        qps=wanted.qps or 1,
        duration_s=wanted.duration_s or 10.0,
        traffic_class=wanted.traffic_class,
        rounds=0,
        pairs=0,
        bytes_at_most=0,
        seconds=0.0,
    )
    rounds = matchings * steps_per_matching(plan)
    flows = len(hosts) // 2 * len(rails)
    speed = max((nic.speed_bps or 0 for host in hosts for nic in host.compute_nics), default=0)
    return replace(
        plan,
        rounds=rounds,
        pairs=flows,
        bytes_at_most=int(rounds * flows * speed / 8 * plan.duration_s),
        seconds=rounds * (plan.duration_s + OVERHEAD_S),
    )

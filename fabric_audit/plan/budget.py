"""What traffic costs before it is sent: rounds, flows, bytes, time, load of the uplinks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fabric_audit.errors import UsageError
from fabric_audit.inventory.model import Host, Inventory, Traffic
from fabric_audit.plan.model import TrafficPlan, UplinkLoad
from fabric_audit.plan.modes import waves_of
from fabric_audit.plan.rounds import steps_per_wave

OVERHEAD_S = 2.0
"""Typical time of a round besides its test: connection set-up of perftest, counters, one round trip."""


def traffic_plan(inventory: Inventory, wanted: Traffic, share: float) -> TrafficPlan | None:
    """The load that ``wanted`` (inventory over policy) makes on this inventory; None for none.

    ``bytes_at_most`` counts every slot at the full speed of its NIC.

    Args:
        inventory: what exists.
        wanted: what to send.
        share: the policy's ``pod_bandwidth_floor``.

    Raises:
        UsageError: no such mode, or no test that could be run.
    """
    hosts = [host for host in inventory.hosts if host.compute_nics]
    rails = sorted({nic.rail for host in hosts for nic in host.compute_nics if nic.rail is not None})
    if wanted.mode in (None, "none") or len(hosts) < 2:  # noqa: PLR2004 - a pair
        return None
    memory = tuple(m for m in wanted.memory or ("host",) if m == "host" or any(h.gpus != 0 for h in hosts))
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
        waves=0,
        rounds=0,
        pairs=0,
        bytes_at_most=0,
        seconds=0.0,
        serial_rails=wanted.rails == "serial",
        share=share,
        uplinks=tuple(_uplinks(inventory, hosts)),
    )
    steps = steps_per_wave(plan)
    if not steps:
        raise UsageError(
            "ib_write_lat cannot use GPU memory: the CPU polls the buffer; name host memory, or ib_send_lat"
        )
    waves = waves_of(plan.mode, len(hosts), steps * (plan.duration_s + OVERHEAD_S))
    trial = waves and (len(hosts) // 2) * len(rails) > 1
    rounds = waves * steps + bool(trial)
    flows = len(hosts) // 2 * (1 if plan.serial_rails else len(rails))
    speed = max((nic.speed_bps or 0 for host in hosts for nic in host.compute_nics), default=0)
    return replace(
        plan,
        waves=waves,
        rounds=rounds,
        pairs=flows,
        bytes_at_most=int(rounds * flows * speed / 8 * plan.duration_s),
        seconds=rounds * (plan.duration_s + OVERHEAD_S),
    )


def _uplinks(inventory: Inventory, hosts: Sequence[Host]) -> Iterator[UplinkLoad]:
    """The load of each leaf's uplinks in a round in which every NIC below it sends to another leaf.

    Half of the hosts of a round send, the others receive: as many flows go up as come down, and at most one a NIC.
    """
    nics = {(host.name, name): nic for host in hosts for nic in host.compute_nics for name in (nic.netdev, nic.device)}
    switches = {switch.name for switch in inventory.switches}
    up: Counter[str] = Counter()
    speeds: dict[str, list[int]] = {}
    for cable in inventory.cables:
        ends = ((cable.a_target, cable.a_port), (cable.b_target, cable.b_port))
        for (here, _), there in (ends, ends[::-1]):
            if here in switches and there[0] in switches:
                up[here] += 1
            elif here in switches and there in nics:
                speeds.setdefault(here, []).append(nics[there].speed_bps or 0)
    for leaf, below in sorted(speeds.items()):
        if up[leaf]:
            yield UplinkLoad(leaf=leaf, flows=len(below), bps=sum(below), uplinks=up[leaf])

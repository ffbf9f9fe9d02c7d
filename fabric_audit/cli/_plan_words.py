"""A plan told to a person, before it is carried out or instead of that."""

from fabric_audit.inventory.nodes import fold
from fabric_audit.plan.model import Plan, TrafficPlan


def described(plan: Plan, *, commands: bool = False) -> str:
    """The plan in words."""
    lines = [f"fabric {plan.inventory.fabric}"]
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for target in plan.targets:
        groups.setdefault((target.kind, target.platform, target.sections), []).append(target.target)
    for (kind, platform, sections), names in groups.items():
        lines.append(f"  {fold(names)}: {len(names)} {kind}(s), {platform}, {len(sections)} commands each")
        if commands:
            lines += [f"      {section}" for section in sections]
    return "\n".join([*lines, *_traffic(plan)])


def _traffic(plan: Plan) -> list[str]:
    load = plan.traffic
    if load is None:
        return ["no traffic"]
    tools, memory = ", ".join(load.tools), ", ".join(load.memory)
    rails = ", ".join(map(str, load.rails)) + (", one after the other" if load.serial_rails else "")
    bound = "at most " if load.mode == "adaptive" else ""
    flows = f"{load.pairs} flows at once, messages of {load.size_bytes} bytes on {load.qps} queue pairs"
    return [
        f"traffic {load.mode}: {bound}{load.rounds} rounds of {load.duration_s:g} s, about {load.seconds / 60:.1f} min",
        f"  tools {tools}; memory {memory}; rails {rails}",
        f"  {flows}, traffic class {load.traffic_class}",
        f"  at most {load.bytes_at_most / 1e12:.2f} TB in all",
        *_uplinks(load),
    ]


def _uplinks(load: "TrafficPlan") -> list[str]:
    """What a round puts on each leaf's uplinks at most; where hosts hang is the cable plan's to say."""
    if not load.uplinks:
        return ["  load of leaf uplinks: not known before the baseline (no cable plan in the inventory)"]
    return [
        f"  {one.leaf}: at most {one.flows} flows, {one.bps / 1e9:g} Gb/s over {one.uplinks} uplinks"
        f" ({one.bps / 1e9 / one.uplinks:g} Gb/s each)"
        for one in load.uplinks
    ]

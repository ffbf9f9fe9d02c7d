"""What a known-good pod has, as a policy to review: each value that most of its ports agree on, odd ones by name."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric_audit.analysis.majority import usual
from fabric_audit.checks.host.functions import nics, tree
from fabric_audit.checks.landing import roce_queues
from fabric_audit.checks.pfc.words import in_force
from fabric_audit.checks.rows import rows
from fabric_audit.documents.write import flow
from fabric_audit.findings import Audit
from fabric_audit.policy.design import Design
from fabric_audit.policy.model import Designs, Policy

if TYPE_CHECKING:
    import pandas as pd

Tables: TypeAlias = Mapping[str, "pd.DataFrame"]
Said: TypeAlias = Mapping[tuple[str, ...], Any]
"""Component → what it has; components that do not tell are left out."""
MOST_NAMED = 8
"""Odd ones that are listed by name."""


@dataclass(frozen=True, slots=True)
class Learned:
    """One value of a design as it was found; ``value`` is None where as many have one as another."""

    name: str
    value: Any
    said: Said

    @property
    def odd(self) -> Mapping[tuple[str, ...], Any]:
        """Components that have something else."""
        return {end: value for end, value in self.said.items() if value != self.value}


def learned(tables: Tables, policy: Policy) -> Iterator[Learned]:
    """Every value of the policy's design that the facts tell, in the order of the design."""
    told = _observations(tables, policy)
    for field in fields(Design):
        said = told.get(field.name, {})
        if said:
            yield Learned(field.name, usual(said.values()), said)


def as_policy(audit: Audit, found: Iterable[Learned], capture: str) -> str:
    """YAML of a policy that extends the capture's and says what was learned, with its origin and its odd ones."""
    day = audit.started[:10]
    lines = [
        f"# What {audit.fabric} had on {day}. Review every value: what most have is not yet what ought to be.",
        f"title: {flow(f'{audit.fabric} as it was on {day}')}",
        f"extends: {flow(audit.policy)}",
        "",
        "design:",
    ]
    values = [line for one in found for line in _lines(one, f"learned from {capture}")]
    return "\n".join([*lines, *(values or ["  {}"])]) + "\n"


def _lines(one: Learned, source: str) -> Iterator[str]:
    if one.value is None:
        counted = Counter(flow(value) for value in one.said.values())
        words = ", ".join(f"{count} have {value}" for value, count in counted.most_common(MOST_NAMED))
        yield f"  # {one.name} is not learned: {words}"
        return
    odd = one.odd
    for end, value in list(odd.items())[:MOST_NAMED]:
        yield f"  # {' '.join(end)} has {flow(value)}"
    if len(odd) > MOST_NAMED:
        yield f"  # and {len(odd) - MOST_NAMED} more have another value"
    agree = f"{source}: {len(one.said) - len(odd)} of {len(one.said)} agree"
    yield f"  {one.name}: {flow({'value': one.value, 'source': agree})}"


def _observations(tables: Tables, policy: Policy) -> dict[str, Said]:
    design = Designs(policy.design)
    sides: dict[str, set[tuple[str, str]]] = {"nic": set(), "switch": set()}
    for port in rows(tables["fabric_port"]):
        sides["nic" if port.side == "nic" else "switch"].add((port.target, port.port))
    both = sides["nic"] | sides["switch"]
    queues = roce_queues(tables["queue"], tables["dscp_map"], tables["traffic_class_map"], design)
    queues = {end: row for end, row in queues.items() if end in sides["switch"] and row.ecn is not None}
    guards = list(rows(tables["pfc_watchdog"], phase="baseline"))
    return {
        "roce_priority": _priorities(tables, sides["nic"], policy.design.roce_dscp),
        "lossless_priorities": dict(_of_ports(tables["pfc_port"], both, _paused)),
        "cnp_dscp": _named(tables, sides["nic"], "cnp_dscp"),
        "cnp_priority": _named(tables, sides["nic"], "cnp_priority"),
        "trust_mode": dict(_of_ports(tables["interface"], both, lambda row: row.trust_mode)),
        "pfc_mode": dict(_of_ports(tables["pfc_port"], both, lambda row: row.mode if row.mode != "off" else None)),
        "ecn_required": {end: bool(row.ecn) for end, row in queues.items()},
        "ecn_min_bytes": _kept({end: row.ecn_min_bytes for end, row in queues.items()}),
        "ecn_max_bytes": _kept({end: row.ecn_max_bytes for end, row in queues.items()}),
        "ecn_mark_percent": _kept({end: row.ecn_mark_pct for end, row in queues.items()}),
        "watchdog_required": _guarded(guards, sides["switch"]),
        "watchdog_actions": {
            (row.target, row.port): (row.action,)
            for row in guards
            if row.action is not None and (row.target, row.port) in sides["switch"]
        },
        "host_mtu_bytes": dict(_of_ports(tables["interface"], sides["nic"], lambda row: row.mtu_bytes)),
        "switch_mtu_bytes": dict(_of_ports(tables["interface"], sides["switch"], lambda row: row.mtu_bytes)),
        "roce_mtu_bytes": _kept(
            {(row.client, f"rail {row.rail}", row.server): row.mtu_bytes for row in rows(tables["pair_result"])}
        ),
        "max_read_request_bytes": _read_requests(tables),
    }


def _of_ports(
    table: "pd.DataFrame", ends: set[tuple[str, str]], value: Callable[[Any], Any]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for row in rows(table):
        if (row.target, row.port) in ends and value(row) is not None:
            yield (row.target, row.port), value(row)


def _kept(said: Said) -> Said:
    return {end: value for end, value in said.items() if value is not None}


def _paused(row: Any) -> tuple[int, ...] | None:
    said = in_force(row)
    return None if said is None else tuple(map(int, said))


def _priorities(tables: Tables, ends: set[tuple[str, str]], dscp: int) -> Said:
    return dict(_of_ports(tables["dscp_map"], ends, lambda row: row.priority if row.dscp == dscp else None))


def _named(tables: Tables, ends: set[tuple[str, str]], name: str) -> Said:
    def value(row: Any) -> int | None:
        return int(row.value) if row.name == name and str(row.value).isdecimal() else None

    return dict(_of_ports(tables["congestion_setting"], ends, value))


def _guarded(guards: list[Any], ends: set[tuple[str, str]]) -> Said:
    found: dict[tuple[str, ...], Any] = {}
    for row in guards:
        end = (row.target, row.port)
        if end in ends and row.enabled is not None:
            found[end] = found.get(end, False) or bool(row.enabled)
    return found


def _read_requests(tables: Tables) -> Said:
    functions = tree(tables["pci_device"])
    found: dict[tuple[str, ...], Any] = {}
    for end, address in nics(tables["fabric_port"], tables["rdma_port"], tables["rdma_device"]):
        row = functions.get(end[0], address)
        found[end] = None if row is None else row.max_read_request_bytes
    return _kept(found)

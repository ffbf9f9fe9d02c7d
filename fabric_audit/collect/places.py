"""Where each NIC hangs, as far as the baseline tells: what schedules that know of leaves go by."""

from collections.abc import Hashable, Iterator, Mapping, Sequence

from fabric_audit.collect.asking import Answered
from fabric_audit.collect.results import all_facts
from fabric_audit.facts.intended import intended
from fabric_audit.facts.intent import Link
from fabric_audit.facts.tables import Stamped
from fabric_audit.facts.topology import links
from fabric_audit.inventory.model import Inventory
from fabric_audit.plan.bind import HostFacts, bind_end
from fabric_audit.platforms.registry import switch_platforms

NAMED_BY = frozenset({"system", "interface", "port_alias", "neighbor", "mac_entry", "neighbor_entry"})
"""Tables that links are made of."""


def leaves(inventory: Inventory, baseline: Mapping[str, Sequence[Answered]]) -> dict[tuple[str, str], str]:
    """(host, interface) → the switch at the other end of its cable."""
    aliases = {name: platform.aliases for name, platform in switch_platforms().items()}
    facts = [*_stamped(baseline), *intended(inventory, "")]
    hosts = {host.name for host in inventory.hosts}
    found = {}
    for one in links(facts, inventory, aliases):
        if isinstance(one.fact, Link) and one.fact.role == "host":
            ends = (one.fact.a_target, one.fact.a_port), (one.fact.b_target, one.fact.b_port)
            nic, leaf = ends if ends[0][0] in hosts else ends[::-1]
            found[nic] = leaf[0]
    return found


def groups(hosts: Mapping[str, HostFacts], where: Mapping[tuple[str, str], str]) -> dict[str, Hashable]:
    """Host → the leaves of all its rails, in their order; empty names where a cable is not resolved."""
    found: dict[str, Hashable] = {}
    for name, known in hosts.items():
        rails = sorted({nic.rail for nic in known.host.compute_nics if nic.rail is not None})
        ends = (bind_end(known, rail, gpu=False) for rail in rails)
        found[name] = tuple("" if isinstance(end, str) else where.get((name, end.netdev or ""), "") for end in ends)
    return found


def _stamped(baseline: Mapping[str, Sequence[Answered]]) -> Iterator[Stamped]:
    for target, answered in baseline.items():
        for fact in all_facts(answered):
            if fact.TABLE in NAMED_BY:
                yield Stamped(target, "baseline", "", fact)

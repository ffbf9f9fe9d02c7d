"""The verdict over all tests of a kind: NICs first, then what lies above them.

A leaf is blamed where its hosts are bad with everybody, and only where it has enough of them: with two hosts a sick
leaf and a sick NIC look alike (R-Pingmesh, SIGCOMM 2024: half of all probes fail for one dead NIC below such a leaf).
A leaf's uplinks are blamed where its hosts are well among themselves and bad with other leaves, again with other
queue pairs and enough of them to use every uplink: what moves with the queue pairs is a collision of hashes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fabric_audit.analysis.sides import MOST_BAD, Blame, Observation, Role, Side, folded, sick_sides

HOSTS_OF_A_LEAF = 3
"""Hosts below a leaf that must be bad before the leaf or its uplinks are blamed."""
OTHER_LEAVES = 2
"""Leaves at the far ends that must have been tried: with one, its uplinks are as suspect."""

Way: TypeAlias = tuple[str, Role]
"""(leaf, role): what leaves it for the spines, or comes down from them"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricBlame:
    """A leaf, or all uplinks of one, that explain bad observations."""

    leaf: str
    what: Literal["leaf", "uplinks"]
    role: Literal["sends", "receives", "both"]
    """Which way over the uplinks; both ways for a leaf."""
    bad: int
    seen: int

    def explains(self, observation: Observation) -> bool:
        """Whether a test crosses it."""
        ends: list[tuple[str, Role]] = [(observation.client_leaf, "sends"), (observation.server_leaf, "receives")]
        crosses = any(leaf == self.leaf and self.role in (role, "both") for leaf, role in ends)
        return crosses and (self.what == "leaf" or observation.near is False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is to blame, and the bad observations that nobody explains alone."""

    blamed: tuple[Blame, ...]
    unexplained: tuple[Observation, ...]
    fabric: tuple[FabricBlame, ...] = ()
    moved: tuple[Observation, ...] = ()
    """Tests that were bad and, with other queue pairs, were not."""

    def blames(self, observation: Observation) -> Blame | FabricBlame | None:
        """The blame that explains an observation."""
        everyone: tuple[Blame | FabricBlame, ...] = (*self.blamed, *self.fabric)
        return next((one for one in everyone if one.explains(observation)), None)


def blame(observations: Sequence[Observation]) -> Verdict:
    """Find what explains what went wrong."""
    leaves = tuple(_leaves(observations))
    rest = [o for o in observations if not any(leaf.explains(o) for leaf in leaves)]
    nics = tuple(folded(sick_sides(rest), rest))
    rest = [o for o in rest if not any(nic.explains(o) for nic in nics)]
    uplinks = tuple(_uplinks(rest))
    unexplained = [o for o in rest if o.bad and not any(way.explains(o) for way in uplinks)]
    return Verdict(nics, tuple(unexplained), (*leaves, *uplinks))


def _leaves(observations: Iterable[Observation]) -> Iterator[FabricBlame]:
    """Leaves whose hosts are bad with everybody, near and far; in a pod of one leaf there is no other to compare."""
    below: dict[str, dict[str, list[Observation]]] = {}
    for one in observations:
        for host, leaf in ((one.client, one.client_leaf), (one.server, one.server_leaf)):
            if leaf:
                below.setdefault(leaf, {}).setdefault(host, []).append(one)
    for leaf, hosts in below.items():
        sick = [mine for mine in hosts.values() if _mostly_bad(mine)]
        if len(below) > 1 and len(sick) >= HOSTS_OF_A_LEAF and len(sick) >= MOST_BAD * len(hosts):
            tests = {id(o): o for mine in hosts.values() for o in mine}.values()
            if any(o.near for o in tests):
                yield FabricBlame(leaf=leaf, what="leaf", role="both", bad=sum(o.bad for o in tests), seen=len(tests))


def _mostly_bad(observations: Sequence[Observation]) -> bool:
    """Bad as sender and as receiver, near and far, in each as a rule."""
    return sum(o.bad for o in observations) > (1 + MOST_BAD) / 2 * len(observations)


def _uplinks(observations: Sequence[Observation]) -> Iterator[FabricBlame]:
    """Uplinks of leaves, worst first; what one explains is set aside, and a leaf bad both ways is one finding."""
    far = [o for o in observations if o.near is False]
    found: dict[Way, tuple[int, int]] = {}
    open_bad = [o for o in far if o.bad and o.firm]
    while ways := _suspects(open_bad, far):
        worst = max(ways, key=lambda way: (ways[way], way))
        mine = [o for o in far if worst in _ways(o)]
        found[worst] = sum(o.bad for o in mine), len(mine)
        far = [o for o in far if worst not in _ways(o)]
        open_bad = [o for o in open_bad if worst not in _ways(o)]
    for leaf in dict.fromkeys(leaf for leaf, _ in found):
        roles: list[Role] = [role for name, role in found if name == leaf]
        bad, seen = (sum(found[leaf, role][index] for role in roles) for index in (0, 1))
        role = "both" if len(roles) == 2 else roles[0]  # noqa: PLR2004 - both ways
        yield FabricBlame(leaf=leaf, what="uplinks", role=role, bad=bad, seen=seen)


def _suspects(open_bad: Iterable[Observation], far: Sequence[Observation]) -> dict[Way, int]:
    """Ways that many hosts to several leaves found bad, as a rule; with how many firm observations each explains."""
    by_way: dict[Way, list[Observation]] = {}
    for one in open_bad:
        for way in _ways(one):
            by_way.setdefault(way, []).append(one)
    found = {}
    for way, bad in by_way.items():
        own = {side[0] for o in bad for side, other in _split(o, way)}
        leaves = {other for o in bad for _, other in _split(o, way)}
        mine = [o for o in far if way in _ways(o)]
        as_a_rule = sum(o.bad for o in mine) >= MOST_BAD * len(mine)
        if len(own) >= HOSTS_OF_A_LEAF and len(leaves) >= OTHER_LEAVES and as_a_rule:
            found[way] = len(bad)
    return found


def _ways(one: Observation) -> tuple[Way, Way]:
    return (one.client_leaf, "sends"), (one.server_leaf, "receives")


def _split(one: Observation, way: Way) -> Iterator[tuple[Side, str]]:
    """(own side, other leaf) where a test crosses that way."""
    here, there = one.sides
    if way == (one.client_leaf, "sends"):
        yield here, one.server_leaf
    if way == (one.server_leaf, "receives"):
        yield there, one.client_leaf

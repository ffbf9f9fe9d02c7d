"""Bonds and their members from ``/proc/net/bonding``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import BondMember
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.hosts.linux.sysfs import Value
from fabric_audit.platforms.model import Answer, Files, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.text import integer, numbered, readable, some, speed_bps, torn, whole

_LINE = re.compile(r"/proc/net/bonding/(?P<bond>[^:/]+):(?P<text>.*)")
_PAIR = re.compile(r"(?P<indent>\s*)(?P<key>[A-Z][\w /()-]*?): ?(?P<value>.*)")
_MODES = {
    "load balancing (round-robin)": "balance-rr",
    "fault-tolerance (active-backup)": "active-backup",
    "load balancing (xor)": "balance-xor",
    "fault-tolerance (broadcast)": "broadcast",
    "IEEE 802.3ad Dynamic link aggregation": "802.3ad",
    "transmit load balancing": "balance-tlb",
    "adaptive load balancing": "balance-alb",
}


@dataclass(slots=True)
class _Bond:
    """What was told of one bond: of itself, and of each member from its own line on."""

    values: dict[str, Value] = field(default_factory=dict)
    members: list[dict[str, Value]] = field(default_factory=list)


@section("bonding", Files("/proc/net/bonding/*"), yields=(BondMember,), proven=Provenance.DOCUMENT)
def parse_bonding(output: Output) -> Iterator[Answer]:
    """``/proc/net/bonding``: mode, hash policy, and state of each member.

    With 802.3ad a member whose aggregator is not the bond's active one carries no traffic though its link is up: the
    switch does not see both in one channel. Other modes use every member that is up, active-backup only the one it
    names. Without bonds there is no folder. A bond of RDMA ports (RoCE LAG) is one RDMA device. Source: kernel
    ``drivers/net/bonding/bond_procfs.c``, ``Documentation/networking/bonding.rst``.
    """
    yield from some(_members(output), output, "/proc/net/bonding/BOND:KEY: VALUE")


def _members(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, "no bond", BondMember)
    bonds: dict[str, _Bond] = {}
    for number, line in numbered(whole(output.stdout)):
        found = _LINE.fullmatch(line)
        if found and not _take(bonds.setdefault(found["bond"], _Bond()), found["text"], number):
            yield Skipped(number, line, "Slave Interface: NAME of the next member")
        elif line and not found:
            yield Skipped(number, line, "/proc/net/bonding/BOND:KEY: VALUE")
    yield from torn(output.stdout)
    for name, bond in bonds.items():
        if "Bonding Mode" in bond.values and not bond.members:
            yield Missing("bond_member", Why.ABSENT, f"{name} has no members")
        for member in bond.members:
            yield from readable(partial(_member, name, bond, member))


def _take(bond: _Bond, text: str, number: int) -> bool:
    pair = _PAIR.fullmatch(text)
    if not pair:
        return True
    if pair["key"] == "Slave Interface":
        bond.members.append({})
    of = bond.members[-1] if bond.members else bond.values
    return of.setdefault(pair["key"], Value(pair["value"].strip(), number)).line == number


def _member(name: str, bond: _Bond, member: dict[str, Value]) -> BondMember:
    port, status, mode = member["Slave Interface"], member.get("MII Status"), bond.values.get("Bonding Mode")
    if mode is None or status is None or status.text not in ("up", "down", "going down", "going back"):
        raise ParseError(port.line, port.text, "a member of a bond with Bonding Mode and MII Status")
    known = _MODES.get(re.sub(r" \(fail_over_mac \w+\)$", "", mode.text))
    if known is None:
        raise ParseError(mode.line, mode.text, f"one of {', '.join(_MODES)}")
    policy, speed, failures = (
        bond.values.get("Transmit Hash Policy"),
        member.get("Speed"),
        member.get("Link Failure Count"),
    )
    aggregator = member.get("Aggregator ID")
    return BondMember(
        line=port.line,
        bond=name,
        port=port.text,
        mode=known,
        hash_policy=policy.text.split(" ")[0] if policy else None,
        up=status.text == "up",
        speed_bps=_speed(speed),
        link_failures=integer(failures.text, failures.line) if failures else None,
        aggregator=_aggregator(aggregator),
        active=_active(bond, known, port.text, status.text == "up", aggregator),
    )


def _speed(value: Value | None) -> int | None:
    return speed_bps(value.text.replace(" Mbps", "Mbps"), value.line) if value else None


def _aggregator(value: Value | None) -> int | None:
    return integer(value.text, value.line) if value and value.text != "N/A" else None


def _active(bond: _Bond, mode: str, port: str, up: bool, aggregator: Value | None) -> bool | None:
    if mode == "802.3ad":
        chosen = bond.values.get("Aggregator ID")
        return up and chosen.text == aggregator.text if chosen and aggregator else None
    if mode == "active-backup":
        current = bond.values.get("Currently Active Slave")
        return current.text == port if current else None
    return up

"""What makes two captures less alike than a change of the fabric would: targets, policy, versions, load."""

from collections.abc import Iterator

from fabric_audit.findings import Audit, Difference
from fabric_audit.inventory.nodes import fold
from fabric_audit.policy.model import Policy
from fabric_audit.policy.show import policy_show

ABSENT = "not there"


def circumstances(before: Audit, after: Audit, policies: tuple[Policy, Policy] | None) -> Iterator[Difference]:
    """Everything that a reader must know before he believes the rest."""
    pairs = {
        "fabric": (before.fabric, after.fabric),
        "origin of the evidence": (before.origin, after.origin),
        "version of fabric-audit that collected": (before.custody.collected_with, after.custody.collected_with),
        "traffic": (before.custody.traffic, after.custody.traffic),
        "overridden safeguards": ("; ".join(before.overrides), "; ".join(after.overrides)),
        "damaged files": ("; ".join(before.custody.damaged), "; ".join(after.custody.damaged)),
    }
    for what, (was, now) in pairs.items():
        if was != now:
            yield Difference(what=what, before=was or "none", after=now or "none")
    yield from _targets(before, after)
    if policies is not None:
        yield from _policies(*policies)


def _targets(before: Audit, after: Audit) -> Iterator[Difference]:
    for kind in ("host", "switch"):
        was, now = _named(before, kind), _named(after, kind)
        for what, one, names in (("removed", "in the inventory", was - now), ("added", ABSENT, now - was)):
            if names:
                other = ABSENT if what == "removed" else "in the inventory"
                yield Difference(what=f"{kind} {fold(names)} {what}", before=one, after=other)


def _named(audit: Audit, kind: str) -> set[str]:
    target = audit.tables["target"]
    return {str(name) for name in target[target["kind"] == kind]["target"]}


def _policies(before: Policy, after: Policy) -> Iterator[Difference]:
    was, now = ({row.name: row.value for row in policy_show(policy)} for policy in (before, after))
    was["name"], now["name"] = before.name, after.name
    for name in sorted(was.keys() | now.keys()):
        if was.get(name) != now.get(name):
            yield Difference(what=f"policy: {name}", before=was.get(name, ABSENT), after=now.get(name, ABSENT))

"""Options and steps that several verbs share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fabric_audit.cli import ExitCode, nearest
from fabric_audit.errors import UsageError
from fabric_audit.findings import Audit, Severity, Verdict

if TYPE_CHECKING:
    from fabric_audit.capture.reader import Capture
    from fabric_audit.checks.model import Check
    from fabric_audit.inventory.model import Inventory
    from fabric_audit.policy.model import Policy

F = TypeVar("F", bound=Callable[..., Any])


def judging(function: F) -> F:
    """Options of verbs that check."""
    for option in reversed(
        (
            click.option("--policy", metavar="NAME|FILE", help="Policy; default: the inventory's."),
            click.option("--select", metavar="CHECK", multiple=True, help="Only these families or checks."),
            click.option("--ignore", metavar="CHECK", multiple=True, help="Not these families or checks."),
        )
    ):
        function = option(function)
    return function


def failing_from(function: F) -> F:
    """The option that says from which severity on a finding fails the whole."""
    severities = click.Choice([str(s) for s in Severity])
    option = click.option("--fail-on", type=severities, default="major", show_default=True, help="Exit 1 from here on.")
    return option(function)


def reporting(function: F) -> F:
    """Options of verbs that report."""
    for option in reversed(
        (
            click.option(
                *("--format", "formats"),
                default="html,json",
                show_default=True,
                callback=known_formats,
                help="Report formats.",
            ),
            failing_from,
            click.option(
                "--output", metavar="DIR", help="Run folder; default: a new one in reports/, or the capture's own."
            ),
            click.option("-q", "--quiet", is_flag=True, help="Say only the verdict and the report's path."),
        )
    ):
        function = option(function)
    return function


def known_formats(_context: click.Context, _parameter: click.Parameter, formats: str) -> str:
    """Refuse a format that does not exist before anything is collected, not after."""
    from fabric_audit.report import RENDERERS

    for name in (word.strip() for word in formats.split(",")):
        if name and name not in RENDERERS:
            words = f"no report format is called {name!r}{nearest(name, RENDERERS)}"
            raise UsageError(f"{words}; there are {', '.join(RENDERERS)}")
    return formats


def collecting(function: F) -> F:
    """Options of verbs that reach devices; each is a field of ``Wishes``."""
    for option in reversed(
        (
            click.option("--traffic", metavar="MODE", help="Schedule, such as adaptive; default: the inventory's."),
            click.option(
                "--observe", "observe_s", metavar="SECONDS", type=float, default=0.0, help="Read counters twice."
            ),
            click.option("--limit", metavar="NODESET", help="Only these targets."),
            click.option(
                "--jobs", type=click.IntRange(1, 1024), default=32, show_default=True, help="Targets at once."
            ),
            click.option("--yes", is_flag=True, help="Accept the plan without being asked; overrides no safeguard."),
            click.option("--accept-new-host-keys", is_flag=True, help="Record unknown host keys; changed: refused."),
        )
    ):
        function = option(function)
    return function


def loaded_inventory(path: str) -> "Inventory":
    """Read an inventory.

    Raises:
        InventoryError: with all its faults.
    """
    from fabric_audit.inventory.load import load_inventory
    from fabric_audit.platforms.registry import switch_platforms
    from fabric_audit.policy.layers import shipped_policies

    if not Path(path).exists():
        raise UsageError(f"{path}: no such inventory; name a YAML file, such as inventories/demo.yaml")
    return load_inventory(Path(path), platforms=tuple(switch_platforms()), policies=shipped_policies())


def loaded_policy(name: str | None, inventory: "Inventory") -> "Policy":
    """Read the policy an option or else the inventory names.

    Raises:
        PolicyError: with all its faults.
    """
    return policy_named(name) if name else policy_named(inventory.policy, base=inventory.source.parent)


def policy_named(name: str, *, base: Path = Path()) -> "Policy":
    """Read a policy that a person named; checks in it must exist.

    Raises:
        PolicyError: with all its faults.
    """
    from fabric_audit.checks.model import all_checks
    from fabric_audit.policy.load import load_policy

    return load_policy(name, base=base, checks=tuple(check.id for check in all_checks()))


def chosen_checks(select: Sequence[str], ignore: Sequence[str]) -> tuple["Check", ...]:
    """The checks that options leave.

    Raises:
        UsageError: a word names neither a check nor a family.
    """
    from fabric_audit.checks.model import all_checks

    checks = all_checks()
    known = {check.id for check in checks} | {check.family for check in checks}
    for word in (*select, *ignore):
        if word not in known:
            raise UsageError(f"no check or family is called {word!r}{nearest(word, sorted(known))}; see: checks")

    def named(check: "Check", words: Sequence[str]) -> bool:
        return check.id in words or check.family in words

    return tuple(c for c in checks if (not select or named(c, select)) and not named(c, ignore))


def audited(capture: "Capture", policy_name: str | None, checks: Sequence["Check"]) -> Audit:
    """Judge a capture by its own inventory and, unless another is named, its own policy."""
    from fabric_audit.audit import audit_capture
    from fabric_audit.inventory.load import load_inventory
    from fabric_audit.platforms.registry import switch_platforms
    from fabric_audit.policy.load import load_policy

    inventory = load_inventory(capture.folder / "inventory.yaml", platforms=tuple(switch_platforms()))
    as_used = str(capture.folder / "policy.yaml")
    policy = policy_named(policy_name) if policy_name else load_policy(as_used)
    return audit_capture(capture, inventory, policy, checks)


def exit_code(audit: Audit, fail_on: str) -> ExitCode:
    """What the audit means to a script."""
    if audit.failing(Severity(fail_on)):
        return ExitCode.FINDINGS
    judged = any(result.verdict not in (Verdict.OUT_OF_SCOPE, Verdict.SKIPPED) for result in audit.results)
    return ExitCode.CLEAN if judged and not audit.incomplete else ExitCode.INCOMPLETE

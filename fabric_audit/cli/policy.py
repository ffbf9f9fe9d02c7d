"""``fabric-audit policy``: what ought to be."""

from pathlib import Path

import click


@click.group()
def command() -> None:
    """Look at policies: the shipped ones, every effective value of one with its origin, and what a good pod has."""


@command.command("list")
def list_policies() -> int:
    """List the shipped policies."""
    from fabric_audit.policy.layers import shipped_policies
    from fabric_audit.policy.load import load_policy

    for name in shipped_policies():
        click.echo(f"{name:28} {load_policy(name, base=Path()).title}")
    return 0


@command.command("show")
@click.argument("name")
def show(name: str) -> int:
    """Print every effective value of a policy: what it is, where it was written, what that rests on."""
    from fabric_audit.policy.load import load_policy
    from fabric_audit.policy.show import policy_show

    for row in policy_show(load_policy(name, base=Path())):
        click.echo(f"{row.name:40} {row.value:24} {row.source}  ({row.origin})")
    return 0


@command.command("learn")
@click.argument("capture", metavar="CAPTURE")
def learn(capture: str) -> int:
    """Print what a known-good pod has, as a policy to review.

    CAPTURE is a run folder or the capture in it. A value is what most ports have, with how many agree; the others are
    comments, and a value on which ports are divided is not learned. The policy extends the one of the capture.
    """
    from fabric_audit.api.judging import audit_capture
    from fabric_audit.audit.learned import as_policy, learned
    from fabric_audit.capture.reader import Capture
    from fabric_audit.policy.load import load_policy

    opened = Capture.open(Path(capture))
    audit = audit_capture(opened, select=("evidence.delivered",))
    known = load_policy(str(opened.folder / "policy.yaml"))
    click.echo(as_policy(audit, learned(audit.tables, known), opened.manifest.run), nl=False)
    return 0

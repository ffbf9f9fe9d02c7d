"""Steps of verbs that reach devices: plan, consent, collection."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric_audit.errors import UsageError

if TYPE_CHECKING:
    from fabric_audit.plan.model import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the user asked of a collection, beyond the inventory."""

    traffic: str | None = None
    observe_s: float = 0.0
    limit: str | None = None
    jobs: int = 32
    yes: bool = False
    accept_new_host_keys: bool = False
    output: str | None = None
    quiet: bool = False


def can_consent(wishes: Wishes) -> None:
    """Make sure, before anything is begun, that there is a way to ask.

    Raises:
        UsageError: there is no terminal to ask on and no ``--yes``.
    """
    if not (wishes.yes or sys.stdin.isatty()):
        raise UsageError("no terminal to ask on; look at `fabric-audit plan`, then run with --yes")


def consent(plan: "Plan", wishes: Wishes) -> None:
    """Ask before any device is touched.

    Raises:
        click.Abort: the user said no.
    """
    if wishes.yes:
        return
    from fabric_audit.cli._plan_words import described

    click.echo(described(plan))
    click.confirm("Go?", abort=True)


def collected(path: str, policy: str | None, select: tuple[str, ...], ignore: tuple[str, ...], wishes: Wishes) -> Path:
    """Load, plan, ask for consent, collect; returns the run folder."""
    from fabric_audit.api.planning import build_plan, load_inventory
    from fabric_audit.api.running import run_folder, run_plan
    from fabric_audit.cli._live import progress

    inventory = load_inventory(path)
    plan = build_plan(
        inventory,
        policy=policy,
        select=select,
        ignore=ignore,
        traffic=wishes.traffic,
        observe_s=wishes.observe_s,
        limit=wishes.limit,
    )
    can_consent(wishes)
    consent(plan, wishes)
    folder = Path(wishes.output) if wishes.output else run_folder(plan.inventory.fabric)
    with progress(plan, quiet=wishes.quiet) as told:
        run_plan(plan, folder, jobs=wishes.jobs, accept_new_host_keys=wishes.accept_new_host_keys, progress=told)
    return folder

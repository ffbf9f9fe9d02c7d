"""Steps of verbs that reach devices: plan, consent, collection."""

import sys
from dataclasses import dataclass, replace
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
    guard: str | None = None
    allow_busy: str | None = None
    reason: str | None = None
    max_time: float | None = None
    max_bytes: int | None = None
    resume: str | None = None
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
    from fabric_audit.cli._safeguards import begun, guarded, limits

    inventory = load_inventory(path)
    earlier = begun(wishes)
    if earlier:
        sent = earlier.capture.manifest.traffic
        policy = str(earlier.capture.folder / "policy.yaml")
        wishes = replace(wishes, traffic=sent["mode"], observe_s=float(sent.get("observe_s", 0.0)))
    plan = build_plan(
        inventory,
        policy=policy,
        select=select,
        ignore=ignore,
        traffic=wishes.traffic,
        observe_s=wishes.observe_s,
        limit=wishes.limit,
    )
    allowed = limits(wishes, plan.inventory)
    if earlier:
        earlier.must_fit(plan.inventory)
    can_consent(wishes)
    consent(plan, wishes)
    guarded(wishes, plan)
    folder = Path(wishes.output) if wishes.output else run_folder(plan.inventory.fabric)
    where = earlier.capture.folder.parent if earlier else folder
    keys = wishes.accept_new_host_keys
    with progress(plan, quiet=wishes.quiet) as told:
        run_plan(
            plan, where, jobs=wishes.jobs, accept_new_host_keys=keys, progress=told, limits=allowed, earlier=earlier
        )
    return where

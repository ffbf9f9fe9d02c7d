"""Steps of verbs that reach devices: plan, consent, transports, collection."""

import getpass
import secrets
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric_audit import __version__
from fabric_audit.errors import UsageError

if TYPE_CHECKING:
    from fabric_audit.checks.model import Check
    from fabric_audit.collect.sessions import Sessions
    from fabric_audit.inventory.model import Inventory
    from fabric_audit.plan.model import Plan
    from fabric_audit.policy.model import Policy


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


def planned(inventory: "Inventory", policy: "Policy", needs: frozenset[str], wishes: Wishes) -> "Plan":
    """The plan; it opens no connection."""
    from fabric_audit.inventory.model import Traffic
    from fabric_audit.plan.budget import traffic_plan
    from fabric_audit.plan.commands import build

    wanted = inventory.traffic.over(policy.traffic)
    if wishes.traffic is not None:
        wanted = Traffic(mode=wishes.traffic).over(wanted)
    plan = build(inventory, needs)
    load = traffic_plan(inventory, wanted, policy.design.pod_bandwidth_floor)
    return replace(plan, traffic=load, observe_s=wishes.observe_s)


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


def collected(path: str, policy_name: str | None, checks: Sequence["Check"], wishes: Wishes) -> Path:
    """Load, plan, ask for consent, collect; returns the run folder."""
    from fabric_audit.checks.model import needs_of
    from fabric_audit.cli._options import loaded_inventory, loaded_policy
    from fabric_audit.cli._pod import standing_in
    from fabric_audit.policy.dump import dump_policy

    inventory = loaded_inventory(path)
    policy = loaded_policy(policy_name, inventory)
    can_consent(wishes)
    with standing_in(inventory) as (reachable, origin):
        limited = reachable.limited_to(wishes.limit) if wishes.limit else reachable
        plan = planned(limited, policy, needs_of(tuple(checks)), wishes)
        consent(plan, wishes)
        folder = run_folder(inventory.fabric, wishes)
        collect(plan, dump_policy(policy), folder, wishes, origin=origin)
    return folder


def run_folder(fabric: str, wishes: Wishes) -> Path:
    """Where this run's results go."""
    if wishes.output:
        return Path(wishes.output)
    from fabric_audit.capture.writer import file_name

    return Path("reports") / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{file_name(fabric)}"


def collect(plan: "Plan", policy_text: str, folder: Path, wishes: Wishes, *, origin: str) -> None:
    """Carry a plan out; the capture is readable at every moment, sealed at the end."""
    from fabric_audit.capture.model import Manifest
    from fabric_audit.capture.writer import CaptureWriter
    from fabric_audit.cli._live import progress
    from fabric_audit.collect.asking import Asker
    from fabric_audit.collect.run import Collector
    from fabric_audit.inventory.dump import dump_inventory
    from fabric_audit.plan.rounds import Conduct
    from fabric_audit.plan.script import preamble
    from fabric_audit.transport.limits import make_room

    make_room(len(plan.targets))
    run = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
    manifest = Manifest(
        run=run,
        tool_version=__version__,
        fabric=plan.inventory.fabric,
        origin=origin,
        started=datetime.now(UTC).isoformat(),
        account=getpass.getuser(),
        traffic={"mode": plan.traffic.mode if plan.traffic else "none", "observe_s": plan.observe_s},
        preamble=preamble(traffic=True),
    )
    writer = CaptureWriter(folder / "capture", manifest, inventory=dump_inventory(plan.inventory), policy=policy_text)
    pairs = max(1, len(plan.traffic.hosts) // 2 if plan.traffic else 1)
    with (
        progress(plan, quiet=wishes.quiet) as told,
        open_sessions(wishes) as sessions,
        ThreadPoolExecutor(wishes.jobs, thread_name_prefix="ask") as executor,
        ThreadPoolExecutor(pairs, thread_name_prefix="pair") as pair_executor,
    ):
        counters = tuple(s for t in plan.targets if t.kind == "host" for q in t.counters[:1] for s in q.sections)
        collector = Collector(
            plan=plan,
            asker=Asker(run=run, sessions=sessions, writer=writer),
            conduct=Conduct(run=run, counters=tuple(dict.fromkeys(counters))),
            executor=executor,
            pair_executor=pair_executor,
            progress=told,
        )
        try:
            collector.collect()
        except BaseException:
            with _undisturbed():
                collector.stop()
                writer.close()
            raise
    writer.seal(datetime.now(UTC).isoformat())


@contextmanager
def open_sessions(wishes: Wishes) -> Iterator["Sessions"]:
    """Transports to hosts and switches with the user's keys and known hosts; all logins end with the block."""
    from fabric_audit.collect.sessions import Sessions
    from fabric_audit.platforms.registry import switch_platforms
    from fabric_audit.transport.dialler import Dialler
    from fabric_audit.transport.endpoints import UserConfig
    from fabric_audit.transport.host_ssh import HostSsh
    from fabric_audit.transport.hostkeys import KnownHosts
    from fabric_audit.transport.secrets import Secrets
    from fabric_audit.transport.switch_cli import SwitchCli

    dialler = Dialler(KnownHosts(accept_new=wishes.accept_new_host_keys), Secrets())
    config = UserConfig()
    sessions = Sessions(HostSsh(dialler, config), SwitchCli(dialler, config, switch_platforms()))
    try:
        yield sessions
    finally:
        sessions.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold further interrupts back while hosts are cleaned up; the clean-up has deadlines of its own."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""Carries a plan out: transports, the capture, and what happens when it is interrupted."""

import getpass
import secrets
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from fabric_audit import __version__
from fabric_audit.api.planning import policy_of
from fabric_audit.api.pod import standing_in
from fabric_audit.capture.model import Manifest
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.writer import CaptureWriter, file_name
from fabric_audit.collect.asking import Asker
from fabric_audit.collect.progress import Progress, Silent
from fabric_audit.collect.resume import Earlier
from fabric_audit.collect.run import Collector
from fabric_audit.collect.safety import Limits
from fabric_audit.collect.sessions import Sessions
from fabric_audit.collect.traffic import QUEUE_PAIRS
from fabric_audit.inventory.dump import dump_inventory
from fabric_audit.inventory.model import Inventory
from fabric_audit.inventory.nodes import fold
from fabric_audit.plan.model import Plan
from fabric_audit.plan.rounds import Conduct
from fabric_audit.plan.script import preamble
from fabric_audit.platforms.registry import all_sections, switch_platforms
from fabric_audit.policy.dump import dump_policy
from fabric_audit.transport.dialler import Dialler
from fabric_audit.transport.endpoints import UserConfig
from fabric_audit.transport.host_ssh import HostSsh
from fabric_audit.transport.hostkeys import KnownHosts
from fabric_audit.transport.limits import make_room
from fabric_audit.transport.secrets import Secrets, environment_without
from fabric_audit.transport.switch_cli import SwitchCli


def run_plan(
    plan: Plan,
    folder: str | Path | None = None,
    *,
    jobs: int = 32,
    accept_new_host_keys: bool = False,
    progress: Progress | None = None,
    limits: Limits | None = None,
    earlier: Earlier | None = None,
) -> Capture:
    """Log in everywhere, ask, send traffic, and keep everything in a capture. Nobody is asked for consent.

    Args:
        plan: from :func:`build_plan`.
        folder: the run folder, whose ``capture/`` must not exist yet; default: ``reports/<UTC>-<fabric>``.
        jobs: targets that are asked at once.
        accept_new_host_keys: record unknown host keys; changed ones are refused always.
        progress: told of phases, rounds and failures, from several threads.
        limits: what may be loaded although others use it, and how much may be sent.
        earlier: an interrupted run to complete; ``folder`` is where it lies.

    Returns:
        The capture, sealed. A target that failed is part of it, with its cause.

    Raises:
        CaptureError: the folder holds a capture already, or the disk refuses; what was written stays readable.
        UsageError: a simulated pod is asked for and its extra is not installed.
    """
    where = Path(folder) if folder else run_folder(plan.inventory.fabric)
    with standing_in(plan.inventory) as (reachable, origin):
        names = fold(target.target for target in plan.targets)
        there = replace(plan, inventory=reachable.limited_to(names))
        writer = CaptureWriter.resume(where / "capture") if earlier else _writer(there, where / "capture", origin)
        running = partial(
            Collector,
            plan=there,
            progress=progress or Silent(),
            limits=_limits(there, limits or Limits()),
            earlier=earlier,
        )
        _carried_out(running, writer, there, jobs=jobs, accept_new_host_keys=accept_new_host_keys)
    return Capture.open(where)


def run_folder(fabric: str) -> Path:
    """Where the results of a run that begins now go."""
    return Path("reports") / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{file_name(fabric)}"


def _limits(plan: Plan, wanted: Limits) -> Limits:
    """With the queues that the policy wants lossless."""
    design = policy_of(plan.policy, plan.inventory).design
    return replace(wanted, lossless=frozenset(design.lossless_priorities))


def _carried_out(
    running: Callable[..., Collector], writer: CaptureWriter, plan: Plan, *, jobs: int, accept_new_host_keys: bool
) -> None:
    """The capture is readable at every moment, sealed at the end."""
    make_room(len(plan.targets))
    pairs = max(1, len(plan.traffic.hosts) // 2 if plan.traffic else 1)
    with (
        open_sessions(plan.inventory, accept_new_host_keys=accept_new_host_keys) as sessions,
        ThreadPoolExecutor(jobs, thread_name_prefix="ask") as executor,
        ThreadPoolExecutor(pairs, thread_name_prefix="pair") as pair_executor,
    ):
        run = writer.manifest.run
        counters = tuple(s for t in plan.targets if t.kind == "host" for q in t.counters[:1] for s in q.sections)
        collector = running(
            asker=Asker(run=run, sessions=sessions, writer=writer),
            conduct=Conduct(run=run, counters=tuple(dict.fromkeys((*counters, all_sections()[QUEUE_PAIRS])))),
            executor=executor,
            pair_executor=pair_executor,
        )
        try:
            collector.collect()
        except BaseException:
            with _undisturbed():
                collector.stop()
                writer.close()
            raise
    writer.seal(datetime.now(UTC).isoformat())


def _writer(plan: Plan, folder: Path, origin: str) -> CaptureWriter:
    started = datetime.now(UTC)
    manifest = Manifest(
        run=f"{started:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        tool_version=__version__,
        fabric=plan.inventory.fabric,
        origin=origin,
        started=started.isoformat(),
        account=getpass.getuser(),
        traffic={"mode": plan.traffic.mode if plan.traffic else "none", "observe_s": plan.observe_s},
        preamble=preamble(traffic=True),
    )
    policy = dump_policy(policy_of(plan.policy, plan.inventory))
    return CaptureWriter(folder, manifest, inventory=dump_inventory(plan.inventory), policy=policy)


@contextmanager
def open_sessions(inventory: Inventory, *, accept_new_host_keys: bool) -> Iterator[Sessions]:
    """Transports to hosts and switches with the user's keys and known hosts; all logins end with the block."""
    environment = environment_without(target.login.password for target in inventory.targets)
    dialler = Dialler(KnownHosts(accept_new=accept_new_host_keys), Secrets(), environment=environment)
    config = UserConfig(environment=environment)
    sessions = Sessions(HostSsh(dialler, config), SwitchCli(dialler, config, switch_platforms()))
    try:
        yield sessions
    finally:
        sessions.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold further interrupts back while hosts are cleaned up; the clean-up has deadlines of its own."""
    if threading.current_thread() is not threading.main_thread():  # interrupts reach the main thread alone
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""A whole collection against a simulated pod in this process: no sockets, no waiting, real plans and captures."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from fabric_audit.audit import audit_capture
from fabric_audit.capture.model import Manifest
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.writer import CaptureWriter
from fabric_audit.checks.model import all_checks, needs_of
from fabric_audit.collect.asking import Asker
from fabric_audit.collect.progress import Silent
from fabric_audit.collect.run import Collector
from fabric_audit.collect.safety import Limits
from fabric_audit.collect.sessions import Sessions
from fabric_audit.collect.traffic import QUEUE_PAIRS
from fabric_audit.findings import Audit
from fabric_audit.inventory.dump import dump_inventory
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Inventory, Traffic
from fabric_audit.plan.budget import traffic_plan
from fabric_audit.plan.commands import build
from fabric_audit.plan.rounds import Conduct
from fabric_audit.platforms.registry import all_sections, switch_platforms
from fabric_audit.policy.dump import dump_policy
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Policy
from fabric_audit.simulator.cabling import USUAL
from fabric_audit.simulator.inventory import planned_text
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.transport import Transport
from fabric_audit.transport.in_process import InProcess

RUN = "20261130T120000Z-abcdef"
STARTED = "2026-11-30T12:00:00+00:00"
SMOKE = Traffic(mode="smoke", tools=("ib_write_bw",), memory=("host", "gpu"), duration_s=5.0)
NO_TRAFFIC = Traffic(mode="none")


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A collector on a pod, ready to run, and the capture it writes."""

    inventory: Inventory
    policy: Policy
    collector: Collector
    writer: CaptureWriter

    def collect(self) -> Capture:
        self.collector.collect()
        self.writer.seal(STARTED)
        return Capture.open(self.writer.folder)


def inventory_of(pod: str, folder: Path, platforms: Mapping[str, str] = USUAL) -> Inventory:
    """The ordinary inventory of a pod."""
    path = folder / "pod.yaml"
    path.write_text(planned_text(pod, platforms), "utf-8")
    return load_inventory(path, platforms=tuple(switch_platforms()))


@contextmanager
def bench(
    folder: Path,
    pod: SimulatedPod,
    inventory: Inventory,
    traffic: Traffic = SMOKE,
    *,
    around: Callable[[Transport], Transport] = lambda transport: transport,
    observe_s: float = 0.0,
    **parts: Any,
) -> Iterator[Bench]:
    """A collector; ``around`` may put something between it and the pod, ``parts`` are other parts of its own."""
    policy = load_policy("roce-lossless")
    wanted = traffic.over(inventory.traffic.over(policy.traffic))
    plan = build(inventory, needs_of(all_checks()))
    load = traffic_plan(inventory, wanted, policy.design.pod_bandwidth_floor)
    plan = replace(plan, traffic=load, observe_s=observe_s)
    mode = plan.traffic.mode if plan.traffic else "none"
    manifest = Manifest(
        run=RUN,
        tool_version="0",
        fabric=inventory.fabric,
        origin="simulated",
        started=STARTED,
        traffic={"mode": mode, "observe_s": observe_s},
    )
    text = dump_inventory(inventory)
    begun = folder / "capture"
    if parts.get("earlier"):
        writer = CaptureWriter.resume(begun)
    else:
        writer = CaptureWriter(begun, manifest, inventory=text, policy=dump_policy(policy))
    began, now, ticks = datetime.fromisoformat(STARTED), pod.clock.now, count()
    transport = InProcess(pod, now)
    ways = around(transport)
    counters = {s: None for t in plan.targets if t.kind == "host" for q in t.counters[:1] for s in q.sections}
    with ThreadPoolExecutor(8) as asking, ThreadPoolExecutor(64) as pairing:
        collector = Collector(
            plan=plan,
            asker=Asker(
                run=RUN,
                sessions=Sessions(ways, ways),
                writer=writer,
                clock=lambda: began + timedelta(seconds=now(), milliseconds=next(ticks)),
            ),
            conduct=Conduct(run=RUN, counters=(*counters, all_sections()[QUEUE_PAIRS])),
            executor=asking,
            pair_executor=pairing,
            progress=parts.get("progress", Silent()),
            limits=parts.get("limits", Limits()),
            earlier=parts.get("earlier"),
            sleep=parts.get("sleep", lambda _seconds: None),
        )
        yield Bench(inventory=inventory, policy=policy, collector=collector, writer=writer)
    transport.close()


def collected(
    folder: Path,
    pod: str = "clos-4x2",
    *faults: str,
    traffic: Traffic = SMOKE,
    platforms: Mapping[str, str] = USUAL,
    **more: Any,
) -> Capture:
    """The capture of a pod with faults; ``platforms`` says what its switches run."""
    made = SimulatedPod(pod, faults=faults, scale=0.0, platforms=platforms)
    with bench(folder, made, inventory_of(pod, folder, platforms), traffic, **more) as ready:
        return ready.collect()


def audited(capture: Capture, **changes: Any) -> Audit:
    """The audit of a capture by its own inventory and policy; ``changes`` are of the policy."""
    inventory = load_inventory(capture.folder / "inventory.yaml", platforms=tuple(switch_platforms()))
    policy = replace(load_policy(str(capture.folder / "policy.yaml")), **changes)
    return audit_capture(capture, inventory, policy, all_checks())


def verdicts(audit: Audit) -> Mapping[str, str]:
    """Check → verdict."""
    return {result.check: str(result.verdict) for result in audit.results}


def roots(audit: Audit) -> set[tuple[str, str]]:
    """(check, subject) of every failing finding that no other explains."""
    failing = (f for f in audit.findings if f.verdict == "FAIL" and not f.explained_by)
    return {(f.check, "/".join(f.subject)) for f in failing}

"""How many waves it takes to name what is slow, and how often the right thing is named.

    python -m benchmarks.blame [--seeds 100] [--hosts 32 128 512 1024] [--faults 0 1 2 3 4] [--ways adaptive two-pass]

Pods are modelled (tests/plan/modelled_pod.py): leaves of 16 hosts, an uplink to each of 16 spines, flows placed by hash
with 4 queue pairs a test, so that they collide in every wave, and 1 % noise. One to four faults a pod: NICs that send,
receive or do both slowly, a leaf's uplinks. Three ways to find them, on the same pods:

- adaptive: ``--traffic adaptive``, judged as a report judges it;
- tournament + threshold: every pair once, then every NIC whose mean lies below 93 % of the pod's median of means;
- two-pass: one random matching, then every host of a slow pair with a host of a fast one (GoogleCloudPlatform/
  cluster-health-scanner); slow again is guilty.

Right means: exactly the planted components, nothing else. A way that cannot name uplinks can still be right where none
were planted.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import product
from statistics import mean, median

from fabric_audit.analysis.slowness import judged
from fabric_audit.facts.performance import PairResult
from fabric_audit.plan.adaptive import adaptive
from fabric_audit.plan.schedule import Wave, circle, shuffled
from tests.plan.modelled_pod import LINE_BPS, Fault, ModelledPod

KIND = ("ib_write_bw", "host")
SHARE = 0.93
Named = set[tuple[str, str]]


def by_adaptive(pod: ModelledPod) -> Named:
    field = pod.known()
    verdict = judged(pod.all_results(adaptive(field, pod.qps)), field.leaves, field.share)[KIND].verdict
    return {("nic", one.host) for one in verdict.blamed} | {(one.what, one.leaf) for one in verdict.fabric}


def by_tournament(pod: ModelledPod) -> Named:
    rates: dict[tuple[str, str], list[float]] = defaultdict(list)
    for pairs in circle(pod.names):
        for row in pod.sent(Wave(pairs)):
            rates[row.client, "sends"].append(row.bandwidth_bps or 0.0)
            rates[row.server, "receives"].append(row.bandwidth_bps or 0.0)
    means = {side: mean(values) for side, values in rates.items()}
    middle = median(means.values())
    return {("nic", host) for (host, _), value in means.items() if value < SHARE * middle}


def by_two_passes(pod: ModelledPod) -> Named:
    def slow(rows: Sequence[PairResult]) -> set[str]:
        return {
            end for row in rows if (row.bandwidth_bps or 0.0) < SHARE * LINE_BPS for end in (row.client, row.server)
        }

    first = next(shuffled(pod.names, pod.dice))
    suspects = slow(pod.sent(Wave(first)))
    good = [host for host in pod.names if host not in suspects]
    guilty: set[str] = set()
    waiting = sorted(suspects)
    while waiting and good:
        now, waiting = waiting[: len(good)], waiting[len(good) :]
        guilty |= slow(pod.sent(Wave(tuple(zip(now, good, strict=False))))) - set(good)
    return {("nic", host) for host in guilty}


def planted(hosts: int, faults: int, dice: random.Random) -> list[Fault]:
    """Different NICs, and at most one set of uplinks, of the leaves that have more than three to compare with."""
    names = dice.sample(range(hosts), faults)
    found = [
        Fault("nic", f"gpu{n:04d}", dice.choice(["sends", "receives", "both"]), round(dice.uniform(0.4, 0.8), 2))
        for n in names
    ]
    if hosts >= 128 and dice.random() < 0.25:
        found[-1] = Fault("uplinks", f"leaf{names[-1] // 16:02d}", "both", 0.5)
    return found


WAYS: dict[str, Callable[[ModelledPod], Named]] = {
    "adaptive": by_adaptive,
    "tournament": by_tournament,
    "two-pass": by_two_passes,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--hosts", type=int, nargs="+", default=[32, 128, 512, 1024])
    parser.add_argument("--faults", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--ways", choices=list(WAYS), nargs="+", default=list(WAYS))
    wanted = parser.parse_args()
    print("| hosts | faults | way | pods | waves, median (most) | tests, median | right | CPU seconds a pod |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for hosts, faults, way in product(wanted.hosts, wanted.faults, wanted.ways):
        row(hosts, faults, way, range(wanted.seeds))


def row(hosts: int, faults: int, way: str, seeds: range) -> None:
    waves, tests, right = [], [], 0
    began = time.process_time()
    for seed in seeds:
        dice = random.Random(f"{hosts} {faults} {seed}")
        pod = ModelledPod(hosts, faults=planted(hosts, faults, dice) if faults else [], seed=seed)
        named = WAYS[way](pod)
        right += named == {(fault.kind, fault.place) for fault in pod.faults}
        waves.append(pod.waves)
        tests.append(pod.tests)
    took = (time.process_time() - began) / len(seeds)
    cells = (hosts, faults, way, len(seeds), f"{median(waves):g} ({max(waves)})", f"{median(tests):g}")
    print("|", " | ".join(map(str, (*cells, f"{right / len(seeds):.3f}", f"{took:.2f}"))), "|", flush=True)


if __name__ == "__main__":
    main()

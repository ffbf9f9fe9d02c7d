"""How long it takes to pair hosts, how even the roles are, and what it holds in memory.

    python -m benchmarks.schedule

A tournament of N hosts has N - 1 rounds of N / 2 pairs, made one round at a time. Beside it stands the same order as
microsoft/superbenchmark makes it (superbench/common/utils/gen_traffic_pattern_config.py: all rounds in lists, the
first half of the circle against the second), written anew from its description: its own figure for 1024 hosts was
213 ms on two cores. Times are CPU seconds, the best of three: other work on the machine does not move them.
"""

import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from fabric_audit.plan.schedule import Matching, circle

REPEATS = 3


def in_lists(hosts: Sequence[str]) -> list[Matching]:
    """One host stands, the others turn by one; all rounds are held, and who stands is server in each."""
    ring = list(hosts)
    rounds = []
    for _ in range(len(ring) - 1):
        rounds.append(tuple((ring[i], ring[len(ring) - 1 - i]) for i in range(len(ring) // 2)))
        ring.insert(1, ring.pop())
    return rounds


def cpu_seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def pairs_in(rounds: Iterable[Matching]) -> int:
    return sum(len(pairs) for pairs in rounds)


def peak_bytes(work: Callable[[], object]) -> int:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def uneven(rounds: Iterable[Matching]) -> int:
    """Most by which a host is more often client than server, or the reverse."""
    roles: Counter[str] = Counter()
    for pairs in rounds:
        for client, server in pairs:
            roles[client] += 1
            roles[server] -= 1
    return max(map(abs, roles.values()))


def main() -> None:
    print("| hosts | pairs | streamed | roles uneven by | memory | in lists | roles uneven by | memory |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for count in (32, 128, 512, 1024, 2048, 8192):
        hosts = [f"gpu{n:04d}" for n in range(count)]
        cells = [str(count), f"{pairs_in(circle(hosts)):,}", *measured(circle, hosts)]
        cells += measured(in_lists, hosts) if count <= 2048 else ["not tried"] * 3
        print("|", " | ".join(cells), "|", flush=True)


def measured(rounds_of: Callable[[Sequence[str]], Iterable[Matching]], hosts: Sequence[str]) -> list[str]:
    def work() -> int:
        return pairs_in(rounds_of(hosts))

    took, held = cpu_seconds(work), peak_bytes(work)
    return [f"{took * 1e3:.1f} ms", str(uneven(rounds_of(hosts))), f"{held / 1e6:.2f} MB"]


if __name__ == "__main__":
    main()
